"""What states and observers use of an OpenSpiel game; a protocol, since games import both."""

from typing import Protocol

from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled


class LoadedGame(Protocol):
    """A game under some rulings, as OpenSpiel has loaded it."""

    game: AnyGame
    rulings: Settled
    encoder: ObservationEncoder
    repetition: int
    """How often a position may come up before the match is a draw; 0 in games without loops."""
    recall: bool
    """Whether the information state is all that was picked, or the position alone."""

    def max_game_length(self) -> int:
        """No match has more rounds than this."""
