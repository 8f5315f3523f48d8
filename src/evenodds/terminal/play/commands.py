"""Commands a player can type during a match: help, rules, hint, undo, resign, quit."""

from collections.abc import Callable
from typing import Any, Protocol

from evenodds.core.match import Match
from evenodds.core.vocabulary import PASS, SEATS, Seat, other
from evenodds.core.words import Names, Words
from evenodds.engine.on_demand import NotSolved
from evenodds.figures import join_words
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play import input_parsing
from evenodds.terminal.reports.rules import show_rules
from evenodds.terminal.screen import Screen


class CommandContext(Protocol):
    """What a command uses of the match loop."""

    match: Match
    screen: Screen
    keyboard: Keyboard
    people: list[Seat]

    @property
    def words(self) -> Words[Any]:
        """The texts of the game."""

    @property
    def names(self) -> Names:
        """What the players are called."""

    def draw(self) -> None:
        """Show the board."""

    def save(self) -> None:
        """Save the match."""

    def announce_again(self) -> None:
        """Show the heading of the round again."""


class QuitMatch(Exception):
    """A player has left; the match is saved."""


class PlayCommands:
    """The commands of one match. `seat` is always the seat that was prompted."""

    def __init__(self, loop: CommandContext) -> None:
        self.loop = loop
        self.match = loop.match
        self.screen = loop.screen
        self.commands: dict[str, Callable[[Seat], None]] = {
            "?": self._help,
            "rules": self._rules,
            "board": self._board,
            "history": self._history,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }
        self.meanings = dict(input_parsing.COMMAND_MEANINGS)
        """What each command is for."""

    def run(self, line: str, seat: Seat) -> bool:
        """Run the command in a line; whether it held one."""
        word = input_parsing.parse_command(line, self.commands)
        if word:
            self.commands[word](seat)
        return bool(word)

    def _help(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        self.screen.say(self.loop.words.choices(self.match.state, seat, choices))
        if choices:
            self.screen.say(f"You can choose {format_choices(choices)}.")
        self.screen.say(f"You can also type {self._other_commands()}.")

    def _other_commands(self) -> str:
        """The other commands, each with a description."""
        return join_words([f"{word} ({self.meanings[word]})" for word in self.commands][1:], "or")

    def _rules(self, seat: Seat) -> None:
        show_rules(self.match.game, self.screen, self.match.terms.rulings)

    def _board(self, seat: Seat) -> None:
        self.loop.draw()

    def _history(self, seat: Seat) -> None:
        if not self.match.history:
            self.screen.say("Nothing has been played yet.")
        names = self.loop.names
        for round, picks in enumerate(self.match.history, 1):
            first, *rest = (seat for seat in SEATS if picks[seat] != PASS)
            others = "".join(f", {names.inside(seat)} chose {picks[seat]}" for seat in rest)
            self.screen.say(f"{round}. {names[first]} chose {picks[first]}{others}")

    def _hint(self, seat: Seat) -> None:
        """A hint from the exact solution; Ctrl-C stops a solve that takes too long."""
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
        if self._confirms_resigning():
            self.match.resign(seat)
            self.loop.save()

    def _confirms_resigning(self) -> bool:
        """Ask once on a terminal; from a pipe the command is enough."""
        if not self.loop.keyboard.terminal:
            return True
        answer = self.loop.keyboard.read("Do you want to resign and lose this match? (y/n)")
        if answer.strip().lower() in ("y", "yes"):
            return True
        self.screen.say("You did not resign. The match goes on.")
        return False

    def _quit(self, seat: Seat) -> None:
        raise QuitMatch

    def _undo(self, seat: Seat) -> None:
        """Take back a pending pick or the last round; another person is asked first."""
        alone = len(self.loop.people) < 2
        if not self._has_something_to_undo(seat, alone):
            self.screen.say("There is nothing to undo.")
        elif alone or self._confirms(self._consenting_seat(seat)):
            self._take_back(seat, alone)
            self.loop.save()
            self.screen.say("Taken back.")
            self.loop.announce_again()
        elif not self.match.result:
            self.screen.say("Nothing is undone.")

    def _has_something_to_undo(self, seat: Seat, alone: bool) -> bool:
        if alone:
            return any(picks[seat] != PASS for picks in self.match.history)
        return bool(self.match.history or any(self.match.view().chosen))

    def _consenting_seat(self, seat: Seat) -> Seat:
        """The seat that must agree: the one without a pick, or the one that did not ask."""
        chosen = self.match.view().chosen
        owners = [owner for owner in SEATS if chosen[owner]] or [
            owner for owner in SEATS if self.match.history[-1][owner] != PASS
        ]
        return other(owners[0] if len(owners) == 1 else seat)

    def _take_back(self, seat: Seat, alone: bool) -> None:
        """Undo one step; against a computer as many as lead back to a pick of this seat."""
        while alone and self.match.history[-1][seat] == PASS:
            self.match.undo()
        self.match.undo()

    def _confirms(self, seat: Seat) -> bool:
        """Ask a seat to agree; commands work here, too, and resigning is a no."""
        question = f"{self.match.names[seat]}, do you agree to the undo? (y/n)"
        while not self.match.result:
            line = self.loop.keyboard.read(question)
            answer = line.strip().lower()
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            if input_parsing.parse_command(line) == "undo" or not self.run(line, seat):
                self.screen.say("Please answer y or n.")
        return False


def format_choices(choices: tuple[int, ...]) -> str:
    """The choices, short: `1, 2 or 4`, and `1 to 9` where none is missing."""
    if len(choices) > 4 and choices[-1] - choices[0] == len(choices) - 1:
        return f"{choices[0]} to {choices[-1]}"
    return join_words([str(number) for number in choices], "or")
