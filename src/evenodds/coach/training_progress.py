"""Training progress of a player: one JSON file for each game, saved at every answer."""

from contextlib import ExitStack, suppress
from math import exp
from typing import Annotated, Final

from msgspec import Meta, Struct

from evenodds.system.files import data_folder, private_folder
from evenodds.system.json_store import JsonStore

TRAINING_FOLDER: Final = "training"
MAX_REMEMBERED_PUZZLES: Final = 200
"""Puzzles seen last, which are not asked again."""
MAX_STRENGTH: Final = 50.0
STRENGTH_STEP: Final = 0.5
"""How far an answer with probability 0 moves the strength (the K factor of an Elo update)."""

Count = Annotated[int, Meta(ge=0)]


class TrainingProgress(Struct, frozen=True):
    """The progress of a player under some rulings. The fields are the keys of the file."""

    tried: Count = 0
    solved: Count = 0
    streak: Count = 0
    best: Count = 0
    strength: Annotated[float, Meta(ge=-MAX_STRENGTH, le=MAX_STRENGTH)] = 1.0
    """The difficulty at which the player solves half of the puzzles (logistic model)."""
    seen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.streak <= self.best <= self.solved <= self.tried:
            raise ValueError("nobody solves more than they try")

    def after(self, key: str, difficulty: float, right: bool) -> "TrainingProgress":
        """The progress after one more answer; the strength is updated as in Elo ratings."""
        likely = 1 / (1 + exp(difficulty - self.strength))
        streak = self.streak + 1 if right else 0
        return TrainingProgress(
            self.tried + 1,
            self.solved + right,
            streak,
            max(self.best, streak),
            max(-MAX_STRENGTH, min(MAX_STRENGTH, self.strength + STRENGTH_STEP * (right - likely))),
            (*self.seen, key)[-MAX_REMEMBERED_PUZZLES:],
        )


class TrainingProgressFile:
    """The progress file of one game, by rulings as they are typed."""

    def __init__(self, game: str) -> None:
        path = data_folder() / TRAINING_FOLDER / f"{game}.json"
        self._store = JsonStore(path, dict[str, TrainingProgress])
        self._progress: dict[str, TrainingProgress] = {}
        self.note = ""
        """What is not understood in the file, in a sentence; empty where all is."""
        self._load()

    def progress(self, rulings: str) -> TrainingProgress:
        """The progress under these rulings."""
        return self._progress.get(rulings, TrainingProgress())

    def enter(self, rulings: str, key: str, difficulty: float, right: bool) -> str:
        """Save one more answer; returns a note where that failed, or the file is newly damaged.

        The file is locked and read again first, so that answers given in another process are kept.
        """
        with ExitStack() as held:
            with suppress(OSError):  # saving fails then, too, and says so
                private_folder(TRAINING_FOLDER)
                held.enter_context(self._store.locked())
            note = self._load()
            self._progress[rulings] = self.progress(rulings).after(key, difficulty, right)
            try:
                self._store.save(self._progress)
            except OSError as error:
                return f"Your progress cannot be kept: {error.strerror or error}."
        return note

    def _load(self) -> str:
        """Read what the file holds, or else go on with what is known; a note not yet told."""
        found, told = self._store.load(), self.note
        self._progress |= found.value
        self.note = found.note
        return found.note if found.note != told else ""
