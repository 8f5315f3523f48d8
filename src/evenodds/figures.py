"""Numbers that are shown: tolerance, in sentences, as JSON data, and estimates from samples."""

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final, NamedTuple

VALUE_TOLERANCE: Final = 1e-9
"""Values and scores this near to each other are equal: what the solver certifies."""
Z_SCORE_95: Final = 1.959963984540054
"""Standard deviations of a two-sided 95% interval."""


def percent(share: float, digits: int = 1) -> str:
    """A share as per cent: `12.5%`, `50%`; only 0 and 1 themselves are shown as 0% and 100%."""
    least = 10.0**-digits
    shown = round(100.0 * share, digits)
    if share > VALUE_TOLERANCE and shown == 0:
        return f"<{least:.{digits}f}%"
    if share < 1 - VALUE_TOLERANCE and shown == 100:
        return f">{100 - least:.{digits}f}%"
    return f"{shown:.0f}%" if shown.is_integer() else f"{shown:.{digits}f}%"


def percent_of_possible(share: float) -> str:
    """The share of what can happen as per cent: however seldom it does, never `0%`."""
    return percent(max(share, 2 * VALUE_TOLERANCE))


def points(number: float) -> str:
    """Points: `2.3 points`, `-1 point`, `0.02 points`."""
    exact = round(number, 9) + 0.0  # neither a rounding error nor minus zero
    shown = f"{exact:{'.1f' if abs(exact) >= 0.1 else '.1g'}}".removesuffix(".0")
    return f"{shown} point{'' if shown in ('1', '-1') else 's'}"


def counted(count: int, things: str) -> str:
    """A count with its noun: `1 round`, `5 rounds`."""
    return f"{count:,} {things if count != 1 else things.removesuffix('s')}"


def join_first(words: list[str], limit: int = 4) -> str:
    """The first words as a list in a sentence, followed by the number of the others."""
    left = len(words) - limit
    others = [] if left <= 0 else ["another" if left == 1 else f"{left} others"]
    return join_words(words[:limit] + others)


def join_words(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


class Estimate(NamedTuple):
    """A sampled figure with its 95% confidence interval."""

    value: float
    low: float
    high: float


def share(count: int, of: int) -> Estimate:
    """A share with Wilson's interval, which also holds near 0 and 1."""
    value, scale = count / of, 1 + Z_SCORE_95**2 / of
    middle = (value + Z_SCORE_95**2 / (2 * of)) / scale
    spread = Z_SCORE_95 * sqrt(value * (1 - value) / of + (Z_SCORE_95 / (2 * of)) ** 2) / scale
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


def to_data(value: Any) -> Any:
    """Figures as JSON data: named tuples as objects, other tuples as lists, keys as text."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): to_data(part) for key, part in value.items()}
    return [to_data(part) for part in value] if isinstance(value, list | tuple) else value
