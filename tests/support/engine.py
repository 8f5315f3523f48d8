"""The one door to solver, graph, kernels and policies, because callers see no single step."""

from typing import Any

from evenodds.adapters import pettingzoo
from evenodds.adapters.gymnasium import SeatEnv
from evenodds.core.vocabulary import rule
from evenodds.engine import key_tables
from evenodds.engine.compile import kernels_of
from evenodds.engine.components import Components
from evenodds.engine.decided_positions import DecidedPlay
from evenodds.engine.flows import sum_of_steps
from evenodds.engine.large_games import solve_compiled
from evenodds.engine.position_keys import layout_of
from evenodds.engine.positions import Listing
from evenodds.engine.positions import _projected as projected_size
from evenodds.engine.random_streams import LOW_HALF_MASK, next_random, random_member
from evenodds.engine.small_games import solve_interpreted
from evenodds.engine.solution import Solution
from evenodds.engine.solve import solve_settled
from evenodds.system import silent


def solve_by_kernels(game: Any, rulings: Any, **given: Any) -> Solution:
    """The solution of a game, by compiled kernels however small it is."""
    return solve_settled(
        game, rulings, listing=Listing(game, rulings, silent, compiled=True), **given
    )
