"""Every game by name: the built-in ones, and those of installed packages.

A package offers a game through an entry point in the group `evenodds.games` that names a `Game`.
Packages are searched only for names that are not built in, and for lists; a built-in name cannot be
overridden.
"""

import os
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from evenodds.core.game import Game
from evenodds.system.errors import EvenOddsError
from evenodds.system.text import brief

ENTRY_POINT_GROUP = "evenodds.games"

AnyGame = Game[Any, Any]


class UnknownGame(EvenOddsError, LookupError):
    """There is no game of that name."""


class GameListing(list[AnyGame]):
    """All games in order, and a line for each installed game that could not be used."""

    def __init__(self, games: Iterable[AnyGame], faults: list[str]) -> None:
        super().__init__(games)
        self.faults = faults

    @property
    def games(self) -> list[AnyGame]:
        """The games, for code that was written for release 0.1."""
        return list(self)


@cache
def built_in() -> frozenset[str]:
    """The names of the rule books in `evenodds.games`: its folders."""
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
    return frozenset(
        name
        for name in os.listdir(folder)
        if os.path.exists(os.path.join(folder, name, "rules.py"))
    )


def get(name: AnyGame | str) -> AnyGame:
    """The game of that name, or the game itself; else `UnknownGame` with the names there are."""
    if isinstance(name, Game):
        return name
    if isinstance(name, str) and name in built_in():
        game: AnyGame = import_module(f"evenodds.games.{name}").GAME
        return game
    listing = list_games()
    for game in listing:
        if game.name == name:
            return game
    names = ", ".join(game.name for game in listing)
    faults = "".join(f"; {fault}" for fault in listing.faults)
    raise UnknownGame(f'there is no game called "{brief(name)}"; there are {names}{faults}')


def list_games() -> GameListing:
    """Every game, built in and installed, in the order of their places."""
    found, faults = _installed()
    found += [get(name) for name in built_in()]
    return GameListing(sorted(found, key=lambda game: (game.place, game.name)), faults)


def _installed() -> tuple[list[AnyGame], list[str]]:
    """Games from installed packages; a broken one, or one with a taken name, is a fault."""
    from importlib.metadata import (
        entry_points,
    )  # slow to import, not needed for a built-in name

    found: dict[str, AnyGame] = {}
    faults: list[str] = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.dist.name if point.dist else "a package"
        taken = built_in() | found.keys()
        try:
            game = point.load()
            if not isinstance(game, Game):
                faults.append(f"{point.name} from {package} is not a Game")
            elif game.name != point.name:
                faults.append(f"{point.name} from {package} calls itself {brief(game.name)}")
            elif game.name in taken:
                faults.append(f"{point.name} from {package} is not used: the name is taken")
            elif flaw := game.flaw():
                faults.append(f"{point.name} from {package} is not used: {flaw}")
            else:
                found[game.name] = game
        except Exception as error:  # a package may raise anything on import
            faults.append(f"{point.name} from {package} does not load: {brief(str(error), 80)}")
    return list(found.values()), faults
