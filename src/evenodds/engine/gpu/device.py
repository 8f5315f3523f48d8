"""The GPU of this machine and its memory.

With `NUMBA_ENABLE_CUDASIM=1` the simulator of numba-cuda runs kernels as Python functions, and
NumPy stands in for CuPy; so only what both have is used.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from evenodds.system import EvenOddsError
from evenodds.system.imports import needs

IS_SIMULATED: Final = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
SIMULATED_MEMORY: Final = 1 << 28
THREADS_PER_PROCESSOR: Final = 2048
"""As many as can be resident: more would only wait."""
MIN_BLOCKS: Final = 128
"""Numba warns of fewer, though they fill a device of a few processors."""
MATRIX_SIZES: Final = (4, 8, 10, 12, 16, 24, 32, 48)
"""Kernels are compiled for matrices up to one of these sizes."""


class NoGpu(EvenOddsError, RuntimeError):
    """No GPU, though one was asked for."""


def is_gpu_there() -> bool:
    """Whether kernels can run; imports nothing where the extra `gpu` is not installed."""
    if IS_SIMULATED:
        return True
    if not all(map(find_spec, ("cupy", "numba_cuda"))):
        return False
    try:
        return bool(array_module().cuda.runtime.getDeviceCount())
    except Exception:  # the driver is missing, too old or broken
        return False


def require_gpu() -> None:
    """`MissingExtra` or `NoGpu` where kernels cannot run."""
    if not IS_SIMULATED:
        with needs("gpu"):
            import_module("numba_cuda")
        array_module()
    if not is_gpu_there():
        raise NoGpu("CUDA finds no NVIDIA GPU on this machine; solve with --device cpu")


def array_module() -> Any:
    """CuPy, or NumPy where kernels are simulated."""
    with needs("gpu"):
        return import_module("numpy" if IS_SIMULATED else "cupy")


def to_host(array: Any) -> Any:
    """The array in the memory of the processor."""
    return array if IS_SIMULATED else array.get()


def free_memory() -> int:
    """Bytes of device memory that can be taken."""
    if IS_SIMULATED:
        return SIMULATED_MEMORY
    cupy = array_module()
    return int(cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes())


def launch_shape(block: int) -> tuple[int, int]:
    """Blocks of so many threads that fill the device, and the threads of each."""
    if IS_SIMULATED:
        return 2, 1
    processors: int = array_module().cuda.Device().attributes["MultiProcessorCount"]
    return max(MIN_BLOCKS, processors * THREADS_PER_PROCESSOR // block), block


def is_for_gpu(device: str, is_large: bool) -> bool:
    """Whether the GPU is asked for, or is there and the work large enough for it."""
    if device == "gpu":
        require_gpu()
    return device == "gpu" or (device == "auto" and is_large and is_gpu_there())
