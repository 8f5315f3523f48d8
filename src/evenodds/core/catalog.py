"""Every game by name: the built-in ones, and those of installed packages.

A package offers a game through an entry point in the group `evenodds.games` that names a `Game`.
Packages are searched only for names that are not built in, and for lists; a built-in name cannot be
overridden. A `Game` of the program itself, which no package offers, may be added in this process,
and so is one from a folder whose path was typed (`game_folder`).
"""

import os
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from evenodds.core.game import Game
from evenodds.core.rulings import BadRuling, check_mapping, merge_rulings
from evenodds.core.vocabulary import Outcome, Pair, Seat, Settled, State, numbers
from evenodds.system import InvalidInput
from evenodds.system.text import shorten

ENTRY_POINT_GROUP = "evenodds.games"

AnyGame = Game[Any, Any]
_ADDED: dict[str, AnyGame] = {}
"""Games of this program, by their names."""
_FOLDERS: dict[str, str] = {}
"""Where those of them lie that were loaded from a folder; lists have them, too."""


class RuledGame(NamedTuple):
    """A game together with its rulings, as `evenodds.game` makes it."""

    game: AnyGame
    rulings: Settled

    def start(self) -> State:
        """The first position."""
        first: State = self.game.start(self.rulings)
        return first

    def picks(self, state: tuple[Any, ...], seat: Seat) -> tuple[int, ...]:
        """What a step takes for a seat, as `Game.picks`: its numbers, or PASS alone."""
        return self.game.picks(state, seat)

    def legal(self, state: tuple[Any, ...], seat: Seat) -> tuple[int, ...]:
        """The numbers that a seat may pick at a position; none where it has nothing to decide."""
        return numbers(self.game.legal(state, seat))

    def step(self, state: tuple[Any, ...], picks: Pair) -> State:
        """The position after a round, in which a seat with nothing to decide picks PASS."""
        after: State = self.game.step(state, picks)
        return after

    def outcome(self, state: tuple[Any, ...]) -> Outcome:
        """Who has won at a position, or ONGOING."""
        return self.game.outcome(state)


GameLike = RuledGame | AnyGame | str
"""How callers say which game: with its rulings, alone, or by its name."""


class UnknownGame(InvalidInput, LookupError):
    """There is no game of that name."""


class GameListing(list[AnyGame]):
    """All games in order, and a line for each installed game that could not be used."""

    def __init__(self, games: Iterable[AnyGame], faults: list[str]) -> None:
        super().__init__(games)
        self.faults = faults


@cache
def built_in() -> frozenset[str]:
    """The names of the rule books in `evenodds.games`: its folders."""
    games = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
    folders = [folder for folder in os.scandir(games) if folder.is_dir()]
    return frozenset(each.name for each in folders if "rules.py" in os.listdir(each))


def game(
    name: GameLike, given: Mapping[str, object] | None = None, /, **rulings: object
) -> RuledGame:
    """A game with its rulings, `game("margin", numbers=3)`, which every function here takes.

    Every keyword is a ruling of the game; rulings may be given as a mapping too. Raises
    `UnknownGame` or `BadRuling` in one line.
    """
    return settle(name, merge_rulings(given, rulings))


def settle(game: GameLike, given: Mapping[str, object]) -> RuledGame:
    """The game and its rulings: those given, or those of a `RuledGame`; `BadRuling` for both."""
    check_mapping(given)
    if not isinstance(game, RuledGame):
        found = get(game)
        return RuledGame(found, found.settle(given))
    if given:
        key = next(iter(given))
        raise BadRuling(f"{key}={shorten(given[key])} is given beside a game that has its rulings")
    return game


def get(name: GameLike) -> AnyGame:
    """The game of that name, or the game itself; else `UnknownGame` with the names there are."""
    if isinstance(name, RuledGame):
        return name.game
    if isinstance(name, Game):
        return name
    if isinstance(name, str) and name in built_in():
        return _built_in_game(name)
    if isinstance(name, str) and name in _ADDED:
        return _ADDED[name]
    listing = list_games()
    known = {game.name: game for game in listing}
    if isinstance(name, str) and name in known:
        return known[name]
    from difflib import get_close_matches

    near = get_close_matches(shorten(name).lower(), known)
    said = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    faults = "".join(f"; {fault}" for fault in listing.faults)
    raise UnknownGame(f'there is no game called "{shorten(name)}"; {said}{faults}')


def is_built_in(game: AnyGame) -> bool:
    """Whether it is an unchanged built-in game: the tests validate those."""
    return game.name in built_in() and _built_in_game(game.name) is game


@cache
def _built_in_game(name: str) -> AnyGame:
    found: AnyGame = import_module(f"evenodds.games.{name}").GAME
    return found


def add(game: AnyGame, folder: str = "") -> None:
    """Let `get` find a game in this process that no package offers; it is in no list.

    One from a folder is in lists, and takes the place of an installed one, but not of a second.
    """
    if not folder and _ADDED.get(game.name) == game:
        return
    if _FOLDERS.get(game.name, folder) != folder:
        raise InvalidInput(f'there is a game "{game.name}" in {_FOLDERS[game.name]} already')
    _ADDED.pop(game.name, None)
    with suppress(UnknownGame):
        if not folder and get(game.name) != game:
            raise InvalidInput(f'there is another game called "{game.name}"; give yours a new name')
    _ADDED[game.name] = game
    if folder:
        _FOLDERS[game.name] = folder


def folders() -> dict[str, str]:
    """The folders of games that this process has loaded, by name; those that it starts do, too."""
    return dict(_FOLDERS)


def typed_name(game: AnyGame) -> str:
    """What is typed for a game in a command: its name, or beside its folder that, as `./nim`.

    The whole path is nothing for pages and results that others see.
    """
    folder = _FOLDERS.get(game.name)
    return shlex.quote(f"./{os.path.basename(folder)}" if folder else game.name)


def list_games(installed: bool = True) -> GameListing:
    """Every game in the order of `Game.place`; without `installed`, those that are built in."""
    found, faults = _installed() if installed else ([], [])
    found = [game for game in found if game.name not in _FOLDERS]
    found += [get(name) for name in (*built_in(), *_FOLDERS)]
    return GameListing(sorted(found, key=lambda game: (game.place, game.name)), faults)


def _installed() -> tuple[list[AnyGame], list[str]]:
    """Games from installed packages; a broken one, or one with a taken name, is a fault."""
    from importlib.metadata import entry_points  # slow to import, not needed for a built-in name

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
                faults.append(f"{point.name} from {package} calls itself {shorten(game.name)}")
            elif game.name in taken:
                faults.append(f"{point.name} from {package} is not used: the name is taken")
            elif flaw := game.flaw():
                faults.append(f"{point.name} from {package} is not used: {flaw}")
            else:
                found[game.name] = game
        except (Exception, SystemExit) as error:  # a package may raise anything on import
            reason = shorten(str(error) or type(error).__name__, 80)
            faults.append(f"{point.name} from {package} does not load: {reason}")
    return list(found.values()), faults
