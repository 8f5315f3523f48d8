"""The levels at which a computer plays any game, and the ladder of a game: how careless each is."""

from math import inf
from typing import Any, Final

from evenodds.system.text import shorten

LEVELS: Final = range(1, 9)
"""The strengths at which the computer plays any game."""
DEFAULT_LADDER: Final = (1.0, 0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88, 1.0)
"""The softmax temperature, then for each level the probability of the exact mix."""


def ladder_fault(ladder: Any) -> str:
    """What is wrong with the ladder that a game declares, in one line; empty where nothing is."""
    if ladder == () or _is_ladder(ladder):
        return ""
    wanted = f"{len(DEFAULT_LADDER)} numbers: one above 0, then {len(LEVELS)} from 0 to 1"
    return f"ladder must be {wanted}, not {shorten(repr(ladder), 80)}"


def _is_ladder(ladder: Any) -> bool:
    if not isinstance(ladder, tuple) or len(ladder) != len(DEFAULT_LADDER):
        return False
    if not all(isinstance(number, int | float) for number in ladder):
        return False
    return 0 < ladder[0] < inf and all(0 <= chance <= 1 for chance in ladder[1:])
