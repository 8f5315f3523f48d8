"""One match at one keyboard: asks, listens, tells, and keeps every pick before it asks again."""

from collections.abc import Callable, Mapping

from evenodds.match import IllegalPick, Match
from evenodds.players import Player
from evenodds.terminal import entry
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.page import show_rules
from evenodds.terminal.replay import ending
from evenodds.terminal.screen import Screen
from evenodds.terminal.store import Slot
from evenodds.text import brief, listed
from evenodds.vocabulary import PASS, SEATS, Seat, other
from evenodds.words import Words


class Quit(Exception):
    """A player has left the table; the match is kept."""


class Table:
    """Two players, of whom none, one or both are people at this keyboard."""

    def __init__(
        self,
        match: Match,
        screen: Screen,
        keyboard: Keyboard,
        slot: Slot,
        players: Mapping[Seat, Player],
        *,
        plain: bool = False,
    ) -> None:
        self.match = match
        self.screen = screen
        self.keyboard = keyboard
        self.slot = slot
        self.players = players
        self.people = [seat for seat in SEATS if seat not in players]
        self.dramatic = keyboard.terminal and screen.terminal and not plain
        """Whether boards are drawn and pauses kept: on a terminal, not in a pipe's dialog."""
        self.unseen = match.game.simultaneous and len(self.people) == 2
        self._announced = 0
        self._unsaved = ""

    @property
    def words(self) -> Words:  # type: ignore[type-arg]
        """The voice of the game."""
        return self.match.game.words

    def play(self) -> None:
        """Play the match to its end; `Quit`, EOFError or KeyboardInterrupt leave it kept."""
        while self.match.result is None:
            self._announce()
            seat = self._next()
            if seat in self.players:
                self._take(seat, self.players[seat].pick(self.match.view(seat)))
            else:
                self._ask(seat)
        self.screen.say(*ending(self.match))

    def open(self) -> None:
        """Say how the game opens, and who is not a person."""
        self.screen.say(*self.words.opening(self.match.state, self.match.names))
        for seat, name in self.match.names.listed():
            if seat in self.players:
                self.screen.say(f"{name} is the computer ({self.match.terms.computer(seat)}).")
        if self.unseen and self.keyboard.terminal:
            self.screen.say("What you type is not shown, so that picks stay secret.")
        if self.dramatic:
            self.screen.say("")
            self._draw()

    def recall(self) -> None:
        """Say where a match stands that was left and is taken up again."""
        players = " against ".join(self.match.terms.players)
        self.screen.say(f"{self.match.game.title}, {players}, round {self.match.round}.")
        self._draw()

    def save(self) -> None:
        """Keep the match; when that fails say so once, and play goes on."""
        try:
            self.slot.save(self.match)
        except OSError as error:
            problem = f"This match cannot be saved: {error}. Play goes on."
            if problem != self._unsaved:
                self.screen.say(problem)
            self._unsaved = problem

    def _announce(self) -> None:
        """Head each round once, and again when it is asked anew."""
        if self._announced != self.match.round:
            self._announced = self.match.round
            heading = self.words.heading(self.match.state, self.match.round, self.match.names)
            self.screen.say(*heading)

    def _next(self) -> Seat:
        """Who is to pick: people before computers, the first seat before the second."""
        waiting = self.match.waiting()
        return next((seat for seat in waiting if seat in self.people), waiting[0])

    def _ask(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        prompt = self.words.prompt(self.match.state, seat, choices, self.match.names)
        line = self.keyboard.read(prompt, self.unseen)
        if word := entry.command(line):
            self._commands()[word](seat)
            return
        number = entry.number(line)
        try:
            if number is None:
                raise IllegalPick(
                    f"{brief(line.strip()) or 'Nothing'} is not a number you can choose"
                )
            self._take(seat, number)
        except IllegalPick as error:
            self._refuse(str(error), choices)

    def _refuse(self, problem: str, choices: tuple[int, ...]) -> None:
        """One line: what was wrong, unless picks are unseen, and what is allowed."""
        allowed = f"Choose {_list(choices)}, or ? for help."
        if self.unseen and self.keyboard.terminal:
            problem = "That is not one of your choices"
        self.screen.say(f"{problem}. {allowed}")

    def _take(self, seat: Seat, number: int) -> None:
        before = self.match.state
        complete = self.match.pick(seat, number)
        self.save()
        if not complete:
            return
        picks = self.match.history[-1]
        self.screen.say(*self.words.reveal(before, picks, self.match.state, self.match.names))
        if self.dramatic:
            self.screen.say("")
            self._draw()
            self._pause()

    def _draw(self) -> None:
        self.screen.draw(self.words.board(self.match.state, self.match.names))

    def _pause(self) -> None:
        if self.words.pause and self.people and self.match.result is None:
            self.screen.say("")
            self.keyboard.read(self.words.pause, unseen=True)

    def _commands(self) -> dict[str, Callable[[Seat], None]]:
        return {
            "?": self._help,
            "rules": lambda seat: show_rules(self.match.game, self.screen),
            "board": lambda seat: self._draw(),
            "history": lambda seat: self._history(),
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def _help(self, seat: Seat) -> None:
        choices = self.match.choices(seat)
        self.screen.say(
            self.words.choices(self.match.state, seat, choices),
            f"You can choose {_list(choices)}.",
            "You can also type "
            + listed([f"{word} ({what})" for word, what in _others()], "or")
            + ".",
        )

    def _history(self) -> None:
        if not self.match.history:
            self.screen.say("Nothing has been played yet.")
        for round, picks in enumerate(self.match.history, 1):
            chose = [
                f"{self.match.names[seat]} chose {picks[seat]}"
                for seat in SEATS
                if picks[seat] != PASS
            ]
            self.screen.say(f"{round}. {', '.join(chose)}")

    def _resign(self, seat: Seat) -> None:
        self.match.resign(seat)
        self.save()

    def _quit(self, seat: Seat) -> None:
        raise Quit

    def _undo(self, seat: Seat) -> None:
        """Take back a pending pick or the last round.

        Another person is asked, a computer is not.
        """
        if not self._has_something_to_undo(seat):
            self.screen.say("There is nothing to take back.")
        elif len(self.people) < 2 or self._agrees(other(seat)):
            self._take_back(seat)
            self._announced = 0
            self.save()
            self.screen.say("Taken back.")
        else:
            self.screen.say("Nothing is taken back.")

    def _has_something_to_undo(self, seat: Seat) -> bool:
        if len(self.people) == 2:
            return bool(self.match.history or any(self.match.view().chosen))
        return any(picks[seat] != PASS for picks in self.match.history)

    def _take_back(self, seat: Seat) -> None:
        """One step; against a computer as many as lead back to a pick of one's own."""
        own = False
        while not own:
            pending = any(self.match.view().chosen)
            own = len(self.people) == 2 or (not pending and self.match.history[-1][seat] != PASS)
            self.match.undo()

    def _agrees(self, seat: Seat) -> bool:
        while True:
            question = f"{self.match.names[seat]}, do you agree to take it back? (y/n)"
            answer = self.keyboard.read(question).strip().lower()
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            self.screen.say("Please answer y or n.")


def _others() -> list[tuple[str, str]]:
    return [(word, what) for word, what in entry.COMMANDS.items() if word != "?"]


def _list(choices: tuple[int, ...]) -> str:
    """The choices, short: `1, 2 or 4`, and `1 to 9` where none is missing."""
    if len(choices) > 4 and choices[-1] - choices[0] == len(choices) - 1:
        return f"{choices[0]} to {choices[-1]}"
    return listed([str(number) for number in choices], "or")
