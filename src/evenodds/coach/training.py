"""A training: puzzles one after the other, near the strength of who solves them."""

from random import Random
from typing import Final

from evenodds.coach.puzzles import (
    MAX_EXAMINED_POSITIONS,
    Puzzle,
    all_puzzles,
    explain_puzzle,
    find_puzzles,
    judge_answer,
    nearest_puzzle,
)
from evenodds.coach.training_progress import TrainingProgress, TrainingProgressFile
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.vocabulary import FIRST
from evenodds.core.words import OPPONENT, Names
from evenodds.engine.solution import Solution
from evenodds.figures import counted
from evenodds.system import EvenOddsError

EXHAUSTIVE_SEARCH_MAX_POSITIONS: Final = 3000
"""Positions that are all looked at before it is said that there are no puzzles."""


class NoPuzzles(EvenOddsError):
    """There are no puzzles, and why."""


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
        """A puzzle that was not seen lately, or any there is; `NoPuzzles` where there is none."""
        for seen in (frozenset(self.progress.seen), frozenset[str]()):
            if found := find_puzzles(self.solution, self.rng, seen):
                break
        if not found and self.solution.positions <= EXHAUSTIVE_SEARCH_MAX_POSITIONS:
            found = all_puzzles(self.solution)
        if not found:
            raise NoPuzzles(self._no_puzzles())
        self._last = nearest_puzzle(found, self.progress.strength, self._last)
        return self._last

    def judge(self, puzzle: Puzzle, number: int) -> list[str]:
        """What is to be said of an answer; it is on disk when this returns."""
        right = number == puzzle.answer
        note = self.progress_file.enter(self.rulings, puzzle.keys[0], puzzle.difficulty, right)
        said = [judge_answer(puzzle, number), *explain_puzzle(puzzle), *filter(None, [note])]
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


def names_of(puzzle: Puzzle) -> Names:
    """What the players of a puzzle are called."""
    players = ("You", OPPONENT) if puzzle.seat == FIRST else (OPPONENT, "You")
    return Names(players, you=puzzle.seat)
