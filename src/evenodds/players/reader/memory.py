"""Storage of the reader's opponent models: one JSON file for each person's name.

Models of people without a name of their own stay in memory only.
"""

import re
from copy import deepcopy
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from evenodds.players.reader.habits import ObservedPick, OpponentModel
from evenodds.system.files import data_folder, private_folder
from evenodds.system.json_store import JsonStore
from evenodds.system.text import shorten

HABITS_FOLDER: Final = "habits"


class RememberedPerson(Struct):
    """The models of a person by game. The fields are the keys of the file."""

    name: str = ""
    games: dict[str, OpponentModel] = {}


class ReaderMemory:
    """Opponent models by name and game."""

    def __init__(self) -> None:
        self._unnamed_models: dict[str, OpponentModel] = {}
        self._faults: list[str] = []
        self._told: set[str] = set()

    def load_model(self, name: str, game: str) -> OpponentModel:
        """The model of a person in a game; an empty one where nothing is understood."""
        if not name:
            return deepcopy(self._unnamed_models.get(game, OpponentModel()))
        new = set(notes(name)) - self._told
        self._told |= new
        self._faults += new
        return read(name).get(game, OpponentModel())

    def take_faults(self) -> list[str]:
        """Read and write errors since the last call, a line for each."""
        faults, self._faults = self._faults, []
        return faults

    def learn(self, name: str, game: str, observations: list[ObservedPick]) -> None:
        """Add observations to the model, which another process may have changed since it was read.

        A write error is noted as a fault, and play goes on.
        """
        if not name:
            self._unnamed_models[game] = self._learned(name, game, observations)
            return
        try:
            private_folder(HABITS_FOLDER)
            store = _store(name)
            with store.locked():
                model = self._learned(name, game, observations)
                store.save(RememberedPerson(name, read(name) | {game: model}))
        except OSError as error:
            what = f"What the reader learned of {shorten(name)} cannot be kept"
            self._faults.append(f"{what}: {error.strerror or error}.")

    def _learned(self, name: str, game: str, observations: list[ObservedPick]) -> OpponentModel:
        model = self.load_model(name, game)
        for observation in observations:
            model.learn(observation)
        return model


SHARED_MEMORY: Final = ReaderMemory()
"""The memory of all readers in this process that remember."""


def remembered_names() -> list[str]:
    """The names of all people with a stored model."""
    return [name for store in _stores() if (name := store.load().value.name)]


def read(name: str) -> dict[str, OpponentModel]:
    """The stored models of a person by game; empty for a missing or damaged file."""
    return _store(name).load().value.games


def notes(name: str | None = None) -> list[str]:
    """What is not understood in the file of a person, or in all: a sentence for each."""
    stores = _stores() if name is None else [_store(name)]
    return [note for store in stores if (note := store.load().note)]


def forget(name: str) -> tuple[bool, int]:
    """Remove the stored models of a person; whether there were any, and how many damaged files."""
    store = _store(name)
    path = store.path
    if not path.parent.is_dir():
        return False, 0
    damaged_name = re.compile(re.escape(path.name) + r"\.damaged[0-9]*")
    with store.locked():
        known = path.exists()
        damaged = [file for file in path.parent.iterdir() if damaged_name.fullmatch(file.name)]
        for file in (*damaged, path, path.with_name(f"{path.name}.new")):
            file.unlink(missing_ok=True)
    return known, len(damaged)


def _store(name: str) -> JsonStore[RememberedPerson]:
    file = data_folder() / HABITS_FOLDER / f"{quote(name, safe='')}.json"
    return JsonStore(file, RememberedPerson)


def _stores() -> list[JsonStore[RememberedPerson]]:
    files = sorted((data_folder() / HABITS_FOLDER).glob("*.json"))
    return [JsonStore(file, RememberedPerson) for file in files]
