"""A table as a dialog of lines: the rule book's words, and what is typed."""

from collections.abc import Callable, Container
from time import sleep
from typing import Any, Final

from evenodds.core.match import IllegalPick
from evenodds.core.vocabulary import FIRST, Seat
from evenodds.core.words import Names, Words
from evenodds.engine.on_demand import NotSolved
from evenodds.figures import join_words
from evenodds.players.player import Unavailable
from evenodds.render.narration import describe_history, format_choices
from evenodds.system import EvenOddsError
from evenodds.system.text import parse_whole, shorten
from evenodds.table.table import (
    CLAIM,
    HINT,
    QUIT,
    RESIGN,
    UNDO,
    Event,
    Notice,
    Refused,
    RoundPlayed,
    Table,
    TakenBack,
)
from evenodds.terminal.keyboard import InputInterrupted, Keyboard
from evenodds.terminal.play.replay import ending_lines
from evenodds.terminal.reports.rules import show_rules
from evenodds.terminal.screen import Screen

RESIGN_QUESTION: Final = "Do you want to resign and lose this match? (y/n)"
NOT_RESIGNED: Final = "You did not resign. The match goes on."
HIDDEN_TYPING: Final = "Your typing is hidden, so that picks stay secret."
NOT_UNDONE: Final = "Nothing is undone."
NO_HINTS: Final = "There are no hints against a person."
COMMANDS: Final = {
    "?": "what the choices are",
    "rules": "the rules of this game",
    "board": "the board once more",
    "history": "the rounds so far",
}
"""What can be typed at every table, and what it is for."""
ALIASES: Final = {"help": "?", "q": QUIT, "exit": QUIT}


class QuitMatch(Exception):
    """A player leaves."""


class Dialog:
    """The dialog at a table."""

    def __init__(
        self, table: Table, screen: Screen, keyboard: Keyboard, pace_s: float = 0.0
    ) -> None:
        self.table = table
        self.match = table.match
        self.screen = screen
        self.keyboard = keyboard
        self.pace_s = pace_s
        """Seconds between two rounds of two computers, so that people can follow."""
        self._announced = 0
        """The round whose heading was shown last."""
        self._over = False
        self._commands: dict[str, Callable[[Seat], None]] = {
            "?": self._help,
            "rules": self._rules,
            "board": self._board,
            "history": self._history,
            HINT: self._hint,
            UNDO: self._undo,
            RESIGN: self._resign,
            QUIT: self._quit,
            CLAIM: self._claim,
        }

    @property
    def words(self) -> Words[Any]:
        """The texts of the game."""
        return self.match.game.words

    @property
    def names(self) -> Names:
        """What the players are called."""
        return self.match.names

    def run(self) -> None:
        """Play to the end; `QuitMatch`, EOFError, KeyboardInterrupt and errors leave before."""
        self.tell()
        self._open()
        self.keyboard.listen = self.table.listen
        try:
            while not self._over:
                self._announce()
                try:
                    if (seat := self.table.asked) is not None:
                        self._ask(seat)
                    else:
                        self._wait()
                except InputInterrupted:
                    self.screen.say("")
                self.tell()
        except EvenOddsError as error:
            if not isinstance(error, Unavailable):
                self.screen.say("")  # end the line of an open prompt
            raise
        finally:
            self.keyboard.listen = None

    def _open(self) -> None:
        """Show the opening text, and who is a computer; or where a match stands."""
        match, screen = self.match, self.screen
        if self.table.resumed:
            step = f"{match.game.round_word} {match.round}"
            screen.say(f"{match.terms.title_for(self.names)}, {step}.")
        else:
            screen.say(*self.words.opening(match.state, self.names))
            for seat, name in self.names.listed():
                if computer := match.terms.computer(seat):
                    screen.say(f"{name} is the computer ({computer}).")
        if self.table.hidden and self.keyboard.terminal:
            screen.say(HIDDEN_TYPING)
        if self.table.resumed:
            self._draw()

    def _announce(self) -> None:
        """Show the heading of each round once."""
        if self._announced != self.match.round and self.match.result is None:
            self._announced = self.match.round
            self.screen.say(*self.words.heading(self.match.state, self.match.round, self.names))

    def tell(self) -> None:
        """Say what has happened."""
        while events := self.table.events():
            for event in events:
                self._tell(event)

    def _tell(self, event: Event) -> None:
        match event:
            case RoundPlayed(before, picks, after):
                self.screen.say(*self.words.reveal(before, picks, after, self.names))
                self._after_round()
            case TakenBack():
                self.screen.say("Taken back.")
                self._announced = 0
            case Notice(lines):
                self.screen.say(*lines)
            case _:
                self._over = True
                self.screen.say(*ending_lines(self.match))

    def _after_round(self) -> None:
        """Let people look at a round; where the rule book waits for Enter, take commands, too."""
        if self.match.result:
            return
        if self.table.paced and self.pace_s:
            sleep(self.pace_s)
        played = self.match.round
        while self.words.pause and self.table.people and self.keyboard.terminal:
            self.screen.say("")
            try:
                line = self.keyboard.read(self.words.pause, unseen=True)
                if not self._run_command(line, self.table.people[0]):
                    return
            except InputInterrupted:
                self.screen.say("")
                return
            if self.match.result or self.match.round != played:
                return

    def _ask(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        prompt = self.words.prompt(self.match.state, seat, choices, self.names)
        line = self.keyboard.read(prompt, self.table.hidden)
        if self._run_command(line, seat):
            return
        try:
            self.table.pick(seat, parse_pick(line))
        except IllegalPick as error:
            unseen = self.table.hidden and self.keyboard.terminal
            problem = "That is not one of your choices" if unseen else error
            self.screen.say(f"{problem}. Choose {format_choices(choices)}, or ? for help.")

    def _wait(self) -> None:
        """Let the others act; commands are taken meanwhile."""
        line = self.keyboard.read_unprompted(self.table.advance)
        seat = self.table.people[0] if self.table.people else FIRST
        if line and not self._run_command(line, seat):
            waiting = self.table.waiting
            awaited = join_words([name for seat, name in self.names.listed() if seat in waiting])
            self.screen.say(f"There is nothing to choose now; it is up to {awaited}.")

    def _run_command(self, line: str, seat: Seat) -> bool:
        """Run the command in a line; whether it held one."""
        word = parse_command(line, self._words)
        if word:
            self._commands[word](seat)
        return bool(word)

    @property
    def _words(self) -> list[str]:
        """The commands there are; to ask for a hint where there are none has an answer."""
        return [*COMMANDS, *self.table.actions, *([HINT] if self.table.people else [])]

    def _help(self, seat: Seat) -> None:
        choices = self.match.choices(seat) if self.table.asked is not None else ()
        if choices:
            self.screen.say(self.words.choices(self.match.state, seat, choices))
            self.screen.say(f"You can choose {format_choices(choices)}.")
        known = COMMANDS | self.table.actions
        others = join_words([f"{word} ({known[word]})" for word in known if word != "?"], "or")
        self.screen.say(f"You can {'also ' if choices else ''}type {others}.")

    def _rules(self, seat: Seat) -> None:
        show_rules(self.match.game, self.screen, self.match.terms.rulings)

    def _board(self, seat: Seat) -> None:
        self._draw()

    def _draw(self) -> None:
        """The position in lines, fit for a screen reader."""
        state, words = self.match.state, self.words
        ring = words.ring(state)
        if ring is None:
            self.screen.draw(words.board(state, self.names))
            return
        last = f" Last number selected: {ring.last}." if ring.last else ""
        self.screen.say(f"Free numbers: {' '.join(map(str, ring.free)) or 'none'}.{last}")
        for seat, name in self.names.listed():
            if (side := words.side(state, seat)) and side.note:
                self.screen.say(f"{name}: {side.note}")

    def _history(self, seat: Seat) -> None:
        self.screen.say(*describe_history(self.match.history, self.names))

    def _hint(self, seat: Seat) -> None:
        """A hint from the exact solution; Ctrl-C stops a solve that takes too long."""
        if HINT not in self.table.actions:
            self.screen.say(NO_HINTS)
            return
        try:
            # Imported here: the solver takes a while to load.
            from evenodds.coach.hints import hint
            from evenodds.terminal.reports.review import show_hint
            from evenodds.terminal.solving import solve_with_progress

            found = hint(self.match, solve_with_progress(self.match.terms), seat)
            show_hint(found, seat, self.screen)
        except NotSolved as error:
            self.screen.say(f"There is no hint for this match: {error}.")
        except KeyboardInterrupt:
            self.screen.say("", "Hint cancelled.")

    def _resign(self, seat: Seat) -> None:
        """Ask once on a terminal; from a pipe the command is enough."""
        if self.keyboard.terminal:
            answer = self.keyboard.read(RESIGN_QUESTION)
            if answer.strip().lower() not in ("y", "yes"):
                self.screen.say(NOT_RESIGNED)
                return
        self.table.resign(seat)

    def _claim(self, seat: Seat) -> None:
        self.table.claim()

    def _quit(self, seat: Seat) -> None:
        raise QuitMatch

    def _undo(self, seat: Seat) -> None:
        """Take back; another person at this keyboard is asked first."""
        try:
            consenting = self.table.consenting(seat)
            if consenting is None or self._confirms(consenting):
                self.table.take_back(seat)
            elif not self.match.result:
                self.screen.say(NOT_UNDONE)
        except Refused as error:
            self.screen.say(str(error))

    def _confirms(self, seat: Seat) -> bool:
        """Ask a seat to agree; commands work here, too, and resigning is a no."""
        question = undo_question(self.names[seat])
        while not self.match.result:
            line = self.keyboard.read(question)
            answer = line.strip().lower()
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            is_undo = parse_command(line, self._words) == UNDO
            if is_undo or not self._run_command(line, seat):
                self.screen.say("Please answer y or n.")
        return False


def undo_question(name: str) -> str:
    """What the other player is asked before something is taken back."""
    return f"{name}, do you agree to the undo? (y/n)"


def parse_command(line: str, known: Container[str]) -> str:
    """The command typed, or nothing."""
    word = line.strip().lower()
    word = ALIASES.get(word, word)
    return word if word in known else ""


def parse_pick(line: str) -> int:
    """The number typed in plain digits: 3.5, 1e1, -3 and words are no picks."""
    number = parse_whole(line.strip())
    if number is None:
        typed = shorten(line.strip()) or "An empty line"
        raise IllegalPick(f"{typed} is not a number you can choose")
    return number
