"""Numba's CUDA target: device functions, and kernels that are cached on disk."""

from importlib import import_module
from typing import Any

import numba
import numpy as np

from evenodds.core.digests import code_digest, digest, function_digest
from evenodds.engine.gpu import IS_SIMULATED
from evenodds.engine.numba_cache import KERNEL_CODE, can_be_kept, forgiving, named

# numba-cuda 0.30 asks NumPy for names that it dropped in 2.5.
for _old, _new in (("row_stack", "vstack"), ("trapz", "trapezoid"), ("in1d", "isin")):
    if not hasattr(np, _old):
        setattr(np, _old, getattr(np, _new))

cuda: Any = import_module("numba.cuda")
"""Untyped: it makes its names when it is imported."""
config: Any = numba.config
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # the first and last layers of a game are small


def device_function(function: Any) -> Any:
    """A function that kernels call."""
    return cuda.jit(_named(function), device=True)


def kernel(function: Any) -> Any:
    """A kernel: compiled when it is first called, or read from the cache."""
    if IS_SIMULATED:
        return cuda.jit(function)
    function = _named(function)
    return Launcher(cuda.jit(function, cache=can_be_kept(function, "numba-cuda")))


class Launcher:
    """A kernel that does without the cache where that fails."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    def __getitem__(self, shape: Any) -> Any:
        return forgiving(self._kernel[shape])


def _named(function: Any) -> Any:
    if hasattr(function, "digest"):
        return function
    return named(function, digest(code_digest(*KERNEL_CODE), function_digest(function)))
