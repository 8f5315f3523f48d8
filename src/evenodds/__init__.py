"""Even Odds: five two-player number games from their rule books."""

from typing import Any

from evenodds.catalog import get, list_games
from evenodds.extras import needs
from evenodds.match import IllegalPick, Match
from evenodds.rulings import BadRuling
from evenodds.terms import agree
from evenodds.vocabulary import FIRST, PASS, SECOND, Outcome

__version__ = "0.1.0"

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
    "odds",
    "simulate",
    "solve",
]


def __getattr__(name: str) -> Any:
    """What is heavy is loaded when it is first asked for."""
    if name in ("Uniform", "best_response", "exploitability", "odds", "simulate", "solve"):
        with needs("solver"):
            from evenodds import solver

        return getattr(solver, name)
    raise AttributeError(f"module 'evenodds' has no attribute {name!r}")
