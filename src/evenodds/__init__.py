"""Even Odds: five two-player number games from their rule books."""

from evenodds.catalog import games, get
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
    "agree",
    "games",
    "get",
]
