"""Drama metrics: lead changes, comebacks, and rounds until the lead is final.

The seat with the better expected score under best play leads. All figures are exact: probability
masses carry the history they need, nothing is sampled.
"""

from typing import Any, Final

import numpy as np

from evenodds.claims.study_data import Drama
from evenodds.figures.tolerance import VALUE_TOLERANCE
from evenodds.graph import (
    MAX_FOLLOWED_ROUNDS,
    OPEN_SHARE_TOLERANCE,
    StrategyShares,
    masses_by_round,
    push_masses,
)
from evenodds.study.solved.solved_game import SolvedGame

COMEBACK_SCORE: Final = 0.25
"""An expected score from which a win is a comeback."""
CONVERGENCE_TOLERANCE: Final = 1e-13
NOBODY_LED, FIRST_LED, SECOND_LED = 0, 1, 2
"""Who has led last; times `BEHIND_FLAG_COMBINATIONS` the base of a channel of masses."""
BEHIND_FLAG_COMBINATIONS: Final = 4
"""One bit for each seat: whether it has been far behind."""


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
        self.sides = leader_signs(solved)
        score = 0.5 + solved.values / 2
        behind = (score <= COMEBACK_SCORE + VALUE_TOLERANCE) + 2 * (
            score >= 1 - COMEBACK_SCORE - VALUE_TOLERANCE
        )
        behind[solved.graph.size :] = 0  # there is no coming back from an end
        self.behind = behind.astype(int)
        self.changes = 0.0

    def update(self, masses: Any, places: Any) -> Any:
        """The masses at some positions, in the channels after them; counts lead changes."""
        sides, behind = self.sides[places], self.behind[places]
        columns = np.arange(places.size)
        found = np.zeros((masses.shape[0], places.size))
        for channel in range(masses.shape[0]):
            mass = masses[channel, places]
            if not mass.any():
                continue
            led, flags = divmod(channel, BEHIND_FLAG_COMBINATIONS)
            now = np.where(sides > 0, FIRST_LED, np.where(sides < 0, SECOND_LED, led))
            if led != NOBODY_LED:
                self.changes += float(mass[now != led].sum())
            found[now * BEHIND_FLAG_COMBINATIONS + (flags | behind), columns] += mass
        return found


def _lead_changes_and_comebacks(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> tuple[float, float]:
    """The mean number of lead changes, and the share of comebacks."""
    # In topological order one pass over the blocks does: masses arrive before their block is
    # reached. With cycles all masses advance one round at a time.
    graph = solved.graph
    size = graph.size + len(graph.ends)
    tracker = _LeadTracker(solved)
    masses = np.zeros((3 * BEHIND_FLAG_COMBINATIONS, size))
    masses[NOBODY_LED, 0] = 1.0
    ended_masses = np.zeros((3 * BEHIND_FLAG_COMBINATIONS, len(graph.ends)))
    for _ in range(1 if solved.topologically_ordered else MAX_FOLLOWED_ROUNDS):
        moved = masses if solved.topologically_ordered else np.zeros(masses.shape)
        for index, block in enumerate(graph.blocks):
            updated = tracker.update(masses, block.places)
            for channel in np.flatnonzero(updated.any(axis=1)):
                sides = first[index], second[index]
                push_masses(graph, block, updated[channel], *sides, moved[channel])
        ended_masses += moved[:, graph.size :]
        masses = moved
        masses[:, graph.size :] = 0.0
        if masses[:, : graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            break
    ends = np.arange(graph.size, size)
    masses = np.zeros(masses.shape)
    masses[:, ends] = ended_masses
    final = tracker.update(masses, ends)
    won = sum(
        final[channel, (graph.outcomes() == side)].sum()
        for channel in range(3 * BEHIND_FLAG_COMBINATIONS)
        for side, bit in ((1.0, 1), (-1.0, 2))
        if channel % BEHIND_FLAG_COMBINATIONS & bit
    )
    return tracker.changes, float(won)


def _mean_open_rounds(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> float:
    """The mean number of rounds until the lead stays as it is to the end."""
    kept = _lead_kept_probabilities(solved, first, second)
    size = solved.graph.size
    total = ended = 0.0
    for mass in masses_by_round(solved.graph, first, second):
        ended += float(mass[size:].sum())
        total += max(0.0, 1.0 - ended - float(mass[:size] @ kept[:size]))
    return total


def _lead_kept_probabilities(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> Any:
    """For each position the probability that its leader keeps the lead to the end."""
    graph, sides = solved.graph, leader_signs(solved)
    kept = np.zeros(sides.size)
    kept[graph.size :] = 1.0
    for _ in range(1 if solved.topologically_ordered else MAX_FOLLOWED_ROUNDS):
        before = kept.copy()
        for index in reversed(range(len(graph.blocks))):
            block = graph.blocks[index]
            for piece in block.pieces():
                targets = block.targets[piece]
                same = sides[targets] == sides[block.places[piece], None, None]
                ahead = np.where(same, kept[targets], 0.0)
                expected = np.einsum("nij,nj->ni", ahead, second[index][piece])
                kept[block.places[piece]] = (expected * first[index][piece]).sum(axis=1)
        if np.abs(kept - before).max() <= CONVERGENCE_TOLERANCE:
            break
    return kept
