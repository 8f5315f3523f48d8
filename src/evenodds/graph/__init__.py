"""Positions and transitions of a game as arrays, and results about a game cached on disk.

May import `kernels`, `matrix`, `core` and `system`. Other packages use the names below (only
`solver` and `policy` may import the modules); each module is imported when first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.graph.position_index import MAX_INTERPRETED_POSITIONS, PositionIndex
    from evenodds.graph.positions import Keys, Lister
    from evenodds.graph.result_cache import load_result, save_result
    from evenodds.graph.solution_files import TABLE_KIND, table_path, table_rulings
    from evenodds.graph.solver_limits import TooLarge, memory_limit
    from evenodds.graph.transitions import TransitionBlock, TransitionGraph, transition_graph_of
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.graph.position_index": "MAX_INTERPRETED_POSITIONS PositionIndex",
            "evenodds.graph.solver_limits": "TooLarge memory_limit",
            "evenodds.graph.positions": "Keys Lister",
            "evenodds.graph.result_cache": "load_result save_result",
            "evenodds.graph.solution_files": "TABLE_KIND table_path table_rulings",
            "evenodds.graph.transitions": "TransitionGraph TransitionBlock transition_graph_of",
        },
    )

__all__ = [
    "MAX_INTERPRETED_POSITIONS",
    "TABLE_KIND",
    "Keys",
    "Lister",
    "PositionIndex",
    "TooLarge",
    "TransitionBlock",
    "TransitionGraph",
    "load_result",
    "memory_limit",
    "save_result",
    "table_path",
    "table_rulings",
    "transition_graph_of",
]
