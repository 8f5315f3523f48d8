"""What readers remember of people: a small file for each name in the data folder.

People without a name of their own are remembered for as long as the program runs.
"""

import json
from itertools import count
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from evenodds.files import replace_file
from evenodds.home import home
from evenodds.players.habits import Knowledge
from evenodds.text import brief, printable

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 1 << 20
"""Characters of a file that could be what a reader remembers."""


def folder() -> "Path":
    """The folder of what readers remember."""
    return home() / "habits"


class Memory:
    """Knowledge of people by name and game."""

    def __init__(self) -> None:
        self._strangers: dict[str, Knowledge] = {}
        self._faults: list[str] = []

    def recall(self, name: str, game: str) -> Knowledge:
        """What is known of someone in a game; nothing, if nothing can be read.

        A file that is damaged is put aside, so that nothing is written over it.
        """
        if not name:
            return self._strangers.get(game, Knowledge())
        if is_damaged(name):
            self._faults.append(_put_aside(name))
        return Knowledge(read(name).get(game))

    def faults(self) -> list[str]:
        """What could not be recalled since this was last asked, a line for each."""
        told, self._faults = self._faults, []
        return told

    def keep(self, name: str, game: str, knowledge: Knowledge) -> None:
        """Remember someone; where the disk does not take it, play goes on without."""
        if not name:
            self._strangers[game] = knowledge
            return
        games = read(name) | {game: knowledge.as_data()}
        text = json.dumps({"name": name, "games": games}, ensure_ascii=False, indent=1)
        try:
            folder().mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(_path(name), text + "\n", mode=0o600)
        except OSError:
            self._strangers.pop(game, None)


class Fleeting(Memory):
    """A memory that holds nobody: each match begins with a stranger."""

    def recall(self, name: str, game: str) -> Knowledge:
        """Nothing."""
        return Knowledge()

    def keep(self, name: str, game: str, knowledge: Knowledge) -> None:
        """Forget it."""


MEMORY: Final = Memory()
"""What the readers of this process share."""


def names() -> list[str]:
    """Everyone who is remembered."""
    found = []
    for path in sorted(folder().glob("*.json")) if folder().is_dir() else []:
        kept = _load(path)
        if kept is not None:
            found.append(kept["name"])
    return found


def read(name: str) -> dict[str, Any]:
    """What is remembered of someone, by game; nothing where a file is not what it should be."""
    kept = _load(_path(name))
    return kept["games"] if kept is not None else {}


def forget(name: str) -> bool:
    """Remove all that is remembered of someone; whether there was anything."""
    try:
        _path(name).unlink()
    except FileNotFoundError:
        return False
    return True


def is_damaged(name: str) -> bool:
    """Whether there is a file about someone that cannot be what a reader has written."""
    return _load(_path(name)) is None and _path(name).is_file()


def _put_aside(name: str) -> str:
    """Rename the damaged file about someone; one line that says so."""
    path = _path(name)
    for number in count(1):
        aside = path.with_name(f"{path.name}.damaged{number if number > 1 else ''}")
        if not aside.exists():
            break
    what = f"What the reader remembers of {brief(name)} is damaged"
    try:
        path.rename(aside)
    except OSError as error:
        return f"{what}, and the file cannot be put aside: {error.strerror or error}."
    return f"{what}; it begins anew, and the file is kept as {printable(aside.name)}."


def _path(name: str) -> "Path":
    return folder() / f"{quote(name, safe='')}.json"


def _load(path: "Path") -> dict[str, Any] | None:
    try:
        with path.open(encoding="utf-8") as file:
            kept = json.loads(file.read(LARGEST))
        for knowledge in kept["games"].values():
            _check(knowledge)
        return {"name": str(kept["name"]), "games": dict(kept["games"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _check(knowledge: dict[str, Any]) -> None:
    """Refuse what is no knowledge: counts and beliefs are numbers."""
    counts = [
        count
        for told in knowledge["counts"].values()
        for kinds in told.values()
        for count in kinds.values()
    ]
    numbers = [knowledge["picks"], *counts, *knowledge["belief"].values()]
    if not all(isinstance(number, int | float) and number == number for number in numbers):
        raise ValueError("not a number")
    if min([knowledge["picks"], *counts], default=0) < 0:
        raise ValueError("less than nothing")
