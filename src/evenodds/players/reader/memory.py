"""Storage of what the reader has learned: one JSON file for each person's name.

People without a name of their own are remembered for as long as the program runs.
"""

import json
import re
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from evenodds.players.reader.habits import (
    HABITS,
    MAX_DECAYED_COUNT,
    PREDICTOR_NAMES,
    ObservedPick,
    OpponentModel,
)
from evenodds.system.files import put_aside, replace_file
from evenodds.system.locks import Lock
from evenodds.system.paths import data_folder, private_folder
from evenodds.system.text import brief, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HABITS_FOLDER: Final = "habits"
MAX_FILE_CHARACTERS: Final = 1 << 20
"""Characters of a file that could be what a reader remembers."""

MAX_PICKS: Final = 10**9
"""More than anybody makes."""
MAX_BELIEF: Final = 1000.0
"""More than any habit earns or loses: ten times the logarithm of how many numbers are open."""


def folder() -> "Path":
    """The folder of what readers remember."""
    return data_folder() / HABITS_FOLDER


class ReaderMemory:
    """Knowledge of people by name and game."""

    def __init__(self) -> None:
        self._strangers: dict[str, OpponentModel] = {}
        self._faults: list[str] = []

    def recall(self, name: str, game: str) -> OpponentModel:
        """What is known of someone in a game; nothing, if nothing can be read.

        A file that is damaged is put aside, so that nothing is written over it.
        """
        if not name:
            return self._strangers.get(game, OpponentModel())
        if is_damaged(name):
            self._faults.append(_put_aside(name))
        return OpponentModel(read(name).get(game))

    def faults(self) -> list[str]:
        """What could not be recalled or kept since this was last asked, a line for each."""
        told, self._faults = self._faults, []
        return told

    def learn(self, name: str, game: str, lessons: list[ObservedPick]) -> None:
        """Add lessons to what is known by now, be it from another window.

        Where the disk does not take it, play goes on without, and that is a fault to be told.
        """
        if not name:
            self._strangers[game] = _updated_model(self.recall(name, game), lessons)
            return
        try:
            private_folder(HABITS_FOLDER)
            with _file_lock(name):
                known = _updated_model(self.recall(name, game), lessons)
                games = read(name) | {game: known.as_data()}
                text = json.dumps({"name": name, "games": games}, ensure_ascii=False, indent=1)
                replace_file(_path(name), text + "\n")
        except OSError as error:
            what = f"What the reader learned of {brief(name)} cannot be kept"
            self._faults.append(f"{what}: {error.strerror or error}.")


class NoMemory(ReaderMemory):
    """A memory that holds nobody: each match begins with a stranger."""

    def recall(self, name: str, game: str) -> OpponentModel:
        """Nothing."""
        return OpponentModel()

    def learn(self, name: str, game: str, lessons: list[ObservedPick]) -> None:
        """Forget it."""


SHARED_MEMORY: Final = ReaderMemory()
"""What the readers of this process share."""


def remembered_names() -> list[str]:
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


class RemovedFiles(NamedTuple):
    """What was removed of someone."""

    known: bool
    """Whether there was a file about them in use."""
    damaged: int
    """How many damaged ones were put aside."""


def forget(name: str) -> RemovedFiles:
    """Remove all that is remembered of someone, and all that was put aside."""
    path = _path(name)
    aside = re.compile(re.escape(path.name) + r"\.damaged[0-9]*")
    if not folder().is_dir():
        return RemovedFiles(False, 0)
    with _file_lock(name):
        found = {file.name: file for file in folder().iterdir()}
        damaged = [file for name, file in found.items() if aside.fullmatch(name)]
        for file in (*damaged, path, path.with_name(f"{path.name}.new")):
            file.unlink(missing_ok=True)
    return RemovedFiles(path.name in found, len(damaged))


def is_damaged(name: str) -> bool:
    """Whether there is a file about someone that cannot be what a reader has written."""
    return _load(_path(name)) is None and _path(name).is_file()


def _put_aside(name: str) -> str:
    """Rename the damaged file about someone; one line that says so."""
    path = _path(name)
    what = f"What the reader remembers of {brief(name)} is damaged"
    try:
        aside = put_aside(path, path.with_name(f"{path.name}.damaged"))
    except OSError as error:
        return f"{what}, and the file cannot be put aside: {error.strerror or error}."
    return f"{what}; it begins anew, and the file is kept as {printable(aside.name)}."


def _updated_model(knowledge: OpponentModel, lessons: list[ObservedPick]) -> OpponentModel:
    """What is known after more lessons."""
    taught = knowledge.copy()
    for lesson in lessons:
        taught.learn(lesson)
    return taught


@contextmanager
def _file_lock(name: str) -> "Iterator[None]":
    """While one process changes what is remembered of someone, others wait."""
    path = _path(name)
    lock = Lock(path.with_name(f"{path.name}.lock"), wait=True)
    try:
        yield
    finally:
        lock.release()


def _path(name: str) -> "Path":
    return folder() / f"{quote(name, safe='')}.json"


def _load(path: "Path") -> dict[str, Any] | None:
    try:
        with path.open(encoding="utf-8") as file:
            kept = json.loads(file.read(MAX_FILE_CHARACTERS))
        for knowledge in kept["games"].values():
            _check(knowledge)
        return {"name": str(kept["name"]), "games": dict(kept["games"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _check(knowledge: dict[str, Any]) -> None:
    """Refuse what no reader can have written: names it does not know, numbers out of reach."""
    seen, counts, belief = (knowledge[key] for key in ("picks", "counts", "belief"))
    sound = type(seen) is int and 0 <= seen <= MAX_PICKS
    sound = sound and all(_is_count(habit, told) for habit, told in counts.items())
    sound = sound and all(
        name in PREDICTOR_NAMES and _is_number(weight) and abs(weight) <= MAX_BELIEF
        for name, weight in belief.items()
    )
    if not sound:
        raise ValueError("no knowledge")


def _is_count(name: str, told: dict[str, dict[str, Any]]) -> bool:
    """Whether a habit can have counted so."""
    habit = next((habit for habit in HABITS if habit.name == name), None)
    return habit is not None and all(
        habit.knows(when, kinds)
        and all(_is_number(count) and count >= 0 for count in kinds.values())
        and sum(kinds.values()) <= MAX_DECAYED_COUNT + 1
        for when, kinds in told.items()
    )


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)
