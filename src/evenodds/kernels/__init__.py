"""Loops over positions: plain Python, compiled by Numba together with the rules of a game.

What other packages may use is named here; the modules are closed to them. Importing the package
takes nothing: each module is loaded with the first of its names that is asked for.
"""

from typing import TYPE_CHECKING

from evenodds.system.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from evenodds.kernels.compile import kernels_of, mass_flow_kernel
    from evenodds.kernels.keys import fields_of
    from evenodds.kernels.rng import stream
    from evenodds.kernels.threads import Progress, silent, split_range, worker_threads
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.kernels.compile": "kernels_of mass_flow_kernel",
            "evenodds.kernels.keys": "fields_of",
            "evenodds.kernels.rng": "stream",
            "evenodds.kernels.threads": "Progress worker_threads split_range silent",
        },
    )

__all__ = [
    "Progress",
    "fields_of",
    "kernels_of",
    "mass_flow_kernel",
    "silent",
    "split_range",
    "stream",
    "worker_threads",
]
