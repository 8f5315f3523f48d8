"""CUDA kernels: the rules of a game and the matrix solver compiled for an NVIDIA GPU.

With `NUMBA_ENABLE_CUDASIM=1` the simulator of numba-cuda runs them as Python functions.
"""

import os
from typing import Final

IS_SIMULATED: Final = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
"""Whether the simulator stands in for a GPU. It has no lanes that exchange values."""
