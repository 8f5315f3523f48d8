"""Softmax policy: optimal play with some probability, otherwise a softmax over picks."""

from typing import Any

import numpy as np

from evenodds.core.vocabulary import FIRST, Seat
from evenodds.solver.solution import Solution


class SoftmaxPolicy:
    """A policy: the exact mix with the probability `sure`, otherwise a softmax.

    The softmax is over what each pick gives up against the other's exact mix: the warmer, the more
    careless.
    """

    def __init__(self, solution: Solution, sure: float, temperature: float) -> None:
        self.solution = solution
        self.sure = sure
        self.temperature = temperature

    def __call__(self, state: Any, seat: Seat) -> dict[int, float]:
        """The mix of a seat at a position."""
        yields = self.solution.yields(state, seat)
        if not yields:
            return {}
        value = self.solution.value(state) * (1 if seat == FIRST else -1)
        losses = value - np.array(list(yields.values()))
        exact = self.solution.mix(state, seat)
        named = np.array([exact.get(number, 0.0) for number in yields])
        return dict(zip(yields, self.shares(named, losses).tolist(), strict=True))

    def shares(self, named: Any, losses: Any) -> Any:
        """The shares along the last axis: of the named mix, and of what each pick gives up."""
        weights = np.exp(-np.maximum(losses, 0.0) / self.temperature)
        return self.sure * named + (1 - self.sure) * weights / weights.sum(axis=-1, keepdims=True)
