"""Claims of a rule book as data: the sentence, its check, and the finding.

A game lists its claims as `CLAIMS` in a module that it names, which imports its rules and nothing
above them. The checks get facts: exact figures of the solved game, and lines of play that can be
replayed.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from evenodds.claims.study_data import Study
from evenodds.claims.thresholds import Thresholds
from evenodds.core.vocabulary import Outcome

Rules = Mapping[str, int | str]
AS_RULED: Final[Rules] = MappingProxyType({})
"""No rulings are changed."""


class Verdict(StrEnum):
    """The verdict on a claim, or the answer to a question."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDEFINED = "undefined"
    """The book does not say enough, and a ruling decides; or there is nothing to judge it by."""
    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Finding(NamedTuple):
    """The result of a check: a verdict, a sentence with the evidence, and a line of play."""

    verdict: Verdict
    evidence: str
    line: str = ""
    """A line of play that shows it, in notation: `7-8 10-6` or `4 5 6`."""
    rules: Rules = AS_RULED
    """What is ruled for the line alone, such as the target of a worked example."""


class Replay(NamedTuple):
    """A line of play, judged by the rules."""

    states: tuple[Any, ...]
    """The positions it comes to, from the start on."""
    outcome: Outcome
    refused: str
    """Why the pick after the last position is against the rules; nothing where none is."""


class Ties(NamedTuple):
    """What equal picks of both seats do, over every open position in which they can be made."""

    possible: int
    costly: int
    """Those after which one seat expects less than before, and the other as much more."""
    before: float
    """What the player who loses most by one expects to score before it."""
    after: float
    line: str
    """The line of play that ends with it; empty where no tie costs anything."""


class Use(NamedTuple):
    """A number in some decisions."""

    open: int
    """Decisions in which it may be picked."""
    sound: int
    """Those in which it gives nothing away."""


Through = Callable[[Mapping[str, Any]], Any]
"""Which positions: given the fields of all of them as arrays, those of a pair with their seat:
`turn`, `scores first`, `scores second`."""


class Facts(Protocol):
    """What a check can query about the game under the rulings it is checked for."""

    game: Any
    """The rules that are checked: `start`, `step`, `picks` and all else of a `Game`."""
    rulings: Any
    study: Study
    """Every measure."""
    simultaneous: bool
    thresholds: Thresholds
    """The thresholds of verdicts."""

    def line_to(
        self,
        outcome: Outcome | None = None,
        ending: str = "",
        *,
        after: str = "",
        through: Through | None = None,
    ) -> str:
        """The shortest line of play to such an end; nothing where there is none.

        It begins with the picks of `after`, and comes through an open position for which `through`
        holds.
        """

    def round_trip(self) -> str:
        """A line on which a position comes up so often that it is a draw; nothing if none can."""

    def ties(self) -> Ties:
        """The cost of equal picks."""

    def replay(self, line: str, rules: Rules = AS_RULED, *, usual: bool = False) -> Replay:
        """A line of play by the rules, with what is ruled for it alone; the rest is as asked for.

        Or it is as usual, whatever was asked for.
        """

    def uses_by(self, field: str) -> dict[int, dict[int, Use]]:
        """How numbers do, by the figure in a field of the state; of a pair, that of who decides.

        Only decisions count in which something depends on the pick.
        """


Check = Callable[[Facts], Finding]


class Claim(NamedTuple):
    """One claim of a rule book, word for word; or a question of our own."""

    name: str
    quote: str
    check: Check
