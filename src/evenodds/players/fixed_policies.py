"""Stateless players as policies: a fixed probability distribution at every position."""

from collections.abc import Mapping
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Seat
from evenodds.players.exact import level_policy
from evenodds.policy import Policy, SoftmaxPolicy, Uniform
from evenodds.solver import Solution


class HighestNumberPolicy:
    """The policy of `high`: the highest number open to a seat."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def __call__(self, state: Any, seat: Seat) -> Mapping[int, float]:
        """Probability 1 for one number."""
        return {self.game.picks(state, seat)[-1]: 1.0}


PlayerLike = str | Policy
"""How callers say who plays: by the name of a player, or by a policy of their own."""


def policy_of(game: AnyGame, player: PlayerLike, solution: Solution | None) -> Policy | None:
    """The policy of a player that depends on the position alone; None for other players.

    A function of somebody else may draw from chance, and a mapping may play the seats of a
    symmetric game differently; neither is such a policy.
    """
    if not isinstance(player, str):
        fixed = isinstance(player, Solution | SoftmaxPolicy | Uniform)
        return player if fixed else None
    name = player
    if name == "random":
        return Uniform(game)
    if name == "high":
        return HighestNumberPolicy(game)
    kind, _, number = name.partition(":")
    if solution is None or kind not in ("level", "perfect"):
        return None
    return level_policy(game, solution, int(number)) if number else solution.mix
