"""The players of an arena plan: known policies with cached mixes, and all other players."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from evenodds.arena.losses import Losses
from evenodds.arena.schedule import Plan, plan_of
from evenodds.core.catalog import AnyGame
from evenodds.core.record import View
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import Seat
from evenodds.players.exact import MixPlayer
from evenodds.players.fixed_policies import PlayerLike, policy_of
from evenodds.players.llm.budget import Budget
from evenodds.players.player import Player
from evenodds.players.reader.memory import NoMemory
from evenodds.players.registry import cannot_play, is_exact, is_external, opponent, pick_timeout_s
from evenodds.policy import Policy, mix_of
from evenodds.solver import NotSolved, Solution, solution_for
from evenodds.system.progress import Progress


class PolicyPlayer(Player):
    """Samples every pick from a policy, which is evaluated once for each position."""

    def __init__(self, mixes: "CachedMixes", rng: Random) -> None:
        self._mixes = mixes
        self._rng = rng

    def pick(self, view: View) -> int:
        """A number sampled from the mix at this position."""
        assert view.seat is not None
        numbers, shares = self._mixes.at(view.state, view.seat)
        return self._rng.choices(numbers, cum_weights=shares)[0]


class CachedMixes:
    """The mixes of a policy at the positions seen so far."""

    def __init__(self, game: AnyGame, policy: Policy) -> None:
        self._game = game
        self._policy = policy
        self._known: dict[tuple[Any, Seat], tuple[tuple[int, ...], list[float]]] = {}

    def at(self, state: Any, seat: Seat) -> tuple[tuple[int, ...], list[float]]:
        """The numbers of a mix, and their cumulative shares."""
        known = self._known.get((state, seat))
        if known is None:
            mix = mix_of(self._game, self._policy, state, seat)
            known = self._known[state, seat] = tuple(mix), list(accumulate(mix.values()))
        return known


class Entrants:
    """The players of a plan; solution and policies are prepared once.

    `own` holds players by the names that the plan gives them, where those are no names of players.
    """

    def __init__(
        self,
        plan: Plan,
        progress: Progress | None = None,
        budget: Budget | None = None,
        own: Mapping[str, PlayerLike] = MappingProxyType({}),
    ) -> None:
        self.plan = plan
        self._players = [own.get(name, name) for name in plan.players]
        self._budget = budget
        self.labels = plan.labels
        self.solution = _solution(plan, progress)
        self.losses = Losses(self.solution) if self.solution else None
        self.policies = {
            place: policy
            for place, player in enumerate(self._players)
            if (policy := policy_of(plan.game, player, self.solution)) is not None
        }
        """The policies of players that depend on the position alone, by their places."""
        self._mixes = {
            place: CachedMixes(plan.game, policy) for place, policy in self.policies.items()
        }

    def create_player(
        self, place: int, terms: Terms, seat: Seat, bout_seed: str, keep: Callable[[str], None]
    ) -> Player:
        """A player for one match; `CannotPlay` where an external one does not start.

        The random numbers belong to the seat, not to the player: in the two matches of a bout both
        players get the same ones in turn, which lowers the variance of their difference. The
        dialogue of a model goes to `keep`.
        """
        name = self._players[place]
        rng = Random(f"{bout_seed}/{seat}")
        if place in self._mixes:
            return PolicyPlayer(self._mixes[place], rng)
        if not isinstance(name, str):
            return MixPlayer(partial(mix_of, self.plan.game, name), rng)
        return opponent(
            name,
            terms,
            seat,
            rng,
            bot_seconds=pick_timeout_s(name, self.plan.seconds) if is_external(name) else None,
            solution=self.solution,
            memory=NoMemory(),
            log_line=keep,
            budget=self._budget,
        )


@cache
def entrants_of(plan_json: str, spending: str) -> Entrants:
    """The players of a plan given as JSON, prepared once in a process.

    The costs of models are counted in the file `spending`, if there is one.
    """
    budget = Budget(file=Path(spending)) if spending else None
    return Entrants(plan_of(json.loads(plan_json)), budget=budget)


def _solution(plan: Plan, progress: Progress | None) -> Solution | None:
    """The solution by which losses are computed; None where the game cannot be solved."""
    try:
        return solution_for(agree(plan.game)._replace(rulings=plan.rulings), progress)
    except NotSolved as error:
        exact = next(filter(is_exact, plan.players), None)
        if exact:
            raise cannot_play(exact, error) from None
        return None
