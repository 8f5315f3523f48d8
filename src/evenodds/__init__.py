"""Even Odds: five two-player number games from their rule books."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evenodds.core.catalog import get, list_games
from evenodds.core.game import DECLARATION_CHECKS
from evenodds.core.match import IllegalPick, Match
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, PASS, SECOND, Outcome
from evenodds.players.levels import ladder_fault
from evenodds.system.imports.aliases import install as install_moved_modules
from evenodds.system.imports.extras import needs
from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.core import notation

__version__ = "0.1.0"

install_moved_modules()
# Here, where every layer is known: a game is checked in core, and its ladder belongs to players.
DECLARATION_CHECKS.append(ladder_fault)

__all__ = [
    "FIRST",
    "PASS",
    "SECOND",
    "BadRuling",
    "IllegalPick",
    "Match",
    "Outcome",
    "Uniform",
    "agree",
    "best_response",
    "exploitability",
    "get",
    "list_games",
    "notation",
    "odds",
    "simulate",
    "solve",
]


_heavy = lazy_attributes(
    __name__,
    {
        "evenodds.policy": "Uniform best_response exploitability odds simulate",
        "evenodds.solver": "solve",
    },
)


def __getattr__(name: str) -> Any:
    """What is heavy is loaded when it is first asked for."""
    if name == "notation":  # the first prompt need not wait for it
        return import_module("evenodds.core.notation")
    with needs("solver"):
        return _heavy(name)
