"""Interactive puzzles in the terminal, each explained from the exact solution."""

from random import Random
from typing import TYPE_CHECKING, Final

from evenodds.coach.puzzles import (
    MAX_EXAMINED_POSITIONS,
    Puzzle,
    all_puzzles,
    explain_puzzle,
    find_puzzles,
    judge_answer,
    nearest_puzzle,
    puzzle_question,
)
from evenodds.coach.training_progress import TrainingProgress, TrainingProgressFile
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.vocabulary import FIRST
from evenodds.core.words import OPPONENT, Names
from evenodds.figures import counted
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play import input_parsing
from evenodds.terminal.play.commands import QuitMatch, format_choices
from evenodds.terminal.reports.rules import show_rules
from evenodds.terminal.screen import Screen

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution

EXHAUSTIVE_SEARCH_MAX_POSITIONS: Final = 3000
"""Positions that are all looked at before it is said that there are no puzzles."""


class Training:
    """A training session with the puzzles of one game."""

    help = "Type a number, or board, rules or quit."
    leave_help = ", or type quit"

    def __init__(
        self,
        solution: "Solution",
        screen: Screen,
        rng: Random,
        keyboard: Keyboard | None = None,
    ) -> None:
        self.solution = solution
        self.game = solution.game
        self.screen = screen
        self.keyboard = keyboard or Keyboard(screen)
        self.rng = rng
        self._last: Puzzle | None = None
        """The puzzle asked last: the next one teaches something else."""
        self.progress_file = TrainingProgressFile(self.game.name)
        self.rulings = format_rulings(ruling_texts(solution.rulings, changed_only=True))

    @property
    def progress(self) -> TrainingProgress:
        """The stored progress of the player."""
        return self.progress_file.progress(self.rulings)

    def run(self) -> bool:
        """Ask puzzles until the player quits; False where there are none."""
        if self.progress_file.note:
            self.screen.say(self.progress_file.note)
        puzzle = self._next()
        if puzzle is None:
            return False
        intro = [f"Puzzles from {self.game.title}.", self._so_far(), self.help]
        self.screen.say(" ".join(filter(None, intro)))
        try:
            with self.keyboard.restoring_terminal():
                while puzzle is not None and self._ask_puzzle(puzzle):
                    puzzle = self._next()
        except (KeyboardInterrupt, QuitMatch):
            self.screen.say("", *filter(None, [self._so_far()]))
            raise
        self.screen.say(*["", self._so_far()] if self._so_far() else [])
        return True

    def _next(self) -> Puzzle | None:
        """A puzzle near the player's strength that was not seen lately, or any there is."""
        for seen in (frozenset(self.progress.seen), frozenset[str]()):
            found = find_puzzles(self.solution, self.rng, seen)
            if found:
                return nearest_puzzle(found, self.progress.strength, self._last)
        rare = (
            all_puzzles(self.solution)
            if self.solution.positions <= EXHAUSTIVE_SEARCH_MAX_POSITIONS
            else []
        )
        return nearest_puzzle(rare, self.progress.strength, self._last) if rare else None

    def _heading(self) -> str:
        """What stands above a puzzle."""
        return f"Puzzle {self.progress.tried + 1}"

    def _ask_puzzle(self, puzzle: Puzzle) -> bool:
        """Ask until there is an answer, and judge it; False when the player leaves."""
        self._last = puzzle
        names = names_of(puzzle)
        self.screen.say("", self._heading(), "")
        self.screen.draw(self.game.words.board(puzzle.state, names))
        choices = tuple(puzzle.pick_values.scores)
        question = f"{puzzle_question(puzzle)} [{', '.join(map(str, choices))}]:"
        while True:
            try:
                line = self.keyboard.read(question)
            except EOFError:
                return False
            number = input_parsing.parse_number(line)
            if number in choices and number is not None:
                self._judge(puzzle, number)
                return True
            word = input_parsing.parse_command(line)
            if not word:
                self._refuse(puzzle, choices)
            elif not self._run_command(word, puzzle):
                return False

    def _refuse(self, puzzle: Puzzle, choices: tuple[int, ...]) -> None:
        """Say what can be picked."""
        self.screen.say(f"Please pick {format_choices(choices)}{self.leave_help}.")

    def _run_command(self, word: str, puzzle: Puzzle) -> bool:
        """Do what a command asks for; False for the one that leaves."""
        if word == "quit":
            return False
        if word == "board":
            self.screen.draw(self.game.words.board(puzzle.state, names_of(puzzle)))
        elif word == "rules":
            show_rules(self.game, self.screen, self.solution.rulings)
        else:
            self.screen.say(self.help)
        return True

    def _judge(self, puzzle: Puzzle, number: int) -> None:
        """Store the answer, then explain it: it must be on disk before anything can interrupt."""
        right = number == puzzle.answer
        note = self.progress_file.enter(self.rulings, puzzle.keys[0], puzzle.difficulty, right)
        self.screen.say(judge_answer(puzzle, number), *explain_puzzle(puzzle))
        self.screen.say(*filter(None, [note]))
        streak = self.progress.streak
        if right and streak > 1:
            self.screen.say(f"{streak} in a row.")

    def _so_far(self) -> str:
        done = self.progress
        if not done.tried:
            return ""
        said = f"You have solved {done.solved} of {counted(done.tried, 'puzzles')}."
        if done.best < 2:
            return said
        now = f", now {done.streak}" if 1 < done.streak < done.best else ""
        return f"{said} Your longest streak is {done.best}{now}."


def no_puzzles_message(solution: "Solution") -> str:
    """Why there are no puzzles, once all or very many positions were looked at."""
    title = solution.game.title
    if solution.positions > EXHAUSTIVE_SEARCH_MAX_POSITIONS:
        return f"{title}: no puzzle was found in {MAX_EXAMINED_POSITIONS} positions."
    said = (
        f"{title} has no puzzles with these rulings: in no position is one pick clearly best or "
        "clearly a mistake."
    )
    lively = format_rulings(dict(solution.game.lively))
    return f"{said} Try --rule {lively}." if lively else said


def names_of(puzzle: Puzzle) -> Names:
    """What the players of a puzzle are called."""
    players = ("You", OPPONENT) if puzzle.seat == FIRST else (OPPONENT, "You")
    return Names(players, you=puzzle.seat)
