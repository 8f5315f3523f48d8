"""Positions and transitions of a game as arrays, and results about a game cached on disk.

Other packages import the names below, never the modules; each module is imported when one of its
names is first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports import lazy_attributes

if TYPE_CHECKING:
    from evenodds.graph.best_responses import best_response_to, link_response
    from evenodds.graph.graph import Block, Graph, MatchEnd, graph_of
    from evenodds.graph.key_sets import Keys, empty_key_set, key_set_slots
    from evenodds.graph.listing import Listing
    from evenodds.graph.positions import (
        BYTES_PER_POSITION,
        MAX_PICKS,
        PositionEnumerator,
        PositionLayers,
    )
    from evenodds.graph.probability_flow import (
        MAX_FOLLOWED_ROUNDS,
        OPEN_SHARE_TOLERANCE,
        MatchFlow,
        end_probabilities,
        link_flow,
        masses_by_round,
        match_flow,
        push_masses,
        round_step,
        visit_counts,
    )
    from evenodds.graph.solution_files import (
        SOLVER_CODE,
        TABLE_KIND,
        SolvedPositions,
        load_result,
        load_table,
        result_path,
        save_result,
        save_table,
        table_path,
        table_rulings,
    )
    from evenodds.graph.solver_limits import (
        TooLarge,
        check_width,
        memory_limit,
        memory_size,
        refuse_unsolvable,
        too_many_positions,
    )
    from evenodds.graph.strategies import SharesOnDemand, StrategyShares
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.graph.best_responses": "best_response_to link_response",
            "evenodds.graph.graph": "Block Graph MatchEnd graph_of",
            "evenodds.graph.key_sets": "Keys empty_key_set key_set_slots",
            "evenodds.graph.listing": "Listing",
            "evenodds.graph.positions": "BYTES_PER_POSITION MAX_PICKS PositionEnumerator "
            "PositionLayers",
            "evenodds.graph.probability_flow": "MAX_FOLLOWED_ROUNDS OPEN_SHARE_TOLERANCE MatchFlow "
            "end_probabilities link_flow masses_by_round match_flow push_masses round_step "
            "visit_counts",
            "evenodds.graph.solution_files": "SOLVER_CODE TABLE_KIND load_result load_table "
            "result_path save_result save_table table_path table_rulings SolvedPositions",
            "evenodds.graph.solver_limits": "TooLarge check_width memory_limit memory_size "
            "refuse_unsolvable too_many_positions",
            "evenodds.graph.strategies": "SharesOnDemand StrategyShares",
        },
    )
