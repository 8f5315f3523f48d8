"""Compilation of kernels with the rules of a game, and the cache of compiled kernels on disk.

The only modules that import Numba.
"""

from typing import Final

from evenodds.system.cache_folder import CacheKind

KERNEL_KIND: Final = CacheKind("nbc", "compiled loops")
"""Here, and not beside its use: the list of what is cached needs no compiler."""
