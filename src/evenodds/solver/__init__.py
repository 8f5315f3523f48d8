"""The exact solver: values and optimal mixes of every position, from the rules that play uses.

Other packages import the names below, never the modules; each module is imported when one of its
names is first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports import lazy_attributes

if TYPE_CHECKING:
    from evenodds.solver.interpreted import StateGraph
    from evenodds.solver.lost_positions import CHANCE_DIGITS, MAX_LOST_VALUE
    from evenodds.solver.on_demand import (
        NotSolved,
        SolveLimitExceeded,
        SolveTimeout,
        solution_for,
        solution_in_time,
    )
    from evenodds.solver.solution import PayoffMatrix, Solution, UnreachablePosition
    from evenodds.solver.solving import check_device, solve, solve_settled, takes_gpu
    from evenodds.solver.winning_picks import CHOICES_KIND
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.solver.interpreted": "StateGraph",
            "evenodds.solver.lost_positions": "CHANCE_DIGITS MAX_LOST_VALUE",
            "evenodds.solver.on_demand": "NotSolved SolveLimitExceeded SolveTimeout solution_for "
            "solution_in_time",
            "evenodds.solver.solution": "PayoffMatrix Solution UnreachablePosition",
            "evenodds.solver.solving": "check_device solve solve_settled takes_gpu",
            "evenodds.solver.winning_picks": "CHOICES_KIND",
        },
    )
