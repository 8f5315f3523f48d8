"""The exact table of a match's game, or one line that says why there is none."""

from typing import TYPE_CHECKING, Any

from evenodds.extras import MissingExtra, needs
from evenodds.terms import Terms

if TYPE_CHECKING:
    from evenodds.solver import Solution


class NotSolved(LookupError):
    """The exact values cannot be had: the ruling is too large, or the solver is not installed."""


class OutOfReach(NotSolved):
    """The ruling has more positions than the limit of memory allows."""


def solution_for(terms: Terms, progress: Any = None, memory: int | None = None) -> "Solution":
    """The solution of the game as it is played; made first where it is not kept.

    `memory` is what making it may take in bytes, where that is less than the setting.
    """
    try:
        with needs("solver"):
            from evenodds.solver import BadGame, TooLarge, solve_settled
    except MissingExtra as error:
        raise NotSolved(str(error)) from None
    try:
        return solve_settled(terms.game, terms.rulings, progress=progress, memory=memory)
    except TooLarge as error:
        raise OutOfReach(str(error)) from None
    except (BadGame, MissingExtra) as error:
        raise NotSolved(str(error)) from None
