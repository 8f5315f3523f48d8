"""Kernels: loops over positions in plain Python, compiled by Numba with the rules of a game.

Also packed position keys, random streams, worker threads and the cache of compiled kernels. May
import `matrix`, `core` and `system`. Other packages use the names below (only `graph`, `solver` and
`policy` may import the modules); each module is imported when one of its names is first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.kernels.compiler.cache import KERNEL_KIND
    from evenodds.kernels.compiler.compile import kernels_of, mass_flow_kernel
    from evenodds.kernels.position_keys import fields_of
    from evenodds.kernels.rng import stream
    from evenodds.kernels.threads import split_range, worker_threads
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.kernels.compiler.cache": "KERNEL_KIND",
            "evenodds.kernels.compiler.compile": "kernels_of mass_flow_kernel",
            "evenodds.kernels.position_keys": "fields_of",
            "evenodds.kernels.rng": "stream",
            "evenodds.kernels.threads": "worker_threads split_range",
        },
    )

__all__ = [
    "KERNEL_KIND",
    "fields_of",
    "kernels_of",
    "mass_flow_kernel",
    "split_range",
    "stream",
    "worker_threads",
]
