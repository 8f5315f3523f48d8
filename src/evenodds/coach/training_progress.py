"""Training progress of a player: one JSON file for each game, saved at every answer."""

import json
from math import exp
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.system.files import rename_damaged, replace_file
from evenodds.system.paths import data_folder, private_folder

if TYPE_CHECKING:
    from pathlib import Path

TRAINING_FOLDER: Final = "training"
MAX_REMEMBERED_PUZZLES: Final = 200
"""Puzzles seen last, which are not asked again."""
MAX_STRENGTH: Final = 50.0
STRENGTH_STEP: Final = 0.5
"""How far an answer with probability 0 moves the strength (the K factor of an Elo update)."""


class TrainingProgress(NamedTuple):
    """The progress of a player under some rulings. The fields are the keys of the file."""

    tried: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0
    strength: float = 1.0
    """The difficulty at which the player solves half of the puzzles (logistic model)."""
    seen: tuple[str, ...] = ()

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
        self.path: Path = data_folder() / TRAINING_FOLDER / f"{game}.json"
        self._progress, self.note = self._load()

    def progress(self, rulings: str) -> TrainingProgress:
        """The progress under these rulings."""
        return self._progress.get(rulings, TrainingProgress())

    def enter(self, rulings: str, key: str, difficulty: float, right: bool) -> str:
        """Save one more answer; returns a note where that failed, or a damaged file was replaced.

        The file is read again first, so that answers given in another process are kept.
        """
        stored, note = self._load()
        self._progress = stored if stored and not note else self._progress
        self._progress[rulings] = self.progress(rulings).after(key, difficulty, right)
        data = {rulings: progress._asdict() for rulings, progress in self._progress.items()}
        try:
            private_folder(TRAINING_FOLDER)
            replace_file(self.path, json.dumps(data) + "\n")
        except OSError as error:
            return f"Your progress cannot be kept: {error.strerror or error}."
        return note

    def _load(self) -> tuple[dict[str, TrainingProgress], str]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            return {rulings: _checked(fields) for rulings, fields in data.items()}, ""
        except FileNotFoundError:
            return {}, ""
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}, f"Your progress could not be read; {self._put_aside()}."

    def _put_aside(self) -> str:
        """Rename a damaged file instead of overwriting it; returns where it is."""
        try:
            return f"its file is now {rename_damaged(self.path, self.path.with_suffix('.damaged'))}"
        except OSError as error:
            return f"its file stays where it is: {error.strerror or error}"


def _checked(fields: dict[str, Any]) -> TrainingProgress:
    """Progress from the data of a file; `ValueError` or `TypeError` where it is damaged."""
    progress = TrainingProgress(**fields)
    whole = (progress.tried, progress.solved, progress.streak, progress.best)
    if not all(type(number) is int and number >= 0 for number in whole):
        raise ValueError("progress is counted in whole numbers")
    if not isinstance(progress.strength, float) or not abs(progress.strength) <= MAX_STRENGTH:
        raise ValueError("a strength is a number")
    if not progress.streak <= progress.best <= progress.solved <= progress.tried:
        raise ValueError("nobody solves more than they try")
    if not all(isinstance(key, str) for key in progress.seen):
        raise ValueError("a puzzle is told by its key")
    return progress._replace(seen=tuple(progress.seen))
