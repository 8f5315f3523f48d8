"""Numba's CUDA target: functions of the device, and kernels that are cached on disk.

A kernel of ours is called like one of the processor, and runs on the whole device.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any, Final

import numpy as np

from evenodds.engine.compile import Compiler
from evenodds.engine.gpu.device import IS_SIMULATED, launch_shape
from evenodds.engine.numba_cache import kept

cuda: Any = import_module("numba.cuda")
"""Untyped: it makes its names when it is imported."""


@contextmanager
def row_stack_lent() -> Iterator[None]:
    """Lend NumPy a name that it dropped in 2.5.

    numba-cuda 0.30 asks for it when the most of it is imported, at the first launch.
    """
    lent = {} if hasattr(np, "row_stack") else {"row_stack": np.vstack}
    vars(np).update(lent)
    try:
        yield
    finally:
        for name in lent:
            vars(np).pop(name, None)


def compile_for_device(function: Any, is_kernel: bool) -> Any:
    """A named function: a kernel of ours, or what it calls, such as kernels of the processor.

    `BLOCK` in the namespace of a kernel is how many threads run in a block.
    """
    if not is_kernel or not function.__module__.startswith(__package__):
        return cuda.jit(function, device=True)
    compiled = cuda.jit(function)
    if not IS_SIMULATED:
        kept(compiled, function, "numba.cuda.dispatcher", "CUDACache")

    @wraps(function)
    def launch(*given: Any) -> None:
        with row_stack_lent():
            compiled[launch_shape(function.__globals__["BLOCK"])](*given)

    return launch


ON_DEVICE: Final = Compiler(compile_for_device)
