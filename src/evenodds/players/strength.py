"""How strong the levels of a game are: exact scores by summing over positions, not by playing."""

from typing import Any, Final, NamedTuple

from evenodds.catalog import AnyGame
from evenodds.game import LEVELS
from evenodds.players.exact import level
from evenodds.solver import Policy, Progress, Uniform, cache, memory_limit, silent, solve_settled
from evenodds.solver.ground import Ground
from evenodds.solver.prospects import odds_on
from evenodds.solver.responses import respond_on
from evenodds.vocabulary import SEATS

VERSION: Final = 1
"""Raised whenever levels are played or weighed in another way, so that no old figures are met."""


class Standing(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `taken` is what the best opponent scores against it.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    taken: float


class Strengths(NamedTuple):
    """The levels of a game, and what perfect play scores against chance."""

    standings: tuple[Standing, ...]
    room: float


def strengths(game: AnyGame, rulings: Any, progress: Progress = silent) -> Strengths:
    """The exact strength of every level under some rulings; found once, and kept."""
    key = (cache.LEVELS, str(VERSION), str(game.ladder))
    try:
        standings, room = cache.recall(game, rulings, *key)
        return Strengths(tuple(Standing(*standing) for standing in standings), float(room))
    except (TypeError, ValueError):  # nothing is kept, or not what it should be
        pass
    found = _weigh(game, rulings, progress)
    cache.keep([list(map(list, found.standings)), found.room], game, rulings, *key)
    return found


def _weigh(game: AnyGame, rulings: Any, progress: Progress) -> Strengths:
    solution = solve_settled(game, rulings, progress=progress)
    contest = Contest(Ground(game, rulings, memory_limit(), silent))
    uniform = Uniform(game)
    levels = [level(game, solution, number) for number in LEVELS]
    standings: list[Standing] = []
    for place, policy in enumerate(levels):
        progress("weighing levels", place, len(levels))
        below = contest.score(policy, levels[place - 1]) if place else None
        standings.append(
            Standing(
                f"level:{LEVELS[place]}",
                below,
                contest.score(policy, uniform),
                contest.score(policy, levels[-1]),
                contest.taken(policy),
            )
        )
    return Strengths(tuple(standings), standings[-1].random)


class Contest:
    """Exact scores between policies on one ground, on average over both seats."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.even = ground.game.mirror is not None
        """Whether the rules favour neither seat: then one way round says all."""

    def score(self, one: Policy, two: Policy) -> float:
        """What a policy scores against another."""
        score = self._as_first(one, two)
        return score if self.even else (score + 1 - self._as_first(two, one)) / 2

    def taken(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.even else SEATS
        gains = [respond_on(self.ground, policy, seat).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2

    def _as_first(self, one: Policy, two: Policy) -> float:
        found = odds_on(self.ground, one, two)
        return found.first + (found.draw + found.endless) / 2
