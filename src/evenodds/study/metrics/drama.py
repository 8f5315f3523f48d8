"""Drama metrics: lead changes, comebacks, and rounds until the lead is final.

The seat with the better expected score under best play leads. All figures are exact: probability
masses carry the history they need, nothing is sampled.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from evenodds.claims.study_figures import Drama
from evenodds.engine.flows import (
    MAX_FOLLOWED_ROUNDS,
    OPEN_SHARE_TOLERANCE,
    masses_by_round,
    push_masses,
    round_step,
    sum_backwards,
)
from evenodds.engine.strategies import StrategyShares
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.solved_game import SolvedGame

COMEBACK_SCORE: Final = 0.25
"""An expected score from which a win is a comeback."""
NOBODY_LED, FIRST_LED, SECOND_LED = 0, 1, 2
"""Who has led last; times `BEHIND_FLAG_COMBINATIONS` the base of a channel of masses."""
BEHIND_FLAG_COMBINATIONS: Final = 4
"""One bit for each seat: whether it has been far behind."""
CHANNELS: Final = 3 * BEHIND_FLAG_COMBINATIONS


def drama_of(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> Drama | None:
    """The drama between two strategies; None where too many matches go on for too long."""
    ending = _nearly_all_end(solved, first, second)
    if not ending:
        return None
    changes, comebacks = _lead_changes_and_comebacks(solved, first, second)
    return Drama(changes, _mean_open_rounds(solved, first, second), comebacks)


def _nearly_all_end(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> bool:
    """Whether nearly every match ends within the rounds that are followed."""
    if not solved.loops:
        return True
    size = solved.graph.size
    last = None
    for last in masses_by_round(solved.graph, first, second):  # noqa: B007 - the last is what is asked
        pass
    return last is not None and float(last[:size].sum()) <= OPEN_SHARE_TOLERANCE


def leader_signs(solved: SolvedGame) -> Any:
    """Who leads at each position and end: 1 the first seat, -1 the second, 0 neither."""
    values = solved.values
    return np.where(np.abs(values) <= VALUE_TOLERANCE, 0, np.sign(values)).astype(int)


class _LeadTracker:
    """Moves masses between channels: who has led last, and who has been far behind."""

    def __init__(self, solved: SolvedGame) -> None:
        leaders = leader_signs(solved) % 3  # NOBODY_LED, FIRST_LED or SECOND_LED
        score = 0.5 + solved.values / 2
        behind = (score <= COMEBACK_SCORE + VALUE_TOLERANCE) + 2 * (
            score >= 1 - COMEBACK_SCORE - VALUE_TOLERANCE
        )
        behind[solved.graph.size :] = 0  # there is no coming back from an end
        led, flags = divmod(np.arange(CHANNELS, dtype=np.int8)[:, None], BEHIND_FLAG_COMBINATIONS)
        now = np.where(leaders == NOBODY_LED, led, leaders).astype(np.int8)
        self.channels = now * BEHIND_FLAG_COMBINATIONS + (flags | behind.astype(np.int8))
        self.is_change = (led != NOBODY_LED) & (now != led)
        self.changes = 0.0

    def update(self, masses: Any, places: Any) -> Any:
        """The masses at some positions, in the channels after them; counts lead changes."""
        here = masses[:, places]
        found, columns = np.zeros(here.shape), np.arange(here.shape[1])
        for channel in np.flatnonzero(here.any(axis=1)):
            mass = here[channel]
            self.changes += float(mass[self.is_change[channel, places]].sum())
            cells = self.channels[channel, places] * np.int64(columns.size) + columns
            found.reshape(-1)[cells] += mass
        return found


def _lead_changes_and_comebacks(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> tuple[float, float]:
    """The mean number of lead changes, and the share of comebacks."""
    graph = solved.graph
    size = graph.size + len(graph.ends)
    tracker = _LeadTracker(solved)
    masses = np.zeros((CHANNELS, size))
    masses[NOBODY_LED, 0] = 1.0
    if solved.topologically_ordered:
        # One pass over the blocks does: masses arrive before their block is reached.
        for index, block in enumerate(graph.blocks):
            updated = tracker.update(masses, block.places)
            for channel in np.flatnonzero(updated.any(axis=1)):
                sides = first[index], second[index]
                push_masses(graph, block, updated[channel], *sides, masses[channel])
        ended_masses = masses[:, graph.size :].copy()
    else:
        ended_masses = _follow_rounds(tracker, masses, graph.size, round_step(graph, first, second))
    ends = np.arange(graph.size, size)
    masses = np.zeros(masses.shape)
    masses[:, ends] = ended_masses
    final = tracker.update(masses, ends)
    won = sum(
        final[channel, (graph.outcomes == side)].sum()
        for channel in range(CHANNELS)
        for side, bit in ((1.0, 1), (-1.0, 2))
        if channel % BEHIND_FLAG_COMBINATIONS & bit
    )
    return tracker.changes, float(won)


def _follow_rounds(
    tracker: _LeadTracker, masses: Any, size: int, advance: Callable[[Any], Any]
) -> Any:
    """Advance all masses one round at a time; what arrives at ends, in the channels before them."""
    ended_masses = np.zeros((len(masses), masses.shape[1] - size))
    for _ in range(MAX_FOLLOWED_ROUNDS):
        masses = tracker.update(masses, slice(None))
        for channel in np.flatnonzero(masses.any(axis=1)):
            masses[channel] = advance(masses[channel])
        ended_masses += masses[:, size:]
        masses[:, size:] = 0.0
        if masses.sum() <= OPEN_SHARE_TOLERANCE:
            break
    return ended_masses


def _mean_open_rounds(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> float:
    """The mean number of rounds until the lead stays as it is to the end."""
    kept = _lead_kept_probabilities(solved, first, second)
    size = solved.graph.size
    total = ended = 0.0
    for mass in masses_by_round(solved.graph, first, second):
        ended += float(mass[size:].sum())
        total += max(0.0, 1.0 - ended - float((mass[:size] * kept[:size]).sum()))
    return total


def _lead_kept_probabilities(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> Any:
    """For each position the probability that its leader keeps the lead to the end."""
    graph, sides = solved.graph, leader_signs(solved)
    if not solved.topologically_ordered:
        same = sides[graph.targets] == sides[graph.sources]
        ends = np.ones(len(graph.ends))
        return sum_backwards(graph, graph.link_shares(first, second), ends, kept=same)
    kept = np.zeros(sides.size)
    kept[graph.size :] = 1.0
    for index in reversed(range(len(graph.blocks))):
        block = graph.blocks[index]
        for piece in block.pieces():
            targets = block.targets[piece]
            same = sides[targets] == sides[block.places[piece], None, None]
            ahead = np.where(same, kept[targets], 0.0)
            expected = np.einsum("nij,nj->ni", ahead, second[index][piece])
            kept[block.places[piece]] = (expected * first[index][piece]).sum(axis=1)
    return kept
