"""The exact table of a match's game, or one line that says why there is none."""

from typing import TYPE_CHECKING, Any

from evenodds.extras import MissingExtra, needs
from evenodds.terms import Terms

if TYPE_CHECKING:
    from evenodds.solver import Solution


class NotSolved(LookupError):
    """The exact values cannot be had: the ruling is too large, or the solver is not installed."""


def solution_for(terms: Terms, progress: Any = None) -> "Solution":
    """The solution of the game as it is played; made first where it is not kept."""
    try:
        with needs("solver"):
            from evenodds.solver import BadGame, TooLarge, solve_settled
    except MissingExtra as error:
        raise NotSolved(str(error)) from None
    try:
        return solve_settled(terms.game, terms.rulings, progress=progress)
    except (BadGame, MissingExtra, TooLarge) as error:
        raise NotSolved(str(error)) from None
