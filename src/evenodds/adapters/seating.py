"""Assignment of agents to seats from match to match."""

from typing import Final

from evenodds.core.terms import BadTerms
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.system.imports import needs
from evenodds.system.text import shorten

with needs("environments"):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

SEATINGS: Final = ("first", "second", "alternate", "random")
"""Always first, always second, in turn beginning with the first, or by chance."""


def check_seating(seating: str | Seat) -> str:
    """A known seating, which may be given as FIRST or SECOND, else `BadTerms`."""
    if isinstance(seating, int) and not isinstance(seating, bool) and seating in SEATS:
        return SEATINGS[seating]
    if not isinstance(seating, str) or seating not in SEATINGS:
        allowed = ", ".join(SEATINGS)
        raise BadTerms(f"seat={shorten(seating)} is not allowed; allowed: {allowed}")
    return seating


def seats_of_agents(
    seating: str, matches_played: ArrayLike, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The seats of agents, each by the number of matches it has played before."""
    if seating == "alternate":
        return np.asarray(matches_played) % 2
    if seating == "random":
        return rng.integers(2, size=np.shape(matches_played))
    return np.full(np.shape(matches_played), SEATINGS.index(seating))
