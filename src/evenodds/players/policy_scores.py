"""Exact scores between policies over all positions, and of every level of a game."""

from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.game import LEVELS
from evenodds.core.vocabulary import SEATS, Settled
from evenodds.graph import PositionIndex, memory_limit
from evenodds.players.exact import level_policy
from evenodds.players.levels import LevelStrength, Strengths
from evenodds.policy import (
    Policy,
    Uniform,
    counts_repetitions,
    odds_on,
    respond_on,
)
from evenodds.solver import solve_settled
from evenodds.system.progress import Progress


class Meeting(NamedTuple):
    """The score of a policy against another, and the share of drawn and endless matches."""

    score: float
    drawn: float


class PolicyScores:
    """Exact scores between policies on one position index, averaged over both seats."""

    def __init__(self, index: PositionIndex, repetition: int) -> None:
        self.index = index
        self.repetition = repetition
        """After how many times of the same position a match is a draw; 0 for never."""
        self.symmetric = index.game.mirror is not None
        """Whether the rules favour neither seat: then one order of the seats is enough."""

    def meet(self, one: Policy, two: Policy) -> Meeting:
        """What a policy scores against another."""
        found = [odds_on(self.index, one, two, self.repetition)]
        if not self.symmetric:
            odds = odds_on(self.index, two, one, self.repetition)
            found.append(odds._replace(first=odds.second, second=odds.first))
        scores, draws = [odds.score for odds in found], [odds.draw + odds.endless for odds in found]
        return Meeting(sum(scores) / len(found), sum(draws) / len(found))

    def best_opponent_score(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.symmetric else SEATS
        gains = [respond_on(self.index, policy, seat, self.repetition).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2


def level_strengths_of(
    game: AnyGame, rulings: Settled, progress: Progress, asked: int
) -> Strengths:
    """Compute the strength of every level; `asked` is the repetition rule of matches."""
    solution = solve_settled(game, rulings, progress=progress)
    index = PositionIndex(game, rulings, memory_limit(), progress)
    repetition = asked if game.loops and counts_repetitions(index) else 0
    scores, played_on = PolicyScores(index, repetition), PolicyScores(index, 0)
    uniform = Uniform(game)
    levels = [level_policy(game, solution, number) for number in LEVELS]
    found_levels: list[LevelStrength] = []
    for place, policy in enumerate(levels):
        progress("weighing levels", place, len(levels))
        below = scores.meet(policy, levels[place - 1]) if place else None
        ignored = played_on.meet(policy, levels[place - 1]) if place and repetition else None
        found_levels.append(
            LevelStrength(
                f"level:{LEVELS[place]}",
                below and below.score,
                scores.meet(policy, uniform).score,
                scores.meet(policy, levels[-1]).score,
                scores.best_opponent_score(policy),
                below.drawn if below and repetition else None,
                ignored and ignored.score,
            )
        )
    value = solution.value(solution.start)
    return Strengths(tuple(found_levels), found_levels[-1].random, value, repetition)
