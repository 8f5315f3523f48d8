"""Solving while a player or a command waits: with a progress bar."""

from evenodds.core.terms import Terms
from evenodds.engine.on_demand import solution_for
from evenodds.engine.solution import Solution
from evenodds.terminal.progress_bar import progress_bar


def solve_with_progress(terms: Terms) -> Solution:
    """The solution under the terms of a match, with a progress bar; `NotSolved` says why not."""
    with progress_bar() as progress:
        return solution_for(terms, progress)
