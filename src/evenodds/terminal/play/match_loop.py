"""The loop of one local match: prompts, picks, narration, a save after every pick."""

from collections.abc import Mapping
from time import sleep
from typing import Any

from evenodds.core.match import IllegalPick, Match
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.core.words import Names, Words
from evenodds.players.player import Forfeit, Player, Unavailable
from evenodds.players.registry import PROGRAM_PREFIX
from evenodds.system.text import shorten
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play import input_parsing
from evenodds.terminal.play.commands import PlayCommands, format_choices
from evenodds.terminal.play.replay import ending_lines
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile


class MatchLoop:
    """A match of two players, of whom none, one or both are people at this keyboard."""

    def __init__(
        self,
        match: Match,
        screen: Screen,
        keyboard: Keyboard,
        match_file: MatchFile,
        players: Mapping[Seat, Player],
    ) -> None:
        self.match = match
        self.screen = screen
        self.keyboard = keyboard
        self.match_file = match_file
        self.players = players
        self.people = [seat for seat in SEATS if seat not in players]
        self.pace_s = 0.0
        """Seconds between two rounds of two computers, so that people can follow."""
        self.unseen = match.game.simultaneous and len(self.people) == 2
        self.saved = False
        """Whether all that was accepted is on disk."""
        self._commands = PlayCommands(self)
        self._announced = 0
        self._save_error = ""

    @property
    def words(self) -> Words[Any]:
        """The texts of the game."""
        return self.match.game.words

    @property
    def names(self) -> Names:
        """What the players are called."""
        return self.match.names

    def play(self) -> None:
        """Play the match to its end; `QuitMatch`, EOFError or KeyboardInterrupt leave it saved."""
        while self.match.result is None:
            self._announce()
            seat = self._next_seat()
            if seat in self.players:
                self._play_computer(seat)
            else:
                self._ask(seat)
        self._tell_ending()

    def _tell_ending(self) -> None:
        self.screen.say(*ending_lines(self.match))

    def show_opening(self) -> None:
        """Show the opening text, and which players are computers."""
        self.screen.say(*self.words.opening(self.match.state, self.match.names))
        for seat, name in self.match.names.listed():
            if computer := self.match.terms.computer(seat):
                self.screen.say(f"{name} is the computer ({computer}).")
        self._warn_of_hidden_input()

    def show_resumed(self) -> None:
        """Show the position of a resumed match."""
        step = f"{self.match.game.round_word} {self.match.round}"
        self.screen.say(f"{self.match.terms.title_for(self.names)}, {step}.")
        if self.match.secrets():
            self._save_pick()
        self._warn_of_hidden_input()
        self.draw()

    def draw(self) -> None:
        """Show the board."""
        self.screen.draw(self.words.board(self.match.state, self.names))

    def announce_again(self) -> None:
        """Show the heading of the round again, after rounds were taken back."""
        self._announced = 0

    def save(self, hidden: bool = True) -> None:
        """Save the match; an error is shown once, and play goes on."""
        try:
            self.match_file.save(self.match, hidden)
            self.saved = True
        except OSError as error:
            self.saved = False
            error_line = f"This match cannot be saved: {error.strerror or error}. You can play on."
            if error_line != self._save_error:
                self.screen.say(error_line)
            self._save_error = error_line

    def _save_pick(self) -> None:
        """Save the match; without the pending pick while a program that could read it is asked."""
        waiting_computers = map(self.match.terms.computer, self.match.waiting())
        self.save(hidden=not any(name.startswith(PROGRAM_PREFIX) for name in waiting_computers))

    def _warn_of_hidden_input(self) -> None:
        if self.unseen and self.keyboard.terminal:
            self.screen.say("Your typing is hidden, so that picks stay secret.")

    def _announce(self) -> None:
        """Show the heading of each round once."""
        if self._announced != self.match.round:
            self._announced = self.match.round
            heading = self.words.heading(self.match.state, self.match.round, self.match.names)
            self.screen.say(*heading)

    def _next_seat(self) -> Seat:
        """The next seat to pick: people before computers, first before second."""
        waiting = self.match.waiting()
        return next((seat for seat in waiting if seat in self.people), waiting[0])

    def _play_computer(self, seat: Seat) -> None:
        """Let a computer pick; one that forfeits loses.

        One that is unavailable for now does not: the match is left open.
        """
        try:
            self._submit(seat, self._computed_pick(seat))
        except Forfeit as error:
            reason = str(error)
            self.screen.say("", f"{reason[:1].upper()}{reason[1:]}.")
            if isinstance(error, Unavailable):
                raise
            self.match.lose(seat, "forfeit")
            self.save()

    def _computed_pick(self, seat: Seat) -> int:
        """The pick of a computer."""
        return self.players[seat].pick(self.match.view(seat))

    def _ask(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        prompt = self.words.prompt(self.match.state, seat, choices, self.match.names)
        line = self.keyboard.read(prompt, self.unseen)
        if self._commands.run(line, seat):
            return
        number = input_parsing.parse_number(line)
        try:
            if number is None:
                typed = shorten(line.strip()) or "An empty line"
                raise IllegalPick(f"{typed} is not a number you can choose")
            self._submit(seat, number)
        except IllegalPick as error:
            self._refuse(str(error), choices)

    def _refuse(self, problem: str, choices: tuple[int, ...]) -> None:
        """Show what is wrong with a pick, unless picks are hidden, and what is allowed."""
        if self.unseen and self.keyboard.terminal:
            problem = "That is not one of your choices"
        self.screen.say(f"{problem}. Choose {format_choices(choices)}, or ? for help.")

    def _submit(self, seat: Seat, number: int) -> None:
        before = self.match.state
        complete = self.match.pick(seat, number)
        self._save_pick()
        if complete:
            self._show_round(before)

    def _show_round(self, before: Any) -> None:
        self._tell_round(before)
        if not self.people and self.match.result is None:
            self._watch(self.pace_s)
        elif self.keyboard.terminal:
            self._pause()

    def _tell_round(self, before: Any) -> None:
        """Show the picks of the last round and their result."""
        picks = self.match.history[-1]
        self.screen.say(*self.words.reveal(before, picks, self.match.state, self.match.names))

    def _watch(self, seconds: float) -> None:
        """Let people look at a round of two computers."""
        if seconds:
            sleep(seconds)

    def _pause(self) -> None:
        """Wait for Enter where the rule book does; commands are accepted, too."""
        played = self.match.round
        while self.words.pause and self.people and not self.match.result:
            self.screen.say("")
            line = self.keyboard.read(self.words.pause, unseen=True)
            if not self._commands.run(line, self.people[0]) or self.match.round != played:
                return
