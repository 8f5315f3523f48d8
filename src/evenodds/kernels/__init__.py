"""Loops over positions: plain Python, compiled by Numba together with the rules of a game.

What other packages may use is named here; the modules are closed to them. Importing the package
takes nothing: each module is loaded with the first of its names that is asked for.
"""

from typing import TYPE_CHECKING

from evenodds.system.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.kernels.compile import loops_of, pusher
    from evenodds.kernels.keys import fields_of
    from evenodds.kernels.rng import stream
    from evenodds.kernels.threads import Progress, crew, pieces_of, silent
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.kernels.compile": "loops_of pusher",
            "evenodds.kernels.keys": "fields_of",
            "evenodds.kernels.rng": "stream",
            "evenodds.kernels.threads": "Progress crew pieces_of silent",
        },
    )

__all__ = [
    "Progress",
    "crew",
    "fields_of",
    "loops_of",
    "pieces_of",
    "pusher",
    "silent",
    "stream",
]
