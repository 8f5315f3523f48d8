"""How a match of OpenSpiel has gone: what was picked, where it stands, who is to pick."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.match import due
from evenodds.core.vocabulary import FIRST, NOTHING, SECOND, Outcome, Pair
from evenodds.system.extras import needs

with needs("openspiel"):
    import pyspiel

BOTH: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
OVER: Final = int(pyspiel.PlayerId.TERMINAL)


class Course(NamedTuple):
    """A match so far. It never changes, so a copy of it is itself: OpenSpiel copies all the time.

    `before` are the positions that count for a draw by repetition, where there is one; `player` is
    the seat to pick, or BOTH, or OVER.
    """

    position: Any
    picks: tuple[Pair, ...]
    before: tuple[Any, ...]
    outcome: Outcome
    player: int

    @classmethod
    def begun(cls, game: AnyGame, rulings: Any) -> "Course":
        """A match before the first pick."""
        start = game.start(rulings)
        outcome = game.outcome(start)
        return cls(start, (), (), outcome, asked(game, start, outcome))

    def after(self, game: AnyGame, picks: Pair, repetition: int) -> "Course":
        """The match one round on; a position that comes up too often ends it as a draw."""
        position = game.step(self.position, picks)
        outcome = game.outcome(position)
        before = (*self.before, self.position) if repetition else ()
        if outcome == Outcome.ONGOING and position in due(before, repetition):
            outcome = Outcome.DRAW
        player = asked(game, position, outcome)
        return Course(position, (*self.picks, picks), before, outcome, player)

    def __deepcopy__(self, memo: Any) -> "Course":
        return self


def asked(game: AnyGame, position: Any, outcome: Outcome) -> int:
    """Who is to pick."""
    if outcome != Outcome.ONGOING:
        return OVER
    if game.simultaneous:
        return BOTH
    return FIRST if game.legal(position, FIRST) != NOTHING else SECOND
