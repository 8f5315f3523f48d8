"""The levels and the other players that are policies: the ladder of skill, and name to policy."""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.record import View
from evenodds.core.vocabulary import Seat
from evenodds.engine.policies import Policy, SoftmaxPolicy, Uniform
from evenodds.engine.solution import Solution
from evenodds.players.player import Player, sample
from evenodds.system.cache_folder import PRECOMPUTED

DEFAULT_LADDER: Final = (1.0, 0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88, 1.0)
"""The softmax temperature, then for each level the probability of the exact mix."""
LADDERS: Final = PRECOMPUTED / "ladders.json"
"""The ladders of our games by name, not by a digest: a changed rule leaves the levels as they are.
`make precomputed LADDERS=1` computes them: each level scores the same against the one below."""

PlayerLike = str | Policy
"""How callers say who plays: by the name of a player, or by a policy of their own."""


def ladder_of(game: AnyGame) -> tuple[float, ...]:
    """The ladder that a game declares, else the precomputed one, else `DEFAULT_LADDER`."""
    return game.ladder or _precomputed_ladders().get(game.name, DEFAULT_LADDER)


@cache
def _precomputed_ladders() -> dict[str, tuple[float, ...]]:
    import json  # only levels need it: not at the first prompt

    read = json.loads(LADDERS.read_text(encoding="utf-8"))
    return {name: tuple(ladder) for name, ladder in read.items()}


def level_policy(game: AnyGame, solution: Solution, number: int) -> SoftmaxPolicy:
    """The policy of a level: the exact mix with the probability of the ladder, else softmax."""
    temperature, *exact_shares = ladder_of(game)
    return SoftmaxPolicy(solution, exact_shares[number - 1], temperature)


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
        return lambda state, seat: game.picks(state, seat)[-1]
    if kind not in ("level", "perfect"):
        return None
    solution = solve()
    if solution is None:
        return None
    return level_policy(game, solution, int(number)) if number else solution.mix


class MixPlayer(Player):
    """Samples every pick from the mix of a policy."""

    def __init__(self, policy: Callable[[Any, Seat], Mapping[int, float]], rng: Random) -> None:
        self._policy = policy
        self._rng = rng

    def pick(self, view: View) -> int:
        """A sample of the mix at this position."""
        assert view.seat is not None
        return sample(self._policy(view.state, view.seat), self._rng)
