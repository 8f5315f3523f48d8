"""Estimates from samples with 95% confidence intervals."""

from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

Z_SCORE_95: Final = 1.959963984540054
"""Standard deviations of a two-sided 95% interval."""


class Estimate(NamedTuple):
    """A sampled figure with its 95% confidence interval."""

    value: float
    low: float
    high: float


def share(count: int, of: int) -> Estimate:
    """A share with Wilson's interval, which also holds near 0 and 1."""
    value = count / of
    middle = (value + Z_SCORE_95**2 / (2 * of)) / (1 + Z_SCORE_95**2 / of)
    spread = (
        Z_SCORE_95
        * sqrt(value * (1 - value) / of + (Z_SCORE_95 / (2 * of)) ** 2)
        / (1 + Z_SCORE_95**2 / of)
    )
    low = 0.0 if count == 0 else max(0.0, middle - spread)
    high = 1.0 if count == of else min(1.0, middle + spread)
    return Estimate(value, low, high)


def mean(counts: Mapping[int, int]) -> Estimate:
    """The mean of counted figures, with the interval of the normal approximation."""
    total = sum(counts.values())
    value = sum(figure * count for figure, count in counts.items()) / total
    spread = sum(count * (figure - value) ** 2 for figure, count in counts.items())
    half = Z_SCORE_95 * sqrt(spread / max(1, total - 1) / total)
    return Estimate(value, value - half, value + half)


def score(counts: Mapping[float, int]) -> Estimate:
    """The mean of counted scores between 0 and 1, by Agresti and Coull's interval.

    Nearly four observations are added, half of them 0 and half 1, so that the interval holds also
    where all scores are equal.
    """
    total = sum(counts.values())
    value = sum(figure * count for figure, count in counts.items()) / total
    more = Z_SCORE_95**2 / 2
    size = total + 2 * more
    middle = (value * total + more) / size
    squares = (sum(figure**2 * count for figure, count in counts.items()) + more) / size
    half = Z_SCORE_95 * sqrt(max(0.0, squares - middle**2) / size)
    return Estimate(value, max(0.0, middle - half), min(1.0, middle + half))
