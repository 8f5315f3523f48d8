"""OpenSpiel observers: the position as observation, all picks as information state."""

from typing import Any

from evenodds.adapters.openspiel.game_interface import LoadedGame
from evenodds.adapters.openspiel.states import SpielState
from evenodds.core.notation import write_round
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.system.imports import needs

with needs("openspiel"):
    import numpy as np


class EmptyObserver:
    """An observer with a tensor in named slices, filled in place, and a string; here both empty."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        row = np.zeros(sum(sizes), np.float32)
        self.tensor = row if shapes else None
        slices = np.split(row, np.cumsum(sizes)[:-1]) if shapes else []
        self.dict = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), slices, strict=True)
        }

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Fill the tensor for a seat."""

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The observation of a seat as text."""
        return ""


class PositionObserver(EmptyObserver):
    """The position as a seat sees it: sufficient for optimal play, except for repetition."""

    def __init__(self, game: LoadedGame) -> None:
        super().__init__(observation=(game.encoder.size,))
        self._encoder = game.encoder

    def set_from(self, state: SpielState, player: Seat) -> None:
        """The row of `evenodds.adapters.observation`."""
        self.dict["observation"][:] = self._encoder.row(state.position, player)

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The seat and the position."""
        return f"{SEAT_NAMES[player]}: {state}"


class PerfectRecallObserver(EmptyObserver):
    """Every revealed pick in order, as OpenSpiel's algorithms assume of an information state.

    It has a tensor, too, where a game declares how long its matches can be.
    """

    def __init__(self, game: LoadedGame) -> None:
        picks = (game.max_game_length(), len(SEATS), game.encoder.highest + 1)
        shapes = {"player": (len(SEATS),), "observation": (game.encoder.size,), "picks": picks}
        super().__init__(**shapes if game.game.longest else {})
        self._encoder = game.encoder

    def set_from(self, state: SpielState, player: Seat) -> None:
        """The seat as one-hot, the position, and the picks of each round as one-hot."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        self.dict["observation"][:] = self._encoder.row(state.position, player)
        for round, picks in enumerate(state.match_history.picks):
            for seat in SEATS:
                self.dict["picks"][round, seat, picks[seat]] = 1

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The seat, and the picks as the notation writes them: `first: 7-8 10-6`."""
        return " ".join([f"{SEAT_NAMES[player]}:", *map(write_round, state.match_history.picks)])


def observer_of(game: LoadedGame, kind: Any) -> EmptyObserver:
    """The observer of a kind that OpenSpiel asks for; of the position where no kind is given.

    There is no private information: both seats see every revealed pick.
    """
    if kind is not None and not kind.public_info:
        return EmptyObserver()
    perfect_recall = kind is not None and kind.perfect_recall and game.recall
    return PerfectRecallObserver(game) if perfect_recall else PositionObserver(game)
