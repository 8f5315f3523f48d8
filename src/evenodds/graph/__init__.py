"""Positions and transitions of a game as arrays, and results about a game cached on disk.

Other packages import the names below, never the modules; each module is imported when one of its
names is first used.

May import `core`, `kernels` and `system`; libraries: `numpy`.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.graph.components import ComponentLayer, component_layers, fixed_point
    from evenodds.graph.expected_visits import STEPS_BEFORE_SOLVING
    from evenodds.graph.position_index import (
        MAX_INTERPRETED_POSITIONS,
        PositionIndex,
        list_positions,
        position_index_of,
    )
    from evenodds.graph.positions import (
        BYTES_PER_POSITION,
        MAX_PICKS,
        Keys,
        PositionEnumerator,
        PositionLayers,
        empty_key_set,
        key_set_slots,
    )
    from evenodds.graph.result_cache import load_result, save_result
    from evenodds.graph.solution_files import (
        TABLE_KIND,
        load_table,
        save_table,
        table_path,
        table_rulings,
    )
    from evenodds.graph.solved_positions import SolvedPositions
    from evenodds.graph.solver_limits import TooLarge, check_width, memory_limit, refuse_unsolvable
    from evenodds.graph.transitions import TransitionBlock, TransitionGraph, transition_graph_of
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.graph.components": "ComponentLayer component_layers fixed_point",
            "evenodds.graph.expected_visits": "STEPS_BEFORE_SOLVING",
            "evenodds.graph.position_index": "MAX_INTERPRETED_POSITIONS PositionIndex "
            "list_positions position_index_of",
            "evenodds.graph.positions": "BYTES_PER_POSITION Keys MAX_PICKS PositionEnumerator "
            "PositionLayers empty_key_set key_set_slots",
            "evenodds.graph.result_cache": "load_result save_result",
            "evenodds.graph.solution_files": "TABLE_KIND load_table save_table table_path "
            "table_rulings",
            "evenodds.graph.solved_positions": "SolvedPositions",
            "evenodds.graph.solver_limits": "TooLarge check_width memory_limit refuse_unsolvable",
            "evenodds.graph.transitions": "TransitionBlock TransitionGraph transition_graph_of",
        },
    )

__all__ = [
    "BYTES_PER_POSITION",
    "MAX_INTERPRETED_POSITIONS",
    "MAX_PICKS",
    "STEPS_BEFORE_SOLVING",
    "TABLE_KIND",
    "ComponentLayer",
    "Keys",
    "PositionEnumerator",
    "PositionIndex",
    "PositionLayers",
    "SolvedPositions",
    "TooLarge",
    "TransitionBlock",
    "TransitionGraph",
    "check_width",
    "component_layers",
    "empty_key_set",
    "fixed_point",
    "key_set_slots",
    "list_positions",
    "load_result",
    "load_table",
    "memory_limit",
    "position_index_of",
    "refuse_unsolvable",
    "save_result",
    "save_table",
    "table_path",
    "table_rulings",
    "transition_graph_of",
]
