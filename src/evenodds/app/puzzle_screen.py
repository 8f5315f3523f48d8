"""The screen of puzzles: those of a game, one after the other, or that of a day."""

from datetime import date as Date
from functools import partial
from random import Random
from typing import Any, Final

from evenodds.app.background import compute, in_thread
from evenodds.app.board_screen import PICK, PRESS_ENTER, BoardScreen
from evenodds.coach.puzzles import Puzzle, parse_puzzle_key, puzzle_question
from evenodds.coach.training import Training
from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.words import names_to
from evenodds.engine.on_demand import solution_for
from evenodds.render.narration import describe_changed_rulings
from evenodds.table.table import TableView

HELP: Final = "Pick a number. Press r for the rules, Esc to leave."


class PuzzleScreen(BoardScreen):
    """The puzzles of a game under some terms."""

    def __init__(self, terms: Terms, seed: int | None) -> None:
        super().__init__(terms)
        self.seed = seed
        self.board_title = f"{terms.game.title}: puzzles"

    async def _follow(self) -> None:
        training = await self._begin()
        while True:
            await self._ask(training, await in_thread(training.next), training.heading)

    async def _begin(self) -> Training:
        """Solve the game, and say what was solved before."""
        solve = partial(solution_for, self.terms)
        training = Training(await compute(solve, self.status), Random(self.seed))
        self.say(*(f"{line}." for line in describe_changed_rulings(self.terms.rulings)))
        self.say(*filter(None, [training.progress_file.note]))
        self.say(" ".join([f"Puzzles from {self.terms.game.title}.", *training.so_far(), HELP]))
        return training

    async def _ask(self, training: Training, puzzle: Puzzle, heading: str) -> None:
        """Ask until there is an answer, and explain it until Enter is pressed."""
        question, choices = puzzle_question(puzzle), tuple(puzzle.pick_values.scores)
        self.say("", heading, "")
        self.say(question)
        self._show(puzzle, choices, question)
        number = 0
        while number not in choices:
            self.sent = False
            word, number = await self._entered.get()
            if word == PICK and number not in choices:
                listed = self.terms.game.words.listed(self.terms.rulings, puzzle.seat, choices)
                self.status(f"Please pick {listed}.", True)
        self._answered(number == puzzle.answer)
        said = await in_thread(partial(training.judge, puzzle, number))
        self.say("", *said)
        self._show(puzzle, (), PRESS_ENTER)
        await self._entered.get()

    def _answered(self, right: bool) -> None:
        """Take note of an answer."""

    def _show(self, puzzle: Puzzle, choices: tuple[int, ...], prompt: str) -> None:
        """Show a position with what was played last; without choices, nothing is asked."""
        seat, history, game = puzzle.seat, puzzle.history, self.terms.game
        names, round, state, chosen = names_to(seat), len(history) + 1, puzzle.state, (False, False)
        view = View(game.name, seat, names, round, state, history, choices, chosen, None)
        before = puzzle.before or game.start(self.terms.rulings)
        asked = seat if choices else None
        self.show(TableView(view, before, near=seat, asked=asked), self.board_title, prompt)


class DailyScreen(PuzzleScreen):
    """The puzzle of a day: the same for everybody."""

    def __init__(self, day: Date) -> None:
        self.day = day.isoformat()
        self.key = parse_puzzle_key(self.day)
        super().__init__(self.key.terms, None)
        self.board_title = f"Puzzle of the day: {self.terms.game.title}"

    async def _follow(self) -> None:
        training = await self._begin()
        puzzle = await in_thread(partial(self.key.puzzle, training.solution))
        await self._ask(training, puzzle, "Puzzle of the day")

    def _answered(self, right: bool) -> None:
        """Keep the first answer of the day: home tells it."""
        app: Any = self.app
        if app.settings.daily != self.day:
            app.change_settings(daily=self.day, daily_right=right)
