"""The players of an arena plan: known policies with cached mixes, and all other players."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from random import Random
from types import MappingProxyType

from evenodds.arena.losses import Losses
from evenodds.arena.schedule import Plan, plan_of
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import Seat
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.players.llm.budget import Budget
from evenodds.players.player import MixPlayer, Player
from evenodds.players.reader.memory import NoMemory
from evenodds.players.registry import cannot_play, is_exact, opponent, pick_timeout_s
from evenodds.policy import mix_of
from evenodds.solver import NotSolved, Solution, solution_for
from evenodds.system.progress import Progress


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
            if (policy := policy_of(plan.game, player, lambda: self.solution)) is not None
        }
        """The policies of players that depend on the position alone, by their places."""
        self._mixes = {
            place: cache(partial(mix_of, plan.game, policy))
            for place, policy in self.policies.items()
        }
        """The same, evaluated once for each position."""

    def create_player(
        self, place: int, terms: Terms, seat: Seat, bout_seed: str, keep: Callable[[str], None]
    ) -> Player:
        """A player for one match; `CannotPlay` where an external one does not start.

        The random numbers belong to the seat, not to the player: in the two matches of a bout both
        players get the same ones in turn, which lowers the variance of their difference. The
        dialogue of a model goes to `keep`.
        """
        player = self._players[place]
        rng = Random(f"{bout_seed}/{seat}")
        if place in self._mixes:
            return MixPlayer(self._mixes[place], rng)
        return opponent(
            player,
            terms,
            seat,
            rng,
            bot_seconds=pick_timeout_s(str(player), self.plan.seconds),
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
