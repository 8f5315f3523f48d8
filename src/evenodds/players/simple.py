"""Players without search or solution: random, highest number, copy."""

from random import Random

from evenodds.core.record import View
from evenodds.core.vocabulary import PASS, other
from evenodds.players.player import Player


class RandomPlayer(Player):
    """Picks uniformly at random."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def pick(self, view: View) -> int:
        """Any of the choices."""
        return self._rng.choice(view.choices)


class HighPlayer(Player):
    """Always its highest number."""

    def pick(self, view: View) -> int:
        """The last of the choices."""
        return view.choices[-1]


class CopyPlayer(Player):
    """The number nearest to the other's last one, the lower of two; its lowest to begin with."""

    def pick(self, view: View) -> int:
        """As near to the other's last number as the choices allow."""
        assert view.seat is not None
        opponent_picks = [picks[other(view.seat)] for picks in view.history]
        numbers = [number for number in opponent_picks if number != PASS]
        if not numbers:
            return view.choices[0]
        return min(view.choices, key=lambda number: (abs(number - numbers[-1]), number))
