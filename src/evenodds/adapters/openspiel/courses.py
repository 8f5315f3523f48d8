"""How a match of OpenSpiel has gone: what was picked, where it stands, whether it is over."""

from typing import Any, NamedTuple

from evenodds.catalog import AnyGame
from evenodds.match import due
from evenodds.vocabulary import Outcome, Pair


class Course(NamedTuple):
    """A match so far. It never changes, so a copy of it is itself: OpenSpiel copies all the time.

    `before` are the positions that count for a draw by repetition, where there is one.
    """

    position: Any
    picks: tuple[Pair, ...]
    before: tuple[Any, ...]
    outcome: Outcome

    @classmethod
    def begun(cls, game: AnyGame, rulings: Any) -> "Course":
        """A match before the first pick."""
        start = game.start(rulings)
        return cls(start, (), (), game.outcome(start))

    def after(self, game: AnyGame, picks: Pair, repetition: int) -> "Course":
        """The match one round on; a position that comes up too often ends it as a draw."""
        position = game.step(self.position, picks)
        outcome = game.outcome(position)
        before = (*self.before, self.position) if repetition else ()
        if outcome == Outcome.ONGOING and position in due(before, repetition):
            outcome = Outcome.DRAW
        return Course(position, (*self.picks, picks), before, outcome)

    def __deepcopy__(self, memo: Any) -> "Course":
        return self
