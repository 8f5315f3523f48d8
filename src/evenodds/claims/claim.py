"""Claims of a rule book as data: the sentence, its check, and the finding.

A game lists its claims in a module that it names, which imports its rules and nothing above them:
as text, `SENTENCES`, with the checks by name (`checks.claims`). The checks get facts: exact figures
of the solved game, and lines of play that can be replayed.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.notation import BadNotation, play_line
from evenodds.core.rulings import BadRuling, as_data
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair

Rules = Mapping[str, int | str]
NO_CHANGES: Final[Rules] = MappingProxyType({})


class Verdict(StrEnum):
    """The verdict on a claim, or the answer to a question."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDEFINED = "undefined"
    """The book does not say enough, and a ruling decides; or there is nothing to judge it by."""
    UNCHECKED = "unchecked"
    """Nobody has said how it is checked."""
    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Finding(NamedTuple):
    """The result of a check: a verdict, a sentence with the evidence, and a line of play."""

    verdict: Verdict
    evidence: str
    line: str = ""
    """A line of play that shows it, in notation: `7-8 10-6` or `4 5 6`."""
    rules: Rules = NO_CHANGES
    """Rulings changed for this line only, such as the target of a worked example."""


def judged(is_true: bool, evidence: str, line: str = "") -> Finding:
    """That a claim holds, or fails."""
    return Finding(Verdict.HOLDS if is_true else Verdict.FAILS, evidence, line)


holds = partial(Finding, Verdict.HOLDS)
fails = partial(Finding, Verdict.FAILS)
left_open = partial(Finding, Verdict.UNDEFINED)


class Replay(NamedTuple):
    """The result of replaying a line of play."""

    states: tuple[Any, ...]
    """The positions of the line, the start included, up to the first illegal pick."""
    outcome: Outcome
    refused: str
    """Why the next pick is illegal; empty where all picks are legal."""


class TieCosts(NamedTuple):
    """The cost of ties: pairs of equal picks, over all open positions where both are legal."""

    possible: int
    """All ties."""
    costly: int
    """Ties that change the expected scores: one seat loses what the other gains."""
    before: float
    """The expected score before the costliest tie, of the seat that loses by it."""
    after: float
    """Its expected score after that tie."""
    line: str
    """A line of play to that tie; empty where no tie costs anything."""


class OptimalityCounts(NamedTuple):
    """In how many decisions a number is legal, and in how many optimal."""

    open: int
    sound: int
    """Decisions in which it is optimal: it loses nothing against perfect play."""


PositionFilter = Callable[[Mapping[str, Any]], Any]
"""Selects positions: takes each field of the states of all positions as an array, and returns a
boolean array. A field that is a pair comes as two: `scores first` and `scores second`."""


class Facts(NamedTuple):
    """What a check can query about the game under the rulings it is checked for."""

    game: AnyGame
    rulings: Any
    study: Study
    """All exact figures of the game."""
    line_to: Callable[..., str]
    """The shortest line of play to an end with this `outcome` and this `ending`, where they are
    given; empty if there is none. It begins with the picks `after`, and passes through a position
    that `through`, a `PositionFilter`, selects."""
    round_trip: Callable[[], str]
    """A line on which a position comes up often enough for a draw; empty if there is none."""
    ties: Callable[[], TieCosts]
    optimality_by: Callable[[str], dict[int, dict[int, OptimalityCounts]]]
    """How often each number is optimal, by the value of a field of the state. Of a field that is a
    pair, the value of the deciding seat counts. Decisions in which nothing depends on the pick are
    left out."""

    @property
    def start(self) -> Any:
        """The position at the start."""
        return self.game.start(self.rulings)

    @property
    def first_rounds(self) -> dict[Pair, Any]:
        """The position after each pair of first picks."""
        start, picks = self.start, self.game.picks
        pairs = product(picks(start, FIRST), picks(start, SECOND))
        return {pair: self.game.step(start, pair) for pair in pairs}

    def replay(self, line: str, rules: Rules = NO_CHANGES, *, usual: bool = False) -> Replay:
        """Replay a line under the rulings of these facts, or with `usual` the default ones.

        `rules` are rulings changed for this line only.
        """
        rulings = self.game.rulings() if usual else self.rulings
        try:
            match = Match(agree(self.game, as_data(rulings) | dict(rules)))
        except BadRuling as error:
            return Replay((), Outcome.ONGOING, str(error))
        refused = ""
        try:
            play_line(match, line)
        except BadNotation as error:
            refused = error.problem
        outcome = match.result.outcome if match.result else Outcome.ONGOING
        return Replay(tuple(match.states), outcome, refused)


Check = Callable[[Facts], Finding]


class Claim(NamedTuple):
    """A claim quoted from a rule book, with its check."""

    name: str
    quote: str
    check: Check
