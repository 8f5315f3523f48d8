"""What checks and measurements on a GPU need of a machine, which may have little installed."""

import sys
from importlib.util import find_spec
from typing import Final

import evenodds
from evenodds.engine.gpu.device import IS_SIMULATED

LIBRARIES: Final = ("numpy", "scipy", "numba", *(() if IS_SIMULATED else ("numba_cuda", "cupy")))
EXIT_MISSING: Final = 2


def require_gpu_machine() -> None:
    """Exit with one line that names what is missing, and how to add it."""
    for name in LIBRARIES:
        if find_spec(name) is None:
            _exit(
                f"this needs {name}, which {sys.executable} lacks; "
                f"add all it needs with: {sys.executable} -m pip install '.[gpu]' scipy"
            )
    try:
        evenodds.matrix.solve([[0.0]], device="gpu")
    except evenodds.EvenOddsError as error:
        _exit(str(error))


def _exit(problem: str) -> None:
    sys.stderr.write(f"{problem}\n")
    sys.exit(EXIT_MISSING)
