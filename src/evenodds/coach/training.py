"""A training: puzzles one after the other, near the strength of who solves them.

The progress of a player is one JSON file for each game, saved at every answer.
"""

from contextlib import ExitStack, suppress
from math import exp
from random import Random
from typing import Annotated, Final

from msgspec import Meta, Struct

from evenodds.coach import puzzles
from evenodds.coach.puzzles import MAX_EXAMINED_POSITIONS, Puzzle
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.engine.solution import Solution
from evenodds.figures import counted
from evenodds.system import EvenOddsError
from evenodds.system.files import data_folder, private_folder
from evenodds.system.json_store import JsonStore

EXHAUSTIVE_SEARCH_MAX_POSITIONS: Final = 3000
"""Positions that are all looked at before it is said that there are no puzzles."""
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


class Training:
    """The puzzles of one game under some rulings, and what the player has solved of them."""

    def __init__(self, solution: Solution, rng: Random) -> None:
        self.solution = solution
        self.game = solution.game
        self.rng = rng
        self._last: Puzzle | None = None
        """The puzzle asked last: the next one teaches something else."""
        self.progress_file = TrainingProgressFile(self.game.name)
        self.rulings = format_rulings(ruling_texts(solution.rulings, changed_only=True))

    @property
    def progress(self) -> TrainingProgress:
        """The stored progress of the player."""
        return self.progress_file.progress(self.rulings)

    @property
    def heading(self) -> str:
        """What stands above the next puzzle."""
        return f"Puzzle {self.progress.tried + 1}"

    def next(self) -> Puzzle:
        """A puzzle that was not seen lately, or any there is; an error says why there is none."""
        for seen in (frozenset(self.progress.seen), frozenset[str]()):
            if found := puzzles.find_puzzles(self.solution, self.rng, seen):
                break
        if not found and self.solution.positions <= EXHAUSTIVE_SEARCH_MAX_POSITIONS:
            found = puzzles.all_puzzles(self.solution)
        if not found:
            raise EvenOddsError(self._no_puzzles())
        self._last = puzzles.nearest_puzzle(found, self.progress.strength, self._last)
        return self._last

    def judge(self, puzzle: Puzzle, number: int) -> list[str]:
        """What is to be said of an answer; it is on disk when this returns."""
        right = number == puzzle.answer
        note = self.progress_file.enter(self.rulings, puzzle.keys[0], puzzle.difficulty, right)
        said = [puzzles.judge_answer(puzzle, number), *puzzles.explain_puzzle(puzzle)]
        said += filter(None, [note])
        streak = self.progress.streak
        return [*said, f"{streak} in a row."] if right and streak > 1 else said

    def so_far(self) -> list[str]:
        """How many were solved, in a line; none before the first answer."""
        done = self.progress
        if not done.tried:
            return []
        said = f"You have solved {done.solved} of {counted(done.tried, 'puzzles')}."
        if done.best < 2:
            return [said]
        now = f", now {done.streak}" if 1 < done.streak < done.best else ""
        return [f"{said} Your longest streak is {done.best}{now}."]

    def _no_puzzles(self) -> str:
        """Why there are none, once all or very many positions were looked at."""
        if self.solution.positions > EXHAUSTIVE_SEARCH_MAX_POSITIONS:
            return f"{self.game.title}: no puzzle was found in {MAX_EXAMINED_POSITIONS} positions."
        said = (
            f"{self.game.title} has no puzzles with these rulings: in no position is one pick "
            "clearly best or clearly a mistake."
        )
        lively = format_rulings(dict(self.game.lively))
        return f"{said} Try --rule {lively}." if lively else said
