"""Commands a player or spectator can type during a match on a server."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from evenodds.client.remote_match import RemoteMatch
from evenodds.core.vocabulary import Seat, other
from evenodds.terminal.play.commands import CommandContext, PlayCommands

SPECTATOR_COMMANDS: Final = ("?", "rules", "board", "history", "quit")
"""What those who only watch may type."""


class RemoteCommandContext(CommandContext, Protocol):
    """What a command may ask of a match on a server."""

    place: RemoteMatch
    seat: Seat | None

    @property
    def asked(self) -> Any:
        """Whether this seat is to pick."""

    def send(self, action: Callable[[], None]) -> bool:
        """Ask something of the server; whether it was done."""


class RemotePlayCommands(PlayCommands):
    """The commands of a guest; what changes the match is asked of the server."""

    def __init__(self, guest: RemoteCommandContext) -> None:
        super().__init__(guest)
        self.guest = guest
        self.place = guest.place
        if not (self.place.snapshot.clock or any(self.match.terms.computers)):
            self.commands["claim"] = self._claim
        self.meanings |= {
            "undo": "take back a pick, against a computer",
            "claim": "win, once the other was away for too long",
            "quit": "leave; the match stays on the server",
        }
        if guest.seat is None:
            self.commands = {word: self.commands[word] for word in SPECTATOR_COMMANDS}

    def _help(self, seat: Seat) -> None:
        if self.guest.asked:
            super()._help(seat)
        else:
            self.screen.say(f"You can type {self._others()}.")

    def _hint(self, seat: Seat) -> None:
        if self.match.terms.computer(other(seat)):
            super()._hint(seat)
        else:
            name = self.match.names[other(seat)]
            self.screen.say(f"There are no hints against a person: it would not be fair to {name}.")

    def _undo(self, seat: Seat) -> None:
        if self.place.snapshot.takeback:
            self.guest.send(lambda: self.place.take_back(self.match.round))
        elif self.match.terms.computer(other(seat)):
            self.screen.say("There is nothing to take back.")
        else:
            self.screen.say("Nothing is taken back here: only a computer agrees to that.")

    def _resign(self, seat: Seat) -> None:
        self.guest.send(self.place.resign)

    def _claim(self, seat: Seat) -> None:
        self.guest.send(self.place.claim)
