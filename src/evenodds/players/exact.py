"""Players with an exact solution: perfect play, and levels that mix it with chance."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.record import View
from evenodds.core.vocabulary import Seat
from evenodds.players.levels import ladder_of
from evenodds.players.player import Player
from evenodds.policy import SoftmaxPolicy
from evenodds.solver import Solution


class MixPlayer(Player):
    """Samples every pick from the mix of a policy."""

    def __init__(self, policy: Callable[[Any, Seat], Mapping[int, float]], rng: Random) -> None:
        self._policy = policy
        self._rng = rng

    def pick(self, view: View) -> int:
        """A sample of the mix at this position."""
        assert view.seat is not None
        mix = self._policy(view.state, view.seat)
        return self._rng.choices(tuple(mix), tuple(mix.values()))[0]


def level_policy(game: AnyGame, solution: Solution, number: int) -> SoftmaxPolicy:
    """The policy of a level: the exact mix with the probability of the ladder, else softmax."""
    temperature, *exact_shares = ladder_of(game)
    return SoftmaxPolicy(solution, exact_shares[number - 1], temperature)
