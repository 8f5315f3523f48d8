"""Games in folders of somebody's own, which no package offers: loaded by their paths.

Only commands load one whose path was typed, and the processes that they start. It is read anew each
time: no bytecode is kept, and what was imported from it before is dropped.
"""

import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import FileFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Final

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, UnknownGame
from evenodds.core.game import Game
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import RULES
from evenodds.system import EvenOddsError
from evenodds.system.text import error_text, shorten

PACKAGE: Final = "evenodds_folder"
"""The package in which a folder is imported, so that none takes the place of another package."""
KINDS: Final = (".py", ".md", ".js")
"""The files of a game."""
ENTRIES: Final = ("rules.py", "__init__.py")
"""Files that stand for their folder."""
NAMES: Final = "up to 30 small letters, digits, - and _, a letter first"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,29}")

Edition = tuple[tuple[str, int, int], ...]
"""The files of a game with their times and sizes."""
_loaded: dict[str, Edition] = {}


class _Source(SourceFileLoader):
    """Reads a file once and keeps no bytecode, which would miss a change within a second."""

    def path_stats(self, path: str) -> dict[str, int]:
        raise OSError

    def get_data(self, path: str) -> bytes:
        if path != self.path:
            return super().get_data(path)
        if not hasattr(self, "_text"):
            self._text = super().get_data(path)
        return self._text


def edition(path: str) -> Edition:
    """What changes when somebody edits the game; nothing while its files cannot be read."""
    place = Path(path)
    with suppress(OSError):
        files = place.iterdir() if place.is_dir() else [place]
        stats = [(file.name, file.stat()) for file in sorted(files) if file.suffix in KINDS]
        return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
    return ()


def is_changed(path: str) -> bool:
    """Whether the files of a game are others than those that this process has loaded."""
    return _loaded.get(path) != edition(path)


def name_flaw(name: str) -> str:
    """Why a game in a folder cannot have a name; empty where it can."""
    if name in catalog.built_in():
        return f"{name} is the name of a built-in game; give the game another"
    return "" if _NAME.fullmatch(name) else f"{shorten(name)} is no name; allowed: {NAMES}"


def load(path: str) -> AnyGame:
    """The game in a folder or file, which this process knows by its name from now on.

    `UnknownGame` or `BadGame` in one line.
    """
    place = Path(os.path.abspath(path))
    place = place.parent if place.name in ENTRIES else place
    if not place.exists():
        raise UnknownGame(f"there is no folder {shorten(path, 80)}")
    read = edition(str(place))
    try:
        game = _import(place)
    except SyntaxError as error:
        file = os.path.relpath(error.filename or path)
        raise BadGame(f"{file}, line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        problem = str(error) if isinstance(error, EvenOddsError) else error_text(error, 160)
        raise BadGame(f"{_where(error, place)}: {problem}") from None
    if not isinstance(game, Game):
        raise BadGame(f"{path}: GAME is {shorten(repr(game))}, which is no Game")
    if flaw := name_flaw(game.name) or game.flaw():
        raise BadGame(f"{path}: {flaw}")
    catalog.add(game, str(place))
    _loaded[str(place)] = read
    return game


def _import(place: Path) -> object:
    """The `GAME` of a folder or file, or that of its rules."""
    inside = [str(place)] if place.is_dir() else None
    name = re.sub("[^a-z0-9-]", "_", (place.name if inside else place.stem).lower())
    package = f"{PACKAGE}.{name}" if inside else f"{PACKAGE}_{name}"
    for module in [each for each in sys.modules if f"{each}.".startswith(f"{package}.")]:
        del sys.modules[module]
        RULES.pop(module, None)
    if inside:
        sys.path_importer_cache[str(place)] = FileFinder(str(place), (_Source, [".py"]))
    found = sys.modules[package] = ModuleType(package)
    found.__path__ = inside or []
    main = place / "__init__.py" if inside else place
    if main.exists():
        loader = _Source(package, str(main))
        spec = spec_from_loader(package, loader, is_package=bool(inside))
        assert spec
        found = sys.modules[package] = module_from_spec(spec)
        loader.exec_module(found)
    if inside and not hasattr(found, "GAME"):
        if not (place / "rules.py").is_file():
            raise BadGame("there is no rules.py in this folder")
        found = import_module(f"{package}.rules")
    return vars(found).get("GAME") or Game.of(found, **({} if inside else {"name": name}))


def _where(error: BaseException, place: Path) -> str:
    """The last line of the folder that an error came by; without one, the folder."""
    calls = [
        each for each in extract_tb(error.__traceback__) if each.filename.startswith(str(place))
    ]
    line = f", line {calls[-1].lineno}" if calls else ""
    return f"{os.path.relpath(calls[-1].filename if calls else place)}{line}"
