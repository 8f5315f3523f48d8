"""Storage of the reader's opponent models: one JSON file for each person's name.

Models of people without a name of their own stay in memory only.
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
from evenodds.system.files import rename_damaged, replace_file
from evenodds.system.locks import Lock
from evenodds.system.paths import data_folder, private_folder
from evenodds.system.text import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HABITS_FOLDER: Final = "habits"
MAX_FILE_CHARACTERS: Final = 1 << 20
"""The largest file that is read; a model takes a few kilobytes."""

MAX_COUNTED_PICKS: Final = 10**9
"""The limit of a plausible count of picks."""
MAX_LOG_SCORE: Final = 1000.0
"""The limit of a plausible log score: decay bounds it to ten times the log of the choices."""


def folder() -> "Path":
    """The folder of the stored models."""
    return data_folder() / HABITS_FOLDER


class ReaderMemory:
    """Opponent models by name and game."""

    def __init__(self) -> None:
        self._unnamed_models: dict[str, OpponentModel] = {}
        self._faults: list[str] = []

    def load_model(self, name: str, game: str) -> OpponentModel:
        """The model of a person in a game; an empty one where nothing can be read.

        A damaged file is renamed, so that nothing is written over it.
        """
        if not name:
            return self._unnamed_models.get(game, OpponentModel())
        if is_damaged(name):
            self._faults.append(_put_aside(name))
        return OpponentModel(read(name).get(game))

    def take_faults(self) -> list[str]:
        """Read and write errors since the last call, a line for each."""
        faults, self._faults = self._faults, []
        return faults

    def learn(self, name: str, game: str, observations: list[ObservedPick]) -> None:
        """Add observations to the model, which another process may have changed since it was read.

        A write error is noted as a fault, and play goes on.
        """
        if not name:
            self._unnamed_models[game] = _updated_model(self.load_model(name, game), observations)
            return
        try:
            private_folder(HABITS_FOLDER)
            with _file_lock(name):
                known = _updated_model(self.load_model(name, game), observations)
                games = read(name) | {game: known.as_data()}
                text = json.dumps({"name": name, "games": games}, ensure_ascii=False, indent=1)
                replace_file(_path(name), text + "\n")
        except OSError as error:
            what = f"What the reader learned of {shorten(name)} cannot be kept"
            self._faults.append(f"{what}: {error.strerror or error}.")


class NoMemory(ReaderMemory):
    """A memory that stores nothing: each match begins with an empty model."""

    def load_model(self, name: str, game: str) -> OpponentModel:
        """An empty model."""
        return OpponentModel()

    def learn(self, name: str, game: str, observations: list[ObservedPick]) -> None:
        """Do nothing."""


SHARED_MEMORY: Final = ReaderMemory()
"""The memory of all readers in this process."""


def remembered_names() -> list[str]:
    """The names of all people with a stored model."""
    found = []
    for path in sorted(folder().glob("*.json")) if folder().is_dir() else []:
        stored = _load(path)
        if stored is not None:
            found.append(stored["name"])
    return found


def read(name: str) -> dict[str, Any]:
    """The stored models of a person by game, as data; empty for a missing or damaged file."""
    stored = _load(_path(name))
    return stored["games"] if stored is not None else {}


class RemovedFiles(NamedTuple):
    """What `forget` has removed."""

    known: bool
    """Whether there was a file in use."""
    damaged: int
    """The number of damaged files that had been renamed."""


def forget(name: str) -> RemovedFiles:
    """Remove the stored models of a person, damaged files included."""
    path = _path(name)
    damaged_name = re.compile(re.escape(path.name) + r"\.damaged[0-9]*")
    if not folder().is_dir():
        return RemovedFiles(False, 0)
    with _file_lock(name):
        found = {file.name: file for file in folder().iterdir()}
        damaged = [file for name, file in found.items() if damaged_name.fullmatch(name)]
        for file in (*damaged, path, path.with_name(f"{path.name}.new")):
            file.unlink(missing_ok=True)
    return RemovedFiles(path.name in found, len(damaged))


def is_damaged(name: str) -> bool:
    """Whether there is a file for a person that is not valid."""
    return _load(_path(name)) is None and _path(name).is_file()


def _put_aside(name: str) -> str:
    """Rename the damaged file of a person; one line that says so."""
    path = _path(name)
    what = f"What the reader remembers of {shorten(name)} is damaged"
    try:
        renamed = rename_damaged(path, path.with_name(f"{path.name}.damaged"))
    except OSError as error:
        return f"{what}, and the file cannot be put aside: {error.strerror or error}."
    return f"{what}; it begins anew, and the file is kept as {printable(renamed.name)}."


def _updated_model(model: OpponentModel, observations: list[ObservedPick]) -> OpponentModel:
    updated = model.copy()
    for observation in observations:
        updated.learn(observation)
    return updated


@contextmanager
def _file_lock(name: str) -> "Iterator[None]":
    """Hold the lock file of a person: reading, changing and writing a model is one step."""
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
            stored = json.loads(file.read(MAX_FILE_CHARACTERS))
        for model in stored["games"].values():
            _check(model)
        return {"name": str(stored["name"]), "games": dict(stored["games"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _check(model: dict[str, Any]) -> None:
    """`ValueError` for data that no reader can have written: unknown names, values out of range."""
    seen, counts, belief = (model[key] for key in ("picks", "counts", "belief"))
    valid = type(seen) is int and 0 <= seen <= MAX_COUNTED_PICKS
    valid = valid and all(
        _is_count(habit, by_circumstance) for habit, by_circumstance in counts.items()
    )
    valid = valid and all(
        name in PREDICTOR_NAMES and _is_number(log_score) and abs(log_score) <= MAX_LOG_SCORE
        for name, log_score in belief.items()
    )
    if not valid:
        raise ValueError("no knowledge")


def _is_count(name: str, by_circumstance: dict[str, dict[str, Any]]) -> bool:
    habit = next((habit for habit in HABITS if habit.name == name), None)
    return habit is not None and all(
        habit.knows(when, kinds)
        and all(_is_number(count) and count >= 0 for count in kinds.values())
        and sum(kinds.values()) <= MAX_DECAYED_COUNT + 1
        for when, kinds in by_circumstance.items()
    )


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)
