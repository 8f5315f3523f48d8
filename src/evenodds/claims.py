"""What a rule book promises, as data: the sentence, a check, and what the check found.

A game lists its claims in `claims.py`, which knows its rules and nothing above them. The checks are
given facts: exact figures of the solved game, and lines of play that anyone can replay.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from evenodds.vocabulary import Outcome


class Verdict(StrEnum):
    """Whether a promise is kept."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDEFINED = "undefined"
    """The book does not say enough: a ruling decides."""


class Finding(NamedTuple):
    """What a check found: a verdict, one sentence with the number that shows it, and a line."""

    verdict: Verdict
    evidence: str
    line: str = ""
    """A line of play that shows it, in notation: `7-8 10-6` or `4 5 6`."""


class Facts(Protocol):
    """What a check may ask about the game under the rulings it is checked for."""

    rulings: Any
    study: Any
    """Every measure of `evenodds.study.study.Study`."""

    def fate(self, first: str, second: str) -> Any:
        """How matches end between two ways: random, high, perfect, level:1 to level:8."""

    def line_to(self, outcome: Outcome | None = None, ending: str = "") -> str:
        """The shortest line of play to such an end; nothing where none leads there."""

    def refused(self, line: str) -> str:
        """Why a line of play is against the rules; nothing where it is not."""


class Claim(NamedTuple):
    """One promise of a rule book, or a question of our own where there is no quote."""

    name: str
    quote: str
    check: Callable[[Facts], Finding]
