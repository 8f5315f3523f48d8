"""Policies: how a seat mixes its picks at every position.

A policy is a function from a position and a seat to a mix, a mapping from positions (or from pairs
of position and seat) to mixes, or a solution, which plays its own named mixes. A single number
stands for a mix that always picks it.
"""

from collections.abc import Callable, Mapping
from math import exp
from numbers import Integral, Real
from typing import Any, Final

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.vocabulary import PASS, Seat, Settled, numbers
from evenodds.engine.solution import Solution
from evenodds.figures import VALUE_TOLERANCE
from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

MIX_SUM_TOLERANCE: Final = 1e-6
"""How far the sum of a mix may be from 1: part of the interface, not of the solver.

Numbers of single precision, as networks return them, come as near as that."""


class BadPolicy(EvenOddsError, ValueError):
    """A policy that returns no mix of the legal picks."""


class Uniform:
    """The uniform policy: every legal pick with the same share."""

    def __init__(self, game: GameLike) -> None:
        self.game = catalog.get(game)

    def __call__(self, state: Any, seat: Seat) -> Mapping[int, float]:
        """The mix of a seat at a position."""
        choices = self.game.picks(state, seat)
        return {number: 1 / len(choices) for number in choices}


class SoftmaxPolicy:
    """A policy: the selected mix with the probability `exact_probability`, otherwise a softmax.

    The softmax is over the loss of each pick against the other's selected mix; a higher temperature
    makes large losses likelier. It is for a win and a loss, and grows with what else is at stake.
    """

    def __init__(self, solution: Solution, exact_probability: float, temperature: float) -> None:
        self.solution = solution
        self.exact_probability = exact_probability
        self.temperature = temperature * solution.span / 2

    def __call__(self, state: Any, seat: Seat) -> dict[int, float]:
        """The mix of a seat at a position."""
        yields = self.solution.pick_values(state, seat)
        if not yields:
            return {}
        value = self.solution.value(state, seat)
        weights = [exp(-max(value - gain, 0.0) / self.temperature) for gain in yields.values()]
        careless = (1 - self.exact_probability) / sum(weights)
        exact = self.solution.mix(state, seat)
        return {
            number: self.exact_probability * exact.get(number, 0.0) + careless * weight
            for number, weight in zip(yields, weights, strict=True)
        }

    def shares(self, selected: Any, losses: Any) -> Any:
        """The same along the last axis of arrays, by the selected mix and the loss of each pick."""
        import numpy as np  # for many positions at once; one position needs no NumPy

        if losses.shape[-1] == 1:
            return selected  # nothing to choose
        weights = np.exp(-np.maximum(losses, 0.0) / self.temperature)
        careless = (1 - self.exact_probability) * weights / weights.sum(axis=-1, keepdims=True)
        return self.exact_probability * selected + careless


Policy = (
    Callable[[Any, Seat], Mapping[int, float] | int]
    | Mapping[Any, Mapping[int, float]]
    | Mapping[Any, int]
    | Solution
    | SoftmaxPolicy
)


def solution_of(policy: Policy) -> Solution | None:
    """The solution whose mixes, or a softmax over them, a policy plays; None for others."""
    if isinstance(policy, SoftmaxPolicy):
        return policy.solution
    owner = getattr(policy, "__self__", policy)
    named = policy is owner or policy == getattr(owner, "mix", None)
    return owner if isinstance(owner, Solution) and named else None


def is_policy(value: object) -> bool:
    """Whether this may be a policy."""
    return isinstance(value, Solution | Mapping) or callable(value)


def check_policy(game: AnyGame, rulings: Settled, policy: Policy) -> Policy:
    """The policy; `BadPolicy` where it is none for this game under these rulings."""
    solution = solution_of(policy)
    if solution is not None and (solution.game, solution.rulings) != (game, rulings):
        raise BadPolicy("this solution is of another game or of other rulings")
    if isinstance(policy, Uniform) and policy.game != game:
        raise BadPolicy(f"this policy is for {policy.game.name}, not for {game.name}")
    if is_policy(policy):
        return policy
    raise BadPolicy(
        f"{shorten(policy)} is not a policy; a policy is a function of position and seat, a "
        "mapping of positions to mixes, a solution, Uniform(game) or make_policy(game, name)"
    )


def mix_of(game: AnyGame, policy: Policy, state: Any, seat: Seat) -> dict[int, float]:
    """The mix of a seat, PASS where it has nothing to decide; `BadPolicy` where it is none."""
    choices = numbers(game.legal(state, seat))
    if not choices:
        return {PASS: 1.0}
    mix = _mix_from(policy, state, seat)
    is_pick = _is_whole(mix)
    if is_pick and mix in choices:
        return {int(mix): 1.0}
    if is_pick or not _is_mix(mix, choices):
        said = f"{shorten(mix)} is not {'one' if is_pick else 'a mix'} of"
        raise BadPolicy(f"{said} {', '.join(map(str, choices))} at {state}")
    found = {int(number): float(share) for number, share in mix.items()}
    total = sum(found.values())
    if abs(total - 1) <= VALUE_TOLERANCE:
        return found
    return {number: share / total for number, share in found.items()}


def _is_mix(mix: Any, choices: tuple[int, ...]) -> bool:
    """Whether these are shares of legal picks that sum to 1."""
    return (
        isinstance(mix, Mapping)
        and all(map(_is_whole, mix))
        and all(isinstance(share, Real) for share in mix.values())
        and all(0 <= share <= 1 + MIX_SUM_TOLERANCE for share in mix.values())
        and abs(sum(map(float, mix.values())) - 1) <= MIX_SUM_TOLERANCE
        and set(mix) <= set(choices)
    )


def _is_whole(number: Any) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def _mix_from(policy: Policy, state: Any, seat: Seat) -> Any:
    if isinstance(policy, Solution):
        return policy.mix(state, seat)
    if callable(policy):
        return policy(state, seat)
    try:
        return policy[state, seat] if (state, seat) in policy else policy[state]
    except KeyError:
        raise BadPolicy(f"the policy has no mix at {state}") from None
