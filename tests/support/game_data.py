"""What tests know of one game: `DATA` in `tests/games/NAME/data.py`.

The folder is optional; one that is there has `naive.py`, `transcript.txt` and a playthrough too.

Tests go through the games of the catalog and take from here what belongs to one of them, so that no
game is named in a test that is for all. A game without a folder has what its own options say.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import get
from tests.support.paths import TESTS
from tests.support.strategies import GAMES

FOLDER: Final = TESTS / "games"

Given = dict[str, Any]
"""Rulings that differ from the usual ones; for adapters also settings of a match."""
USUAL: Final[Given] = {}
"""The rulings of the rule book."""


def given(typed: str) -> Given:
    """Rulings as they are typed: `hp=3 knockout=draw`."""
    pairs = (rule.split("=") for rule in typed.split())
    return {key: int(value) if value.isdigit() else value for key, value in pairs}


def each(typed: str) -> list[Given]:
    """Several of them, one after the other: `hp=1; hp=4 numbers=2`."""
    return [given(one) for one in typed.split(";")]


def ruled(typed: str) -> tuple[str, Given]:
    """A game and its rulings: `duel hp=3 knockout=draw`."""
    name, _, rules = typed.partition(" ")
    return name, given(rules)


class ClaimCase(NamedTuple):
    """Rulings under which claims are checked, and what is changed in the game before."""

    rules: Given
    changes: tuple[str, ...] = ()
    """Pieces of the text of the rules, and what replaces them: `old -> new`."""
    only: tuple[str, ...] = ()
    """The claims that are checked, where the changed game need not or cannot be solved."""
    words: Any = None


def case(typed: str, *changes: str, only: tuple[str, ...] = (), words: Any = None) -> ClaimCase:
    return ClaimCase(given(typed), changes, only, words)


class GameData(NamedTuple):
    """The test data of a game."""

    place: int = 100
    """Where it stands in lists."""
    options: Mapping[str, Sequence[Any]] = {}
    """Every ruling in the order of the rule book: of a number the usual, the lowest and the highest
    value, of words all of them, the usual one first."""

    small: Given = USUAL
    """Solved in a moment, and still a game."""
    large: Given = USUAL
    """What takes the most room on a screen."""

    # Rulings for one kind of test each.
    policies: Sequence[Given] = ()
    """Odds, best responses and simulations, against fractions."""
    measured: Sequence[Given] = ()
    """Every line of play is written out."""
    verdicts: Sequence[Given] = ()
    """The sentences of a study, against a second count."""
    environments: Sequence[Given] = ()
    """Environments of all libraries, besides the usual rulings; also settings of a match."""

    # Rulings as they are typed, and what is expected under them.
    pinned: Sequence[tuple[str, str, str]] = ()
    """The claims by their verdicts, and the questions by their answers where these are pinned."""
    shown: Sequence[tuple[str, str, str]] = ()
    """A claim, and what the last words of its line of play hold."""
    idle: Sequence[tuple[str, str, str]] = ()
    """A claim with nothing to look at, and its evidence."""
    claim_cases: Sequence[ClaimCase] = ()
    """Between them they keep and break every claim."""


def has_data(game: Any) -> bool:
    return find_spec(f"tests.games.{game.name}") is not None


WITH_DATA: Final = [game for game in GAMES if has_data(game)]


@cache
def data_of(game: Any) -> GameData:
    """The test data of a game; without any, its place and its largest rulings."""
    found = get(game)
    if has_data(found):
        data: GameData = import_module(f"tests.games.{found.name}.data").DATA
        return data
    largest: Given = {}
    for key, option in found.options.items():
        if most := getattr(option, "most", None):
            largest[key] = most(largest)
    return GameData(place=found.place, large=largest)


def cases(field: str) -> list[tuple[Any, ...]]:
    """Every entry of a field in the data of all games, behind the name of its game."""
    return [
        (game.name, given(entry[0]), *entry[1:]) if isinstance(entry, tuple) else (game.name, entry)
        for game in GAMES
        for entry in getattr(data_of(game), field)
    ]


def files(pattern: str) -> list[Path]:
    return sorted(FOLDER.glob(f"*/{pattern}"))
