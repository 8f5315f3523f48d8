"""Numba's CUDA target: device functions, and kernels that are cached on disk."""

import pickle
from contextlib import suppress
from importlib import import_module
from typing import Any

import numba
import numpy as np

from evenodds.kernels.compiler.cache import KernelCache, read_kernel_file, write_kernel_file
from evenodds.kernels.gpu import IS_SIMULATED

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
    found = cuda.jit(function, device=True)
    if not IS_SIMULATED:
        found._cache = GpuKernelCache(function, {"device": True}, is_cached=False)
    return found


def kernel(function: Any) -> Any:
    """A kernel: compiled when it is first called, or read from the cache."""
    found = cuda.jit(function)
    if not IS_SIMULATED:
        found._cache = GpuKernelCache(function, {"device": False}, is_cached=True)
    return found


class GpuKernelCache(KernelCache):
    """The cache of one CUDA kernel."""

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The cached kernel for these argument types; None on a miss."""
        if self._is_cached and self.fingerprint:
            with suppress(Exception):  # whatever is wrong with a file: a miss
                from numba.cuda.dispatcher import _Kernel

                context.refresh()
                body = read_kernel_file(self._path(signature, context.codegen()))
                return _Kernel._rebuild(**pickle.loads(body))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Cache a compiled kernel; a failure only costs another compilation."""
        if self._is_cached and self.fingerprint:
            with suppress(Exception):
                from numba.core import serialize

                body = serialize.dumps(compiled._reduce_states())  # type: ignore[no-untyped-call]
                write_kernel_file(self._path(signature, compiled.codegen), body)
