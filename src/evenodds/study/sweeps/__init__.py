"""Sweeps over rulings: every combination solved and measured; and repairs, which search with them.

May import `claims`, `core`, `figures`, `graph`, `kernels`, `players`, `render`, `solver`,
`system` and `workers`; `study.claims`, `study.metrics` and `study.solved`.
"""

from typing import Final

from evenodds.system.cache_folder import CacheKind

SWEEP_KIND: Final = CacheKind("sweep", "rows of sweeps")
"""Here, and not beside its use: the list of what is cached needs no solver."""
