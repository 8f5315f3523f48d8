"""The computer opponents. Each sees a seat's view and nothing else."""

from typing import TYPE_CHECKING, Final, Protocol

from evenodds.record import View
from evenodds.text import brief

if TYPE_CHECKING:
    from random import Random


class Player(Protocol):
    """Anyone who picks a number from what a seat may see."""

    def pick(self, view: View) -> int:
        """One of `view.choices`."""


class UnknownPlayer(LookupError):
    """There is no opponent of that name."""


class RandomPlayer:
    """Every number open to it with the same chance."""

    def __init__(self, chance: "Random") -> None:
        self._chance = chance

    def pick(self, view: View) -> int:
        """Any of the choices."""
        return self._chance.choice(view.choices)


PLAYERS: Final = {"random": RandomPlayer}


def opponent(name: str, chance: "Random") -> Player:
    """The opponent of that name, drawing from `chance`; `UnknownPlayer` names those there are."""
    check_opponent(name)
    return PLAYERS[name](chance)


def check_opponent(name: str) -> str:
    """The name, if there is such an opponent."""
    if name not in PLAYERS:
        there = ", ".join(PLAYERS)
        raise UnknownPlayer(f'there is no opponent called "{brief(name)}"; there is {there}')
    return name
