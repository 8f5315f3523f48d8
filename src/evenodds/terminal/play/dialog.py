"""A table as a dialog of lines: the rule book's words, and what is typed."""

from collections.abc import Callable, Container
from time import sleep
from typing import Any, Final

from evenodds.claims.fixed_outcome import decided_lines
from evenodds.core.match import IllegalPick, Match
from evenodds.core.vocabulary import FIRST, Seat
from evenodds.core.words import Names, Words
from evenodds.engine.on_demand import NotSolved
from evenodds.figures import join_words
from evenodds.players.player import Unavailable
from evenodds.render.narration import describe_history, format_choices, tell_luck
from evenodds.system import EvenOddsError
from evenodds.table.table import ACTIONS, Action, Notice, Refused, RoundPlayed, Table, TakenBack
from evenodds.terminal.keyboard import InputInterrupted, Keyboard
from evenodds.terminal.play.replay import ending_lines
from evenodds.terminal.progress_bar import solve_with_progress

RESIGN_QUESTION: Final = "Do you want to resign and lose this match?"
ANOTHER_MATCH: Final = "Another match?"
NOT_RESIGNED: Final = "You did not resign. The match goes on."
HIDDEN_TYPING: Final = "Your typing is hidden, so that picks stay secret."
NOT_UNDONE: Final = "Nothing is undone."
NO_HINTS: Final = "There are no hints against a person."
COMMANDS: Final = {
    "rules": "the rules of this game",
    "board": "the board once more",
    "history": "the rounds so far",
}
"""What can be typed at every table beside `?`, and what it is for."""
ALIASES: Final = {"help": "?", "q": Action.QUIT, "exit": Action.QUIT}


class QuitMatch(Exception):
    """A player leaves."""


class Dialog:
    """The dialog at a table."""

    def __init__(self, table: Table, keyboard: Keyboard, pace_s: float = 0.0) -> None:
        self.table = table
        self.words: Words[Any] = table.match.game.words
        self.keyboard, self.screen, self._say = keyboard, keyboard.screen, keyboard.screen.say
        self.pace_s = pace_s
        """Seconds between two rounds of two computers, so that people can follow."""
        keyboard.listen = table.listen
        self._announced = 0
        """The round whose heading was shown last."""
        self._over = False
        self._commands: dict[str, Callable[[Seat], object]] = {
            "?": self._help,
            "rules": lambda _: self.screen.show_rules(self.match.game, self.match.terms.rulings),
            "board": lambda _: self._draw(),
            "history": lambda _: self._say(*describe_history(self.match, self._names)),
            Action.HINT: self._hint,
            Action.UNDO: self._undo,
            Action.RESIGN: self._resign,
            Action.QUIT: self._quit,
            Action.CLAIM: lambda _: table.claim(),
        }

    @property
    def match(self) -> Match:
        """What was played at the table."""
        return self.table.match

    @property
    def _names(self) -> Names:
        return self.match.names

    def run(self) -> None:
        """Play to the end; `QuitMatch`, EOFError, KeyboardInterrupt and errors leave before."""
        self.tell()
        self._open()
        try:
            while not self._over:
                if self._announced != self.match.round and self.match.result is None:
                    self._announced = self.match.round
                    state = self.match.state
                    self._say(*self.words.heading(state, self.match.round, self._names))
                try:
                    if (seat := self.table.asked) is not None:
                        self._ask(seat)
                    else:
                        self._wait()
                except InputInterrupted:
                    self._say("")
                self.tell()
        except Unavailable:
            raise
        except EvenOddsError:
            self._say("")  # end the line of an open prompt
            raise

    def rematch(self) -> Table | None:
        """Ask for another match, on a terminal alone; the table of it, once all want it."""
        wanted = False
        while self.table.people and self.keyboard.terminal:
            try:
                if wanted:
                    line = self.keyboard.read_unprompted(self.table.advance)
                    leaves = parse_command(line, (Action.QUIT,)) == Action.QUIT
                else:
                    leaves = not self._says_yes(ANOTHER_MATCH)
                if leaves:
                    break
                if following := self.table.rematch():
                    return following
                wanted = True
            except InputInterrupted:
                self._say("")
            except Refused as error:
                self._say(str(error))
                break
            self.tell()
        return None

    def _open(self) -> None:
        """Show the opening text, and who is a computer; or where a match stands."""
        match, screen, names = self.match, self.screen, self._names
        if self.table.resumed:
            step = f"{match.game.round_word} {match.round}"
            screen.say(f"{match.terms.title_for(names)}, {step}.")
        else:
            screen.say(*self.words.opening(match.state, names))
            for seat, name in names.listed():
                if computer := match.terms.computer(seat):
                    screen.say(f"{name} is the computer ({computer}).")
            screen.say(*(decided_lines(match.terms) if any(match.terms.computers) else []))
        if self.table.hidden and self.keyboard.terminal:
            screen.say(HIDDEN_TYPING)
        if self.table.resumed:
            self._draw()
        self._tell_luck()

    def _tell_luck(self) -> None:
        self._say(*tell_luck(self.match))

    def tell(self) -> None:
        """Say what has happened."""
        for event in self.table.events():
            match event:
                case RoundPlayed(before, picks, after):
                    self._say(*self.words.reveal(before, picks, after, self._names))
                    self._tell_luck()
                    self._after_round()
                case TakenBack():
                    self._say("Taken back.")
                    self._tell_luck()
                    self._announced = 0
                case Notice(lines):
                    self._say(*lines)
                case _:
                    self._over = True
                    self._say(*ending_lines(self.match))

    def _after_round(self) -> None:
        """Let people look at a round; where the rule book waits for Enter, take commands, too."""
        match, people, pause = self.match, self.table.people, self.words.pause
        if self.table.paced and self.pace_s and not match.result:
            sleep(self.pace_s)
        played, waits = match.round, pause and people and self.keyboard.terminal
        try:
            while waits and not match.result and match.round == played:
                self._say("")
                waits = self._run_command(self.keyboard.read(pause, unseen=True), people[0])
        except InputInterrupted:
            self._say("")

    def _ask(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        prompt = self.words.prompt(self.match.state, seat, choices, self._names)
        line = self.keyboard.read(prompt, self.table.hidden)
        if self._run_command(line, seat):
            return
        try:
            self.table.pick(seat, self._parse_pick(line, seat, choices))
        except IllegalPick as error:
            unseen = self.table.hidden and self.keyboard.terminal
            problem = "That is not one of your choices" if unseen else error
            self._say(f"{problem}. Choose {format_choices(self.match, seat)}, or ? for help.")

    def _parse_pick(self, line: str, seat: Seat, choices: tuple[int, ...]) -> int:
        """The pick typed: its name, or its number in plain digits; 3.5, 1e1 and -3 are none."""
        number = self.words.find_pick(self.match.terms.rulings, seat, choices, line)
        if number is None:
            raise IllegalPick(self.words.unknown(self.match.state, seat, choices, line))
        return number

    def _wait(self) -> None:
        """Let the others act; commands are taken meanwhile."""
        line = self.keyboard.read_unprompted(self.table.advance)
        seat = self.table.people[0] if self.table.people else FIRST
        if line and not self._run_command(line, seat):
            awaited = [name for seat, name in self._names.listed() if seat in self.table.waiting]
            self._say(f"There is nothing to choose now; it is up to {join_words(awaited)}.")

    def _run_command(self, line: str, seat: Seat) -> bool:
        """Run the command in a line; whether it held one."""
        word = parse_command(line, self._words)
        if word:
            self._commands[word](seat)
        return bool(word)

    @property
    def _words(self) -> list[str]:
        """The commands there are; to ask for a hint where there are none has an answer."""
        return ["?", *COMMANDS, *self.table.actions, *([Action.HINT] if self.table.people else [])]

    def _help(self, seat: Seat) -> None:
        choices = self.match.choices(seat) if self.table.asked is not None else ()
        if choices:
            self._say(self.words.choices(self.match.state, seat, choices))
            self._say(f"You can choose {format_choices(self.match, seat)}.")
        uses = COMMANDS | {word: ACTIONS[word] for word in self.table.actions}
        known = [f"{word} ({use})" for word, use in uses.items()]
        self._say(f"You can {'also ' if choices else ''}type {join_words(known, 'or')}.")

    def _draw(self) -> None:
        """The position in lines, fit for a screen reader."""
        state = self.match.state
        ring = self.words.ring(state)
        if ring is None:
            self.screen.draw(self.words.board(state, self._names))
            if points := self.match.points:
                self._say(self.words.lead(points, self.match.result is not None, self._names))
            return
        last = f" Last number selected: {ring.last}." if ring.last else ""
        self._say(f"Free numbers: {' '.join(map(str, ring.free)) or 'none'}.{last}")
        for seat, name in self._names.listed():
            if (side := self.words.side(state, seat)) and side.note:
                self._say(f"{name}: {side.note}")

    def _hint(self, seat: Seat) -> None:
        """A hint from the exact solution; Ctrl-C stops a solve that takes too long."""
        if Action.HINT not in self.table.actions:
            self._say(NO_HINTS)
            return
        try:
            # Imported here: the solver takes a while to load.
            from evenodds.coach.reasons import hint
            from evenodds.terminal.reports.review import show_hint

            found = hint(self.match, solve_with_progress(self.match.terms, bars=False), seat)
            show_hint(found, seat, self.screen)
        except NotSolved as error:
            self._say(f"There is no hint for this match: {error}.")
        except KeyboardInterrupt:
            self._say("", "Hint cancelled.")

    def _resign(self, seat: Seat) -> None:
        """Ask once on a terminal; from a pipe the command is enough."""
        if self.keyboard.terminal and not self._says_yes(RESIGN_QUESTION):
            self._say(NOT_RESIGNED)
        else:
            self.table.resign(seat)

    def _says_yes(self, question: str) -> bool:
        return self.keyboard.read(f"{question} (y/n)").strip().lower() in ("y", "yes")

    def _quit(self, seat: Seat) -> None:
        raise QuitMatch

    def _undo(self, seat: Seat) -> None:
        """Take back; another person at this keyboard is asked first."""
        try:
            consenting = self.table.consenting(seat)
            if consenting is None or self._confirms(consenting):
                self.table.take_back(seat)
            elif not self.match.result:
                self._say(NOT_UNDONE)
        except Refused as error:
            self._say(str(error))

    def _confirms(self, seat: Seat) -> bool:
        """Ask a seat to agree; commands work here, too, and resigning is a no."""
        question = f"{undo_question(self._names[seat])} (y/n)"
        while not self.match.result:
            line = self.keyboard.read(question)
            answer = line.strip().lower()
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            is_undo = parse_command(line, self._words) == Action.UNDO
            if is_undo or not self._run_command(line, seat):
                self._say("Please answer y or n.")
        return False


def undo_question(name: str) -> str:
    """What the other player is asked before something is taken back."""
    return f"{name}, do you agree to the undo?"


def parse_command(line: str, known: Container[str]) -> str:
    """The command typed, or nothing."""
    word = line.strip().lower()
    word = ALIASES.get(word, word)
    return word if word in known else ""
