"""Monte Carlo simulation of matches on all cores: outcomes, endings, lengths."""

import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.core.rulings import as_int
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, check_repetition
from evenodds.core.validation import validate
from evenodds.core.vocabulary import FIRST, NOTHING, PASS, SECOND, Outcome, decided, rule
from evenodds.engine.compile import compile_error_line, is_compile_error, kernels_of
from evenodds.engine.game_functions import (
    HAS_REWARDS,
    ONGOING,
    REPETITION,
    chance,
    draw,
    ending,
    first_pick,
    kernel,
    legal,
    outcome,
    reward,
    second_pick,
    start,
    step,
    times_seen,
    write,
)
from evenodds.engine.odds import REPETITION_ENDING
from evenodds.engine.policies import BadPolicy, Policy, SoftmaxPolicy, Uniform, check_policy
from evenodds.engine.position_keys import fields_of
from evenodds.engine.random_streams import are_legal, half_of, next_random, stream, uniform
from evenodds.engine.solution import Solution
from evenodds.engine.strategies import mix_tables
from evenodds.engine.threads import WorkerThreads, split_range
from evenodds.system.text import as_given

BATCH_MATCHES: Final = 200_000
"""Matches that are played before a thread looks whether it is to stop."""
MAX_TASKS: Final = 2_000
"""Tasks that wait for a thread take memory."""
DEFAULT_MAX_ROUNDS: Final = 10_000
"""Rounds after which a match is cut off, unless said otherwise."""
SEED_COUNT: Final = 1 << 62
MAX_MATCHES: Final = 10**12
MAX_ROUNDS: Final = 1_000_000
ILLEGAL_PICK_ROUNDS: Final = -1
"""Returned instead of the number of rounds after an illegal pick."""
DRAWN: Final = int(Outcome.DRAW)

PickFunction = Callable[[Any, int, int, int], int]
"""A pick function: from position, seat, moves and a random number of 31 bits to a pick."""


class Simulation(NamedTuple):
    """Counts of matches: by outcome, by ending, by length in rounds.

    In games about points the outcome is the sign of their sum. `repetition` says after how many
    times of the same position they were drawn; 0: never.
    """

    first: int
    draw: int
    second: int
    cut_off: int
    """Matches that were still open after the longest length."""
    endings: dict[str, int]
    lengths: dict[int, int]
    repetition: int


def _checked(name: str, value: Any, least: int, most: int) -> int:
    number = as_int(value)
    if number is None or not least <= number <= most:
        raise BadTerms(f"{name}={as_given(value)} is not allowed; allowed: {least:,} to {most:,}")
    return number


def simulate(
    game: GameLike,
    first: PickFunction | Policy = uniform,
    second: PickFunction | Policy = uniform,
    matches: int = 100_000,
    seed: int = 0,
    *,
    repetition: int = DEFAULT_REPETITION,
    longest: int = DEFAULT_MAX_ROUNDS,
    compiled: bool = True,
) -> Simulation:
    """Play matches between two pick functions or policies and count them.

    The same seed gives the same counts on any number of cores: every match has its own stream.
    A match is drawn when a position comes up 3 times, or as often as `repetition` says; 0 stands
    for never. Sampled, not exact: `solve` and `odds` are exact.
    """
    game, settled = catalog.settle(game, {})
    matches = _checked("matches", matches, 0, MAX_MATCHES)
    seed = _checked("seed", seed, 0, SEED_COUNT - 1)
    longest = _checked("longest", longest, 1, MAX_ROUNDS)
    validate(game, settled)
    sides: list[Any] = [uniform if isinstance(side, Uniform) else side for side in (first, second)]
    functions = [side if _is_pick_function(side) else None for side in sides]
    for side in sides:
        check_policy(game, settled, side)
    policies = [None if function else side for function, side in zip(functions, sides, strict=True)]
    mixes = mix_tables(game, settled, policies)
    check_repetition(repetition)
    repetition = repetition if game.can_repeat else 0
    kernels = kernels_of(
        game, compiled, repetition, first_pick=functions[FIRST], second_pick=functions[SECOND]
    )
    play = kernels.module(__name__)[play_matches.__name__]
    kinds = list(type(game.ending(game.start(settled))))
    pieces = split_range(matches, max(BATCH_MATCHES, matches // MAX_TASKS))
    seen = longest + 1 if repetition else 0, len(fields_of(game.start(settled)))
    shapes = 4, max(kinds) + 2, longest + 1, seen

    with WorkerThreads() as threads:
        # As many as run at a time; each counts on in one that is spare.
        spare = [
            tuple(np.zeros(shape, np.int64) for shape in shapes) for _ in pieces[: threads.size]
        ]

        def batch(piece: tuple[int, int]) -> None:
            counts, (match, end) = spare.pop(), piece
            while match < end and not threads.stopped:
                some = match, min(end, match + BATCH_MATCHES)
                try:
                    match = play(settled, seed, some, mixes, counts)
                except Exception as error:
                    if not is_compile_error(error):
                        raise
                    line = compile_error_line(error)
                    raise BadPolicy(f"this way of picking does not compile: {line}") from None
                if match < some[1]:
                    raise BadPolicy(
                        f"a pick in match {match} is not one of the moves that were given"
                    )
            spare.append(counts)

        list(threads.map(batch, pieces))
    outcomes, endings, lengths = (sum(column) for column in list(zip(*spare, strict=True))[:3])
    by_name = {kind.name: int(endings[kind]) for kind in kinds}
    by_name[REPETITION_ENDING] = int(endings[-1])
    lost, drawn, won, cut_off = outcomes.tolist()
    return Simulation(
        won,
        drawn,
        lost,
        cut_off,
        {name: count for name, count in by_name.items() if count},
        {rounds: int(lengths[rounds]) for rounds in np.flatnonzero(lengths).tolist()},
        repetition,
    )


def _is_pick_function(side: Any) -> bool:
    """Whether this is a function of position, seat, moves and a random number."""
    function = getattr(side, "py_func", side)
    if not callable(function) or isinstance(function, SoftmaxPolicy | Solution):
        return False
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some built-ins have no signature
        return False
    if sum(parameter.default is parameter.empty for parameter in parameters) != 4:
        return False
    if not inspect.isfunction(function):
        raise BadPolicy("a way of picking is a plain function, so that it can be compiled")
    return True


@rule
def play_out(
    rulings: Any, seed: int, match: int, longest: int, mixes: Any, seen: Any
) -> tuple[Any, int, bool, int]:
    """One match: the last position, the rounds, whether it ended by repetition, and its points."""
    random = stream(seed, match)
    state = start(rulings)
    if REPETITION:
        write(state, seen[0])
    rounds = points = 0
    # What is drawn after a round belongs to it.
    while outcome(state) == ONGOING and (rounds < longest or chance(state) != NOTHING):
        random = next_random(random)
        if chance(state) != NOTHING:
            picks = draw(state, random), PASS
            points += reward(state, picks)
            state = step(state, picks)
            continue
        own, theirs = legal(state, FIRST), legal(state, SECOND)
        first = second = PASS
        if own != NOTHING:
            first = first_pick(state, FIRST, own, half_of(random, FIRST), mixes[FIRST])
        if theirs != NOTHING:
            second = second_pick(state, SECOND, theirs, half_of(random, SECOND), mixes[SECOND])
        if not are_legal(own, theirs, first, second):
            return state, ILLEGAL_PICK_ROUNDS, False, points
        points += reward(state, (first, second))
        state = step(state, (first, second))
        rounds += 1
        if REPETITION:
            write(state, seen[rounds])
            if outcome(state) == ONGOING and times_seen(seen, rounds) >= REPETITION:
                return state, rounds, True, points
    return state, rounds, False, points


@kernel
def play_matches(rulings: Any, seed: int, piece: tuple[int, int], mixes: Any, counts: Any) -> int:
    """Play a range of matches; count how they end, by what, and after how many rounds.

    The first counts are wins of the second seat, draws, wins of the first, and matches cut off; the
    last of the endings is repetition. The positions of a match are kept in the last of `counts`.
    Returns a match with an illegal pick, or the range's end.
    """
    begin, end = piece
    outcomes, endings, lengths, seen = counts
    for match in range(begin, end):
        state, rounds, repeated, points = play_out(
            rulings, seed, match, lengths.size - 1, mixes, seen
        )
        if rounds == ILLEGAL_PICK_ROUNDS:
            return match
        result = DRAWN if repeated else outcome(state) + 0
        if HAS_REWARDS and result != ONGOING:
            result = decided(points + result) + 0
        outcomes[1 + result] += 1
        endings[endings.size - 1 if repeated else ending(state) + 0] += 1
        lengths[rounds] += 1
    return end
