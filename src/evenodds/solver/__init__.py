"""The exact solver: every position of a game, from the same rules that play uses.

What others may use is named here; the modules of this package are its own. Importing the package
takes nothing: NumPy is loaded with the first name that needs it.
"""

from typing import TYPE_CHECKING

from evenodds.system.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.core.validation import BadGame
    from evenodds.graph.positions import TooLarge, memory_limit
    from evenodds.kernels.threads import Progress, silent
    from evenodds.solver.solution import Matrix, Mix, Solution, Unreachable
    from evenodds.solver.solving import solve, solve_settled
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.core.validation": "BadGame",
            "evenodds.graph.positions": "TooLarge memory_limit",
            "evenodds.kernels.threads": "Progress silent",
            "evenodds.solver.solution": "Matrix Mix Solution Unreachable",
            "evenodds.solver.solving": "solve solve_settled",
        },
    )

__all__ = [
    "BadGame",
    "Matrix",
    "Mix",
    "Progress",
    "Solution",
    "TooLarge",
    "Unreachable",
    "memory_limit",
    "silent",
    "solve",
    "solve_settled",
]
