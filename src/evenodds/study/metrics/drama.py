"""Drama metrics: lead changes, comebacks, and rounds until the lead is final.

Whoever has the better expected score under best play leads. All of it is exact: every match is
followed with what has happened in it, none is drawn by lot.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.study.metrics.match_flow import (
    MAX_FOLLOWED_ROUNDS,
    OPEN_SHARE_TOLERANCE,
    push_masses,
    rounds,
)
from evenodds.study.metrics.solved_game import ROUNDING_TOLERANCE, SolvedGame, StrategyShares

BEHIND: Final = 0.25
"""An expected score from which on it is a comeback to win."""
CONVERGENCE_TOLERANCE: Final = 1e-13
NOBODY, LEFT, RIGHT = 0, 1, 2
"""Who has led last: nobody yet, the first seat, the second."""
FLAGS: Final = 4
"""One bit for each seat: it has been far behind."""


class Drama(NamedTuple):
    """What matches are like between two ways of playing."""

    changes: float
    """How often the lead passes to the other in a match, on average."""
    open: float
    """The mean number of rounds until the expected score stays on one side, or level, for good."""
    comebacks: float
    """The share of matches won by a player whose expected score was 25 % or less at some time."""


def drama_of(survey: SolvedGame, first: StrategyShares, second: StrategyShares) -> Drama | None:
    """The drama between two ways of playing; None where play may go on for ever."""
    ending = _ends(survey, first, second)
    if not ending:
        return None
    changes, comebacks = _told(survey, first, second)
    return Drama(changes, _open(survey, first, second), comebacks)


def _ends(survey: SolvedGame, first: StrategyShares, second: StrategyShares) -> bool:
    """Whether nearly every match comes to an end within the rounds that are followed."""
    if not survey.loops:
        return True
    size = survey.atlas.size
    last = None
    for last in rounds(survey.atlas, first, second):  # noqa: B007 - the last is what is asked
        pass
    return last is not None and float(last[:size].sum()) <= OPEN_SHARE_TOLERANCE


def sides_of(survey: SolvedGame) -> Any:
    """Who leads at each place and end: 1 the first seat, -1 the second, 0 neither."""
    values = survey.values
    return np.where(np.abs(values) <= ROUNDING_TOLERANCE, 0, np.sign(values)).astype(int)


class _LeadTracker:
    """Masses of matches by who has led last and who has been far behind."""

    def __init__(self, survey: SolvedGame) -> None:
        self.sides = sides_of(survey)
        score = 0.5 + survey.values / 2
        behind = (score <= BEHIND + ROUNDING_TOLERANCE) + 2 * (
            score >= 1 - BEHIND - ROUNDING_TOLERANCE
        )
        behind[survey.atlas.size :] = 0  # at the end it is too late to be behind
        self.behind = behind.astype(int)
        self.changes = 0.0

    def told(self, masses: Any, places: Any) -> Any:
        """The masses at some places once it is known who leads there; changes are counted."""
        sides, behind = self.sides[places], self.behind[places]
        columns = np.arange(places.size)
        found = np.zeros((masses.shape[0], places.size))
        for channel in range(masses.shape[0]):
            mass = masses[channel, places]
            if not mass.any():
                continue
            led, flags = divmod(channel, FLAGS)
            now = np.where(sides > 0, LEFT, np.where(sides < 0, RIGHT, led))
            if led != NOBODY:
                self.changes += float(mass[now != led].sum())
            found[now * FLAGS + (flags | behind), columns] += mass
        return found


def _told(survey: SolvedGame, first: StrategyShares, second: StrategyShares) -> tuple[float, float]:
    """How often the lead changes, and the share of comebacks."""
    atlas = survey.atlas
    size = atlas.size + len(atlas.ends)
    tale = _LeadTracker(survey)
    masses = np.zeros((3 * FLAGS, size))
    masses[NOBODY, 0] = 1.0
    over = np.zeros((3 * FLAGS, len(atlas.ends)))
    for _ in range(1 if survey.ordered else MAX_FOLLOWED_ROUNDS):
        moved = masses if survey.ordered else np.zeros(masses.shape)
        for place, sheet in enumerate(atlas.blocks):
            here = tale.told(masses, sheet.places)
            for channel in np.flatnonzero(here.any(axis=1)):
                whole = np.zeros(size)
                whole[sheet.places] = here[channel]
                moved[channel] += push_masses(atlas, sheet, whole, first[place], second[place])
        over += moved[:, atlas.size :]
        masses = moved
        masses[:, atlas.size :] = 0.0
        if masses[:, : atlas.size].sum() <= OPEN_SHARE_TOLERANCE:
            break
    ends = np.arange(atlas.size, size)
    masses = np.zeros(masses.shape)
    masses[:, ends] = over
    final = tale.told(masses, ends)
    won = sum(
        final[channel, (atlas.outcomes() == side)].sum()
        for channel in range(3 * FLAGS)
        for side, bit in ((1.0, 1), (-1.0, 2))
        if channel % FLAGS & bit
    )
    return tale.changes, float(won)


def _open(survey: SolvedGame, first: StrategyShares, second: StrategyShares) -> float:
    """The mean number of rounds until the lead stays as it is to the end."""
    stays = _staying(survey, first, second)
    size = survey.atlas.size
    total = ended = 0.0
    for mass in rounds(survey.atlas, first, second):
        ended += float(mass[size:].sum())
        total += max(0.0, 1.0 - ended - float(mass[:size] @ stays[:size]))
    return total


def _staying(survey: SolvedGame, first: StrategyShares, second: StrategyShares) -> Any:
    """For each place how likely whoever leads there does so to the end and wins."""
    atlas, sides = survey.atlas, sides_of(survey)
    stays = np.zeros(sides.size)
    stays[atlas.size :] = 1.0
    for _ in range(1 if survey.ordered else MAX_FOLLOWED_ROUNDS):
        before = stays.copy()
        for place in reversed(range(len(atlas.blocks))):
            sheet = atlas.blocks[place]
            for piece in sheet.pieces():
                targets = sheet.targets[piece]
                same = sides[targets] == sides[sheet.places[piece], None, None]
                ahead = np.where(same, stays[targets], 0.0)
                own = np.einsum("nij,nj->ni", ahead, second[place][piece])
                stays[sheet.places[piece]] = (own * first[place][piece]).sum(axis=1)
        if np.abs(stays - before).max() <= CONVERGENCE_TOLERANCE:
            break
    return stays
