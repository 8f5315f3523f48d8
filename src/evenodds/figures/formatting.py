"""Shares, counts and lists as parts of sentences."""

from evenodds.figures.tolerance import VALUE_TOLERANCE


def percent(share: float, digits: int = 1) -> str:
    """A share as per cent: `12.5%`, `50%`; only 0 and 1 themselves are shown as 0% and 100%."""
    least = 10.0**-digits
    shown = round(100.0 * share, digits)
    if share > VALUE_TOLERANCE and shown == 0:
        return f"<{least:.{digits}f}%"
    if share < 1 - VALUE_TOLERANCE and shown == 100:
        return f">{100 - least:.{digits}f}%"
    return f"{shown:.0f}%" if shown.is_integer() else f"{shown:.{digits}f}%"


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
