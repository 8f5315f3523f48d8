"""Players without search or solution: random, highest number, copy."""

from random import Random

from evenodds.core.record import View
from evenodds.core.vocabulary import PASS, other
from evenodds.players.player import Player


class RandomPlayer(Player):
    """Every number open to it with the same chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def pick(self, view: View) -> int:
        """Any of the choices."""
        return self._chance.choice(view.choices)


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
        theirs = [picks[other(view.seat)] for picks in view.history]
        made = [number for number in theirs if number != PASS]
        if not made:
            return view.choices[0]
        return min(view.choices, key=lambda number: (abs(number - made[-1]), number))
