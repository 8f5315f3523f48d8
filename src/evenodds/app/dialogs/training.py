"""Puzzles in the app: the training of the terminal, reporting to a table screen."""

from datetime import date as Date
from functools import reduce
from random import Random

from evenodds.app.dialogs.dialog import Dialog, DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import DailyAnswered, Post, Progressed, Shown, Table
from evenodds.app.dialogs.table_reports import PANEL_TITLES
from evenodds.coach.puzzles import Puzzle, parse_puzzle_key
from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.render.narration import describe_changed_rulings
from evenodds.system.errors import EvenOddsError
from evenodds.terminal.play.training import Training, names_of, no_puzzles_message
from evenodds.terminal.solving import solve_with_progress


class NoPuzzles(EvenOddsError):
    """There are no puzzles."""


class PuzzleKeyboard(DialogKeyboard):
    """The keyboard of a training: every line that is read answers the puzzle."""

    asked = False
    """Whether the question of this puzzle is on the screen already."""

    def read(self, prompt: str, unseen: bool = False) -> str:
        """Show the question once, and read the answer; the choices are on the board."""
        if not self.asked:
            with self.screen.status():
                self.screen.say(prompt.partition(" [")[0])
        self.picking = self.asked = True
        return super().read(prompt, unseen)


class TableTraining(Training):
    """A training whose positions are shown by the app."""

    help = "Pick a number. Press r for the rules, Esc to leave."
    leave_help = ""
    screen: DialogScreen
    keyboard: PuzzleKeyboard

    @property
    def title(self) -> str:
        """What stands above the board."""
        return f"{self.game.title}: puzzles"

    def run(self) -> bool:
        """Say which rules are not those of the book, and ask puzzles."""
        rules = describe_changed_rulings(self.solution.rulings)
        self.screen.say(*(f"{line}." for line in rules))
        return super().run()

    def _ask_puzzle(self, puzzle: Puzzle) -> bool:
        self._show(puzzle, asked=True)
        self.keyboard.asked = False
        return super()._ask_puzzle(puzzle)

    def _refuse(self, puzzle: Puzzle, choices: tuple[int, ...]) -> None:
        self._show(puzzle, asked=True)  # the screen takes another pick only when it is asked
        with self.screen.status(refusal=True):
            super()._refuse(puzzle, choices)

    def _judge(self, puzzle: Puzzle, number: int) -> None:
        self.screen.say("")
        super()._judge(puzzle, number)
        self._show(puzzle, asked=False)
        self.screen.post(Progressed("Press Enter to go on."))
        self.keyboard.next_line()

    def _run_command(self, word: str, puzzle: Puzzle) -> bool:
        with self.screen.panel(PANEL_TITLES.get(word, "")):
            return super()._run_command(word, puzzle)

    def _show(self, puzzle: Puzzle, asked: bool) -> None:
        choices = tuple(puzzle.pick_values.scores) if asked else ()
        seat = puzzle.seat
        view = View(
            self.game.name,
            seat,
            names_of(puzzle),
            len(puzzle.history) + 1,
            puzzle.state,
            puzzle.history,
            choices,
            (False, False),
            None,
        )
        before = reduce(self.game.step, puzzle.history[:-1], self.solution.start)
        table = Table(view, before, near=seat, asked=seat if asked else None)
        self.screen.post(Shown(table, self.title))


class DailyPuzzle(TableTraining):
    """The puzzle of a day: the same for everybody."""

    day: Date
    puzzle: Puzzle | None = None

    @property
    def title(self) -> str:
        """What stands above the board."""
        return f"Puzzle of the day: {self.game.title}"

    def _heading(self) -> str:
        return "Puzzle of the day"

    def _judge(self, puzzle: Puzzle, number: int) -> None:
        self.screen.post(DailyAnswered(self.day.isoformat(), number == puzzle.answer))
        super()._judge(puzzle, number)

    def _next(self) -> Puzzle | None:
        puzzle, self.puzzle = self.puzzle, None
        return puzzle


def training_dialog(terms: Terms, rng: Random, post: Post) -> Dialog:
    """The dialog of a training under some terms; `NoPuzzles` where there are none."""
    screen = DialogScreen(post)
    keyboard = PuzzleKeyboard(screen)

    def run() -> int:
        solution = solve_with_progress(terms)
        if not TableTraining(solution, screen, rng, keyboard).run():
            raise NoPuzzles(no_puzzles_message(solution))
        return 0

    return Dialog(screen, keyboard, run, commands=("rules",))


def daily_dialog(day: Date, post: Post) -> Dialog:
    """The dialog of the puzzle of a day."""
    screen = DialogScreen(post)
    keyboard = PuzzleKeyboard(screen)

    def run() -> int:
        key = parse_puzzle_key(day.isoformat())
        solution = solve_with_progress(key.terms)
        training = DailyPuzzle(solution, screen, Random(), keyboard)
        training.day, training.puzzle = day, key.puzzle(solution)
        training.run()
        return 0

    return Dialog(screen, keyboard, run, commands=("rules",))
