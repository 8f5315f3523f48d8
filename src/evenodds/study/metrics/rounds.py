"""Play followed round by round: lines, their length, how the lead goes, what each score is worth.

All figures are exact, nothing is sampled: what is followed are the numbers of lines at each
position, and the masses of matches, of all and of those among them with some history.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np

from evenodds.claims.study_figures import (
    MAX_SHOWN_ROUNDS,
    RANDOM_POLICY,
    Drama,
    GameSize,
    LengthDistribution,
    ScoreValues,
)
from evenodds.core.rulings import field_types
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Pair, other
from evenodds.engine.flows import (
    MAX_FOLLOWED_ROUNDS,
    OPEN_SHARE_TOLERANCE,
    masses_by_round,
    round_step,
    start_masses,
)
from evenodds.engine.strategies import StrategyShares
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.solved_game import SolvedGame

COMEBACK_SCORE: Final = 0.25
"""An expected score from which a win is a comeback."""
MAX_SCALE_STEPS: Final = 25
"""Steps of a scale at most; a longer scale has steps of several points."""


def game_size_of(solved: SolvedGame) -> GameSize:
    """The size of a solved game."""
    graph = solved.graph
    decisions = sum(len(block.places) for _, block, _ in solved.decisions())
    ended: list[float] = []
    for count in _ended_lines(solved):
        ended.append(count)
        if count and solved.loops:  # play may go on for ever
            break
    shortest = next(place for place, count in enumerate(ended) if count)
    longest = None if solved.loops else len(ended) - 1
    branching = _branching_of(solved)
    return GameSize(graph.size, decisions, count_lines(solved), shortest, longest, branching)


def count_lines(solved: SolvedGame) -> int | None:
    """The number of lines of play; None where play can come back to a position."""
    return None if solved.loops else int(sum(_ended_lines(solved)))


def _ended_lines(solved: SolvedGame) -> Iterator[float]:
    """How many lines of play end by draws before the first round, and in each round.

    Floats hold whole numbers up to 2**53; shares in place of them where positions come back.
    """
    graph = solved.graph
    every: Any = [[np.ones(block.numbers(seat).shape) for block in graph.blocks] for seat in SEATS]
    every = solved.both_shares(RANDOM_POLICY) if solved.loops else every
    advance = round_step(graph, *every)
    lines = start_masses(graph, every[FIRST])
    yield float(lines[graph.size :].sum())
    while lines[: graph.size].any():
        lines = advance(lines)
        yield float(lines[graph.size :].sum())


def _branching_of(solved: SolvedGame) -> list[float]:
    """The mean number of choices of the seats that pick, round by round."""
    found: list[float] = []
    chance = solved.both_shares(RANDOM_POLICY)
    for mass in islice(masses_by_round(solved.graph, *chance), MAX_SHOWN_ROUNDS):
        picking = choices = 0.0
        for block in solved.graph.blocks:
            here = float(mass[block.places].sum())  # nothing, where chance is to move
            for seat in SEATS:
                numbers = block.numbers(seat)
                if numbers[0, 0] != PASS:
                    picking += here
                    choices += here * numbers.shape[1]
        if not picking:
            break
        found.append(choices / picking)
    return found


def length_distribution_of(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> LengthDistribution:
    """The distribution of match lengths between two strategies."""
    size = solved.graph.size
    ended = [float(mass[size:].sum()) for mass in masses_by_round(solved.graph, first, second)][1:]
    longer = max(0.0, 1.0 - sum(ended)) if len(ended) >= MAX_FOLLOWED_ROUNDS - 1 else 0.0
    last = max((place for place, share in enumerate(ended) if share > 0), default=-1)
    return LengthDistribution(tuple(ended[: last + 1]), longer)


def drama_of(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> Drama | None:
    """The drama between two strategies; None where too many matches go on for too long.

    None with points, too: positions do not say who has more.
    The seat with the better expected score under best play leads.
    """
    if solved.graph.has_points:
        return None
    size, values = solved.graph.size, solved.values
    advance = round_step(solved.graph, first, second)
    level = np.abs(values) <= VALUE_TOLERANCE
    leads = [~level & (values > 0), ~level & (values < 0)]
    is_far_behind = [
        side * values / 2 + 0.5 <= COMEBACK_SCORE + VALUE_TOLERANCE for side in (1, -1)
    ]
    masses: Any = start_masses(solved.graph, first)
    led, behind = np.zeros((2, 2, values.size))
    """For each seat the matches in which it was the last to lead, and was far behind some time."""
    late: Any = np.zeros(values.size)
    """The mean round of the last change between a lead of either seat and none, times the mass."""
    changes = comebacks = open_rounds = 0.0
    for round in range(1, MAX_FOLLOWED_ROUNDS + 1):
        for seat in SEATS:
            changes += float(led[other(seat)][leads[seat]].sum())
            comebacks += float(behind[seat][size:][leads[seat][size:]].sum())
        for seat in SEATS:
            led[seat] = np.where(leads[seat], masses, np.where(level, led[seat], 0.0))
            behind[seat] = np.where(is_far_behind[seat], masses, behind[seat])
        open_rounds += float(late[size:].sum())
        if masses[:size].sum() <= OPEN_SHARE_TOLERANCE:
            return Drama(changes, open_rounds, comebacks)
        led, behind = (list(map(advance, each)) for each in (led, behind))
        arrived = [(side, advance(masses * side), advance(late * side)) for side in (*leads, level)]
        masses = sum(mass for _, mass, _ in arrived)
        late = sum(np.where(side, kept, round * mass) for side, mass, kept in arrived)
    return None


def score_values_of(solved: SolvedGame) -> list[ScoreValues]:
    """Expected scores by points, rounds won or health: a table for each pair that varies."""
    start = solved.game.start(solved.rulings)
    pairs = [name for name, kind in field_types(start.__class__).items() if kind == Pair]
    if not pairs:
        return []
    # The share of random matches that reach each position.
    visits = sum(masses_by_round(solved.graph, *solved.both_shares(RANDOM_POLICY)))
    weights, fields = visits[: solved.graph.size], solved.graph.fields()
    columns = {
        name: np.stack([fields[f"{name} first"], fields[f"{name} second"]], axis=1)
        for name in pairs
    }
    return [
        _table(name, pair, weights, solved.values)
        for name, pair in columns.items()
        if np.ptp(pair, axis=0).any()
    ]


def _table(name: str, pairs: Any, weights: Any, values: Any) -> ScoreValues:
    low, high = int(pairs.min()), int(pairs.max())
    width = -(-(high - low + 1) // MAX_SCALE_STEPS)
    count = (high - low) // width + 1
    cells = (pairs[:, 0] - low) // width * count + (pairs[:, 1] - low) // width
    mass = np.bincount(cells, weights, count * count)
    worth = np.bincount(cells, weights * values[: weights.size], count * count)
    scores = [
        None if total <= 0 else 0.5 + float(value / total) / 2
        for total, value in zip(mass.tolist(), worth.tolist(), strict=True)
    ]
    lines = [scores[line * count : (line + 1) * count] for line in range(count)]
    return ScoreValues(name, [low + width * step for step in range(count)], lines)
