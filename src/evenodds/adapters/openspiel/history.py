"""The history of a match in OpenSpiel: picks, position, player to act."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.terms import repetition_draws
from evenodds.core.vocabulary import FIRST, NOTHING, SECOND, Outcome, Pair, Settled
from evenodds.system.imports import needs

with needs("openspiel"):
    import pyspiel

SIMULTANEOUS_PLAYER: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL_PLAYER: Final = int(pyspiel.PlayerId.TERMINAL)


class MatchHistory(NamedTuple):
    """A match so far. It is immutable, so a deep copy is the object itself: OpenSpiel copies often.

    `before` are the positions that count for a draw by repetition, where there is one; `player` is
    the seat to pick, or SIMULTANEOUS_PLAYER, or TERMINAL_PLAYER.
    """

    position: Any
    picks: tuple[Pair, ...]
    before: tuple[Any, ...]
    outcome: Outcome
    player: int

    @classmethod
    def begun(cls, game: AnyGame, rulings: Settled) -> "MatchHistory":
        """A match before the first pick."""
        start = game.start(rulings)
        outcome = game.outcome(start)
        return cls(start, (), (), outcome, player_to_pick(game, start, outcome))

    def after(self, game: AnyGame, picks: Pair, repetition: int) -> "MatchHistory":
        """The match one round on; a position that comes up too often ends it as a draw."""
        position = game.step(self.position, picks)
        outcome = game.outcome(position)
        before = (*self.before, self.position) if repetition else ()
        if outcome == Outcome.ONGOING and position in repetition_draws(before, repetition):
            outcome = Outcome.DRAW
        player = player_to_pick(game, position, outcome)
        return MatchHistory(position, (*self.picks, picks), before, outcome, player)

    def __deepcopy__(self, memo: Any) -> "MatchHistory":
        return self


def player_to_pick(game: AnyGame, position: Any, outcome: Outcome) -> int:
    """The seat to pick, or one of OpenSpiel's special players."""
    if outcome != Outcome.ONGOING:
        return TERMINAL_PLAYER
    if game.simultaneous:
        return SIMULTANEOUS_PLAYER
    return FIRST if game.legal(position, FIRST) != NOTHING else SECOND
