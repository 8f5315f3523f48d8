"""Commands a player or spectator can type during a match on a server."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from evenodds.client.remote_match import RemoteMatch
from evenodds.core.vocabulary import SEAT_NAMES, Seat, other
from evenodds.terminal.play.commands import CommandContext, PlayCommands

SPECTATOR_COMMANDS: Final = ("?", "rules", "board", "history", "quit")
"""The commands of a spectator."""


class RemoteCommandContext(CommandContext, Protocol):
    """What a command may ask of a match on a server."""

    remote: RemoteMatch
    seat: Seat | None

    @property
    def asked(self) -> Any:
        """Whether this seat is to pick."""

    def send(self, action: Callable[[], None]) -> bool:
        """Send a request to the server; whether it was granted."""


class RemotePlayCommands(PlayCommands):
    """The commands in a match on a server; changes of the match are requests to the server."""

    def __init__(self, loop: RemoteCommandContext) -> None:
        super().__init__(loop)
        self.remote_loop = loop
        self.remote = loop.remote
        if not (self.remote.snapshot.view.clock or any(self.match.terms.computers)):
            self.commands["claim"] = self._claim
        self.meanings |= {
            "undo": "take back a pick, in games of turns if the other agrees",
            "claim": "win, once the other was away for too long",
            "quit": "leave; the match stays on the server",
        }
        if loop.seat is None:
            self.commands = {word: self.commands[word] for word in SPECTATOR_COMMANDS}

    def _help(self, seat: Seat) -> None:
        if self.remote_loop.asked:
            super()._help(seat)
        else:
            self.screen.say(f"You can type {self._other_commands()}.")

    def _hint(self, seat: Seat) -> None:
        if self.match.terms.computer(other(seat)):
            super()._hint(seat)
        else:
            self.screen.say("There are no hints against a person.")

    def _undo(self, seat: Seat) -> None:
        view, opponent = self.remote.snapshot.view, self.match.names[other(seat)]
        if view.takeback_asked == SEAT_NAMES[other(seat)]:
            self.remote_loop.send(lambda: self.remote.take_back(self.match.round, accept=True))
        elif view.takeback:
            sent = self.remote_loop.send(lambda: self.remote.take_back(self.match.round))
            if sent and not self.match.terms.computer(other(seat)):
                self.screen.say(f"You ask {opponent} to take back your last pick.")
        elif self.match.terms.computer(other(seat)) or not self.match.game.simultaneous:
            self.screen.say("There is nothing to undo.")
        else:
            self.screen.say("You can only undo against a computer.")

    def _resign(self, seat: Seat) -> None:
        if self._confirms_resigning():
            self.remote_loop.send(self.remote.resign)

    def _claim(self, seat: Seat) -> None:
        self.remote_loop.send(self.remote.claim)
