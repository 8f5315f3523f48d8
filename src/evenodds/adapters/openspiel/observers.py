"""OpenSpiel observers: the position as observation, all picks as information state."""

from typing import Any

from evenodds.core.notation import write_round
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.system.extras import needs

with needs("openspiel"):
    import numpy as np


class EmptyObserver:
    """Numbers in named pieces, filled in place, and words. This one sees nothing."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        row = np.zeros(sum(sizes), np.float32)
        self.tensor = row if shapes else None
        cuts = np.split(row, np.cumsum(sizes)[:-1]) if shapes else []
        self.dict = {
            name: cut.reshape(shape)
            for (name, shape), cut in zip(shapes.items(), cuts, strict=True)
        }

    def set_from(self, state: Any, player: Seat) -> None:
        """Fill in what a seat sees as numbers."""

    def string_from(self, state: Any, player: Seat) -> str:
        """What a seat sees in words."""
        return ""


class PositionObserver(EmptyObserver):
    """The position as a seat sees it: all that matters for what comes, but for repetition."""

    def __init__(self, game: Any) -> None:
        super().__init__(observation=(game.sight.size,))
        self._sight = game.sight

    def set_from(self, state: Any, player: Seat) -> None:
        """The row of `evenodds.adapters.observation`."""
        self.dict["observation"][:] = self._sight.row(state.position, player)

    def string_from(self, state: Any, player: Seat) -> str:
        """Whose eyes, and the position."""
        return f"{SEAT_NAMES[player]}: {state}"


class PerfectRecallObserver(EmptyObserver):
    """Every pick that was revealed, in order: what OpenSpiel's algorithms take for granted.

    As numbers too, with the position, where a game says how long its matches can be.
    """

    def __init__(self, game: Any) -> None:
        picks = (game.max_game_length(), len(SEATS), game.sight.highest + 1)
        pieces = {"player": (len(SEATS),), "observation": (game.sight.size,), "picks": picks}
        super().__init__(**pieces if game.game.longest else {})
        self._sight = game.sight

    def set_from(self, state: Any, player: Seat) -> None:
        """Whose row this is, the position, and for each round what both have picked."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        self.dict["observation"][:] = self._sight.row(state.position, player)
        for round, picks in enumerate(state.course.picks):
            for seat in SEATS:
                self.dict["picks"][round, seat, picks[seat]] = 1

    def string_from(self, state: Any, player: Seat) -> str:
        """Whose eyes, and the picks as the notation writes them: `first: 7-8 10-6`."""
        return " ".join([f"{SEAT_NAMES[player]}:", *map(write_round, state.course.picks)])


def observer_of(game: Any, kind: Any) -> EmptyObserver:
    """The observer of a kind that OpenSpiel asks for; the position where it does not say.

    Nothing is private: a pick that counts is seen by both.
    """
    if kind is not None and not kind.public_info:
        return EmptyObserver()
    recalls = kind is not None and kind.perfect_recall and game.recall
    return PerfectRecallObserver(game) if recalls else PositionObserver(game)
