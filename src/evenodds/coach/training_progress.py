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
"""Puzzles that do not come up again soon."""
MAX_STRENGTH: Final = 50.0
STRENGTH_STEP: Final = 0.5
"""How far an answer that nobody could foresee moves the strength."""


class TrainingProgress(NamedTuple):
    """How a player has done under some rulings."""

    tried: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0
    strength: float = 1.0
    """The difficulty at which a player is right every other time."""
    seen: tuple[str, ...] = ()

    def after(self, key: str, difficulty: float, right: bool) -> "TrainingProgress":
        """One more answer: a streak goes on or ends, and the strength follows what was likely."""
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
    """The progress in one game, by rulings as they are typed."""

    def __init__(self, game: str) -> None:
        self.path: Path = data_folder() / TRAINING_FOLDER / f"{game}.json"
        self._kept, self.note = self._load()

    def progress(self, rulings: str) -> TrainingProgress:
        """How far the player has come under these rulings."""
        return self._kept.get(rulings, TrainingProgress())

    def enter(self, rulings: str, key: str, difficulty: float, right: bool) -> str:
        """Put one more answer on disk; a note where that could not be done, or not as it should.

        What was entered in another window meanwhile counts too.
        """
        kept, note = self._load()
        self._kept = kept if kept and not note else self._kept
        self._kept[rulings] = self.progress(rulings).after(key, difficulty, right)
        data = {key: kept._asdict() for key, kept in self._kept.items()}
        try:
            private_folder(TRAINING_FOLDER)
            replace_file(self.path, json.dumps(data) + "\n")
        except OSError as error:
            return f"Your progress cannot be kept: {error.strerror or error}."
        return note

    def _load(self) -> tuple[dict[str, TrainingProgress], str]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            return {key: _checked(kept) for key, kept in data.items()}, ""
        except FileNotFoundError:
            return {}, ""
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}, f"Your progress could not be read; {self._put_aside()}."

    def _put_aside(self) -> str:
        """Keep a damaged file beside the one that is written from now on; where it is."""
        try:
            return f"its file is now {rename_damaged(self.path, self.path.with_suffix('.damaged'))}"
        except OSError as error:
            return f"its file stays where it is: {error.strerror or error}"


def _checked(kept: dict[str, Any]) -> TrainingProgress:
    """Progress from a file, or ValueError or TypeError."""
    progress = TrainingProgress(**kept)
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
