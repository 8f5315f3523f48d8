"""The computer opponents. Each sees a seat's view and nothing else."""

from typing import TYPE_CHECKING, Any, Final, Protocol

from evenodds.exact import NotSolved, solution_for
from evenodds.game import LEVELS
from evenodds.record import View
from evenodds.terms import Terms
from evenodds.text import brief, listed
from evenodds.vocabulary import Seat

if TYPE_CHECKING:
    from random import Random


class Player(Protocol):
    """Anyone who picks a number from what a seat may see."""

    def pick(self, view: View) -> int:
        """One of `view.choices`."""


class UnknownPlayer(LookupError):
    """There is no opponent of that name."""


class CannotPlay(UnknownPlayer):
    """An opponent who must know the exact values, where these cannot be had."""


USUAL: Final = "level:4"
"""Who plays when nobody is named."""

PLAYERS: Final = {
    "random": "any number, each with the same chance",
    "high": "always the highest number",
    "copy": "the number nearest to your last one",
    **{f"level:{number}": "a step better than the level below" for number in LEVELS},
    "perfect": "the exact best mix",
}
"""The opponents by name, and how they play."""


def opponent(name: str, terms: Terms, seat: Seat, chance: "Random", progress: Any = None) -> Player:
    """The opponent of that name for a seat; `UnknownPlayer` names those there are.

    Those who must know the exact values have the game solved first, which may take a while.
    """
    check_opponent(name)
    kind, _, number = name.partition(":")
    if kind in ("level", "perfect"):
        return _exact(name, number, terms, chance, progress)
    from evenodds.players.simple import CopyPlayer, HighPlayer, RandomPlayer

    simple: dict[str, Player] = {
        "random": RandomPlayer(chance),
        "high": HighPlayer(),
        "copy": CopyPlayer(),
    }
    return simple[kind]


def _exact(name: str, number: str, terms: Terms, chance: "Random", progress: Any) -> Player:
    """Perfect play, or the level of that number; `CannotPlay` where the game cannot be solved."""
    try:
        solution = solution_for(terms, progress)
    except NotSolved as error:
        raise CannotPlay(f"{name} cannot play this: {error}") from None
    from evenodds.players.exact import MixPlayer, level

    policy = level(terms.game, solution, int(number)) if number else solution.mix
    return MixPlayer(policy, chance)


def is_known(name: str) -> bool:
    """Whether there is such an opponent."""
    return name in PLAYERS


def check_opponent(name: str) -> str:
    """The name, if there is such an opponent."""
    if not is_known(name):
        there = listed(spoken_names(), "and")
        raise UnknownPlayer(f'there is no opponent called "{brief(name)}"; there are {there}')
    return name


def spoken_names() -> list[str]:
    """The names of all opponents, the levels in one."""
    names = [name for name in PLAYERS if not name.startswith("level:")]
    return [*names, f"level:{LEVELS[0]}-{LEVELS[-1]}"]
