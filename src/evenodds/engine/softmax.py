"""Softmax policy: optimal play with some probability, otherwise a softmax over picks."""

from math import exp
from typing import Any

from evenodds.core.vocabulary import FIRST, Seat
from evenodds.engine.solution import Solution


class SoftmaxPolicy:
    """A policy: the selected mix with the probability `exact_probability`, otherwise a softmax.

    The softmax is over the loss of each pick against the other's selected mix; a higher temperature
    makes large losses likelier.
    """

    def __init__(self, solution: Solution, exact_probability: float, temperature: float) -> None:
        self.solution = solution
        self.exact_probability = exact_probability
        self.temperature = temperature

    def __call__(self, state: Any, seat: Seat) -> dict[int, float]:
        """The mix of a seat at a position."""
        yields = self.solution.yields(state, seat)
        if not yields:
            return {}
        value = self.solution.value(state) * (1 if seat == FIRST else -1)
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
        return self.exact_probability * selected + (
            1 - self.exact_probability
        ) * weights / weights.sum(axis=-1, keepdims=True)
