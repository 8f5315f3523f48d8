"""Sweeps over rulings: every combination solved and measured; repairs, which search with them."""

from typing import Final

from evenodds.study.study import STUDY_CODE
from evenodds.system.cache_folder import CacheKind

SWEEP_KIND: Final = CacheKind("sweep", "rows of sweeps", STUDY_CODE)
"""Here, and not beside its use: the list of what is cached needs no solver."""
