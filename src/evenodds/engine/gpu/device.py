"""The GPU of this machine and its memory.

Where kernels are simulated, NumPy stands in for CuPy; so only what both have is used.
"""

from importlib.util import find_spec
from typing import Any, Final

from evenodds.engine.gpu import IS_SIMULATED
from evenodds.system.errors import EvenOddsError
from evenodds.system.imports import needs

SIMULATED_MEMORY: Final = 1 << 28
THREADS_PER_PROCESSOR: Final = 2048
"""As many as can be resident: more would only wait."""


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
            import numba_cuda  # noqa: F401
        array_module()
    if not is_gpu_there():
        raise NoGpu("CUDA finds no NVIDIA GPU on this machine; solve with --device cpu")


def array_module() -> Any:
    """CuPy, or NumPy where kernels are simulated."""
    if IS_SIMULATED:
        import numpy

        return numpy
    with needs("gpu"):
        import cupy
    return cupy


def to_host(array: Any) -> Any:
    """The array in the memory of the processor."""
    return array if IS_SIMULATED else array.get()


def free_memory() -> int:
    """Bytes of device memory that can be taken."""
    if IS_SIMULATED:
        return SIMULATED_MEMORY
    cupy = array_module()
    free: int = cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes()
    return free


def grid_for(block: int) -> int:
    """Blocks of so many threads that fill the device."""
    if IS_SIMULATED:
        return 2
    processors: int = array_module().cuda.Device().attributes["MultiProcessorCount"]
    return processors * THREADS_PER_PROCESSOR // block


def is_for_gpu(device: str, is_large: bool) -> bool:
    """Whether the GPU is asked for, or is there and the work large enough for it."""
    if device == "gpu":
        require_gpu()
    return device == "gpu" or (device == "auto" and is_large and is_gpu_there())
