"""Whether skill pays: the ladder of levels, and how many matches tell two of them apart."""

from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.kernels import worker_threads
from evenodds.study.metrics.outcomes import Fate, fate_of
from evenodds.study.metrics.solved_game import CHANCE, NIL, RUNGS, Survey

CONFIDENT: Final = 1.6448536269514722
"""How many deviations the mean of many matches must lie above one half: 95 of 100 are below."""


NEITHER: Final = "neither"


class Rung(NamedTuple):
    """A level against the one below, on average over both seats."""

    name: str
    score: float
    drawn: float
    matches: int | None
    """After so many matches the better of the two leads with a confidence of 95 %; None: never."""

    @property
    def better(self) -> str:
        """Which of the two levels is better, if any is."""
        if self.matches is None:
            return NEITHER
        return self.name if self.score > 0.5 else RUNGS[RUNGS.index(self.name) - 1]


class Skill(NamedTuple):
    """The ladder of levels of a game."""

    rungs: list[Rung]
    """Nothing where matches between levels hardly ever end: they are not weighed then."""
    pairs: dict[str, Fate]
    """How matches end between each two levels, the one in the first seat named first, as matches
    are played: with the draw by repetition."""
    room: float
    """What perfect play scores against chance, on average over both seats."""

    @property
    def span(self) -> Rung | None:
        """The highest level against the lowest; None where levels are not weighed."""
        if not self.rungs:
            return None
        low, high = RUNGS[0], RUNGS[-1]
        return rung(high, self.pairs[f"{high} {low}"], self.pairs[f"{low} {high}"])


def skill_of(survey: Survey, levels: tuple[str, ...] = RUNGS) -> Skill:
    """The exact ladder of levels: every pair of them, seats and all."""
    if survey.tangled:
        return Skill([], {}, room_of(survey))
    pairs = pairs_of(survey, levels)
    return Skill(rungs_in(pairs, levels), pairs, room_of(survey))


def rungs_of(survey: Survey, levels: tuple[str, ...] = RUNGS) -> list[Rung]:
    """The ladder alone: each level against the one below."""
    return rungs_in(pairs_of(survey, levels, apart=1), levels)


def rungs_in(pairs: dict[str, Fate], levels: tuple[str, ...]) -> list[Rung]:
    """The ladder, from how matches end between neighbours in both orders."""
    return [
        rung(upper, pairs[f"{upper} {lower}"], pairs[f"{lower} {upper}"])
        for lower, upper in pairwise(levels)
    ]


def steps_in(rungs: list[Rung], step: float) -> int:
    """Steps of a ladder that are felt: with this score or a better one."""
    return sum(rung.score >= step - NIL for rung in rungs)


def pairs_of(survey: Survey, levels: tuple[str, ...], apart: int = len(RUNGS)) -> dict[str, Fate]:
    """How matches end between two levels that stand no farther apart.

    Where seats are alike one way round says all.
    """
    sides = [[survey.shares(level, seat) for level in levels] for seat in SEATS]
    even = survey.game.mirror is not None
    near = [
        (one, two)
        for one in range(len(levels))
        for two in range(len(levels))
        if abs(one - two) <= apart
    ]
    wanted = [(one, two) for one, two in near if not even or one <= two]
    found: dict[str, Fate] = {}

    def meet(pair: tuple[int, int]) -> Fate:
        one, two = pair
        return fate_of(survey, sides[FIRST][one], sides[SECOND][two])

    with worker_threads(survey.progress) as at_work:
        for (one, two), fate in zip(wanted, at_work.pool.map(meet, wanted), strict=True):
            if even:
                found[f"{levels[two]} {levels[one]}"] = _exchanged(fate)
            found[f"{levels[one]} {levels[two]}"] = fate
            survey.progress("weighing levels", len(found), len(near))
    return {
        f"{levels[one]} {levels[two]}": found[f"{levels[one]} {levels[two]}"] for one, two in near
    }


def room_of(survey: Survey) -> float:
    """What perfect play scores against chance, on average over both seats."""
    best = survey.named
    first = fate_of(survey, best[FIRST], survey.shares(CHANCE, SECOND))
    second = fate_of(survey, survey.shares(CHANCE, FIRST), best[SECOND])
    return (first.score + 1 - second.score) / 2


def rung(name: str, first: Fate, second: Fate) -> Rung:
    """A level by how it fares in the first seat and in the second against the one below."""
    won = (first.first + second.second) / 2
    drawn = (first.draw + first.endless + second.draw + second.endless) / 2
    score = won + drawn / 2
    return Rung(name, score, drawn, matches_needed(won, drawn))


def matches_needed(won: float, drawn: float) -> int | None:
    """How many matches until the lead of the better player, whichever it is, is beyond chance."""
    lead = won + drawn / 2 - 0.5
    if abs(lead) <= NIL:
        return None
    spread = won + drawn / 4 - (0.5 + lead) ** 2
    return max(1, ceil(CONFIDENT**2 * max(0.0, spread) / lead**2 - NIL))


def _exchanged(fate: Fate) -> Fate:
    """The same with the seats exchanged."""
    return fate._replace(first=fate.second, second=fate.first)
