"""The players of an arena plan: known policies with cached mixes, and all other players."""

import json
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from evenodds.arena.losses import Losses
from evenodds.arena.schedule import Plan, plan_of
from evenodds.core.record import View
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import Seat
from evenodds.players.fixed_policies import policy_of
from evenodds.players.llm.budget import Budget
from evenodds.players.player import Player
from evenodds.players.reader.memory import NoMemory
from evenodds.players.registry import cannot_play, is_exact, is_external, opponent, pick_timeout_s
from evenodds.solver import NotSolved, Progress, Solution, solution_for


class PolicyPlayer(Player):
    """Draws every pick from the mix of a policy, which is asked once for each position."""

    def __init__(self, mixes: "CachedMixes", chance: Random) -> None:
        self._mixes = mixes
        self._chance = chance

    def pick(self, view: View) -> int:
        """One number of the mix at this position."""
        assert view.seat is not None
        numbers, shares = self._mixes.at(view.state, view.seat)
        return self._chance.choices(numbers, cum_weights=shares)[0]


class CachedMixes:
    """What a policy plays at the positions that have come up."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy
        self._known: dict[tuple[Any, Seat], tuple[tuple[int, ...], list[float]]] = {}

    def at(self, state: Any, seat: Seat) -> tuple[tuple[int, ...], list[float]]:
        """The numbers of a mix, and their shares added up."""
        known = self._known.get((state, seat))
        if known is None:
            mix = self._policy(state, seat)
            known = self._known[state, seat] = tuple(mix), list(accumulate(mix.values()))
        return known


class Entrants:
    """The players of a plan, on ground that is prepared once."""

    def __init__(
        self, plan: Plan, progress: Progress | None = None, budget: Budget | None = None
    ) -> None:
        self.plan = plan
        self._budget = budget
        self.labels = plan.labels
        self.solution = _solution(plan, progress)
        self.losses = Losses(self.solution) if self.solution else None
        self._mixes = {
            name: CachedMixes(policy)
            for name in plan.players
            if (policy := policy_of(plan.game, name, self.solution)) is not None
        }

    def sit(
        self, place: int, terms: Terms, seat: Seat, luck: str, keep: Callable[[str], None]
    ) -> Player:
        """A player in a seat, ready for one match; `CannotPlay` from one who does not come.

        Luck belongs to the seat: what helps one player in the first match of a bout helps the
        other in the second. What a model hears and says goes to `keep`.
        """
        name = self.plan.players[place]
        chance = Random(f"{luck}/{seat}")
        if name in self._mixes:
            return PolicyPlayer(self._mixes[name], chance)
        return opponent(
            name,
            terms,
            seat,
            chance,
            bot_seconds=pick_timeout_s(name, self.plan.seconds) if is_external(name) else None,
            solution=self.solution,
            memory=NoMemory(),
            keep=keep,
            budget=self._budget,
        )


@cache
def entrants_of(told: str, spending: str) -> Entrants:
    """The players of a plan told as JSON, prepared once in a process.

    What models cost is counted in the file `spending`, if there is one.
    """
    budget = Budget(file=Path(spending)) if spending else None
    return Entrants(plan_of(json.loads(told)), budget=budget)


def _solution(plan: Plan, progress: Progress | None) -> Solution | None:
    """The exact values, against which picks are held; None where they cannot be had."""
    try:
        return solution_for(agree(plan.game)._replace(rulings=plan.rulings), progress)
    except NotSolved as error:
        exact = next(filter(is_exact, plan.players), None)
        if exact:
            raise cannot_play(exact, error) from None
        return None
