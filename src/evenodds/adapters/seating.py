"""Assignment of agents to seats from match to match."""

from typing import Any, Final

from evenodds.core.terms import BadTerms
from evenodds.system.extras import needs
from evenodds.system.text import brief

with needs("environments"):
    import numpy as np

SEATINGS: Final = ("first", "second", "alternate", "random")
"""Always first, always second, in turn beginning with the first, or by chance."""


def check_seating(seating: str) -> str:
    """A way to be seated that there is."""
    if seating not in SEATINGS:
        allowed = ", ".join(SEATINGS)
        raise BadTerms(f"seat={brief(seating)} is not allowed; allowed: {allowed}")
    return seating


def seats_of_agents(seating: str, before: Any, chance: Any) -> Any:
    """The seats of agents who have played so many matches before."""
    if seating == "alternate":
        return np.asarray(before) % 2
    if seating == "random":
        return chance.integers(2, size=np.shape(before))
    return np.full(np.shape(before), SEATINGS.index(seating))
