"""The levels and the other players that are policies: the ladder of skill, and name to policy."""

from collections.abc import Callable, Mapping
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.game import DEFAULT_LADDER
from evenodds.core.vocabulary import Seat
from evenodds.engine.policies import Policy, SoftmaxPolicy, Uniform
from evenodds.engine.solution import Solution

PlayerLike = str | Policy
"""How callers say who plays: by the name of a player, or by a policy of their own."""


def ladder_of(game: AnyGame) -> tuple[float, ...]:
    """The softmax temperature, then for each level the probability of the exact mix."""
    return game.ladder or DEFAULT_LADDER


def level_policy(game: AnyGame, solution: Solution, number: int) -> SoftmaxPolicy:
    """The policy of a level: the exact mix with the probability of the ladder, else softmax."""
    temperature, *exact_shares = ladder_of(game)
    return SoftmaxPolicy(solution, exact_shares[number - 1], temperature)


class HighestNumberPolicy:
    """The policy of `high`: the highest number open to a seat."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def __call__(self, state: Any, seat: Seat) -> Mapping[int, float]:
        """Probability 1 for one number."""
        return {self.game.picks(state, seat)[-1]: 1.0}


def policy_of(
    game: AnyGame, player: PlayerLike, solve: Callable[[], Solution | None]
) -> Policy | None:
    """The policy of a player that depends on the position alone; None for other players.

    A function of somebody else may draw from chance, and a mapping may play the seats of a
    symmetric game differently; neither is such a policy. The game is solved only for exact ones.
    """
    if not isinstance(player, str):
        fixed = isinstance(player, Solution | SoftmaxPolicy | Uniform)
        return player if fixed else None
    kind, _, number = player.partition(":")
    if kind == "random":
        return Uniform(game)
    if kind == "high":
        return HighestNumberPolicy(game)
    if kind not in ("level", "perfect"):
        return None
    solution = solve()
    if solution is None:
        return None
    return level_policy(game, solution, int(number)) if number else solution.mix
