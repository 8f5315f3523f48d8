"""Policies: how a seat mixes its picks at every position.

A policy is a function from a position and a seat to a mix, a mapping from positions (or from pairs
of position and seat) to mixes, or a solution, which plays its own named mixes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver.solution import Solution
from evenodds.vocabulary import PASS, Seat, numbers

Policy = Callable[[Any, Seat], Mapping[int, float]] | Mapping[Any, Mapping[int, float]] | Solution

CLOSE: Final = 1e-9
"""How nearly a mix must add up to one."""


class BadPolicy(ValueError):
    """A policy whose answer is no mix of the numbers open to it."""


class Uniform:
    """Every number open to a seat with the same share."""

    def __init__(self, game: AnyGame | str) -> None:
        self.game = catalog.get(game) if isinstance(game, str) else game

    def __call__(self, state: Any, seat: Seat) -> Mapping[int, float]:
        """The same share for each number."""
        choices = self.game.picks(state, seat)
        return {number: 1 / len(choices) for number in choices}


def solution_of(policy: Policy) -> Solution | None:
    """The solution whose named mixes a policy plays, if that is what it does."""
    owner = getattr(policy, "__self__", policy)
    named = policy is owner or policy == getattr(owner, "mix", None)
    return owner if isinstance(owner, Solution) and named else None


def mix_of(game: AnyGame, policy: Policy, state: Any, seat: Seat) -> dict[int, float]:
    """The mix of a seat, PASS where it has nothing to decide; what is no mix is refused."""
    choices = numbers(game.legal(state, seat))
    if not choices:
        return {PASS: 1.0}
    mix = _asked(policy, state, seat)
    strange = [number for number in mix if number not in choices]
    if strange or not abs(sum(mix.values()) - 1) <= CLOSE or min(mix.values()) < 0:
        raise BadPolicy(f"{dict(mix)} is no mix of {', '.join(map(str, choices))} at {state}")
    return dict(mix)


def _asked(policy: Policy, state: Any, seat: Seat) -> Mapping[int, float]:
    if isinstance(policy, Solution):
        return policy.mix(state, seat)
    if callable(policy):
        return policy(state, seat)
    try:
        return policy[state, seat] if (state, seat) in policy else policy[state]
    except KeyError:
        raise BadPolicy(f"the policy has no mix at {state}") from None
