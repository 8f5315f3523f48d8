"""The one door to solver, graph, kernels and policies, because callers see no single step."""

from evenodds.adapters import pettingzoo
from evenodds.adapters.gymnasium import SeatEnv
from evenodds.core.vocabulary import rule
from evenodds.graph.components import component_graph
from evenodds.graph.expected_visits import total_visits
from evenodds.graph.positions import _projected as projected_size
from evenodds.kernels import key_tables
from evenodds.kernels.position_keys import layout_spanning
from evenodds.kernels.rng import LOW_HALF_MASK, next_random, random_member
from evenodds.solver.compiled import solve_compiled
from evenodds.solver.interpreted import solve_interpreted
from evenodds.solver.lost_positions import LostPlay
from evenodds.solver.winning_picks import choices_of, winning_picks, winning_picks_in
from evenodds.system.progress import silent

# fmt: off
__all__ = [
    "LOW_HALF_MASK", "LostPlay", "SeatEnv",
    "choices_of", "component_graph", "key_tables", "layout_spanning",
    "next_random", "pettingzoo", "projected_size", "random_member", "rule", "silent",
    "solve_compiled", "solve_interpreted", "total_visits", "winning_picks", "winning_picks_in",
]
# fmt: on
