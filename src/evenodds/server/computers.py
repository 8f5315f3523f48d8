"""The computers at the tables: each thinks in a thread, and only its opponent waits for it."""

import asyncio
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final

from evenodds import players
from evenodds.match import IllegalPick
from evenodds.public import SEAT_NAMES
from evenodds.record import View
from evenodds.seals import commitment, new_salt
from evenodds.server.entries import Secret, Unwritable
from evenodds.server.referee import Referee
from evenodds.server.room import REVEAL
from evenodds.server.table import Table
from evenodds.terms import Terms
from evenodds.vocabulary import Seat

PATIENCE: Final = 1.0
"""Seconds until a computer tries again when the database takes nothing."""


class Computers:
    """Lets computers pick whenever they are waited for."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        referee.clerk.then = self.let
        self._thinking: dict[tuple[str, Seat, int], asyncio.Task[None]] = {}

    def let(self, table: Table) -> None:
        """Let the computers who are waited for do what they are waited for, each once."""
        room = table.room
        for seat in room.waiting():
            key = (room.id, seat, room.stage)
            if room.computers[seat] and key not in self._thinking:
                task = asyncio.create_task(self._act(table, seat))
                self._thinking[key] = task
                task.add_done_callback(partial(self._done, key))

    def _done(self, key: tuple[str, Seat, int], _: object) -> None:
        self._thinking.pop(key, None)

    async def stop(self) -> None:
        """Let nobody think any more."""
        for task in self._thinking.values():
            task.cancel()
        await asyncio.gather(*self._thinking.values(), return_exceptions=True)

    async def _act(self, table: Table, seat: Seat) -> None:
        """Do what a seat is waited for, as soon as the database takes it."""
        while True:
            with suppress(IllegalPick):  # another process was faster, or it was taken back
                try:
                    await self._act_once(table, seat)
                except Unwritable:
                    await asyncio.sleep(PATIENCE)
                    continue
            return

    async def _act_once(self, table: Table, seat: Seat) -> None:
        """Pick or reveal; a computer that cannot go on loses."""
        room, round = table.room, table.room.match.round
        if room.phase == REVEAL:
            await self.referee.reveal(table, seat, round, *await self.referee.secret(room, seat))
            return
        stage = room.stage
        try:
            number = await asyncio.to_thread(_chosen, table.opponents, room.terms, room.view(seat))
        except (players.CannotPlay, players.Forfeit):
            await self.referee.end(table, "forfeit", seat)
            return
        if room.stage == stage:
            await self._pick(table, seat, round, number)

    async def _pick(self, table: Table, seat: Seat, round: int, number: int) -> None:
        if not table.room.sealed:
            await self.referee.pick(table, seat, round, number)
            return
        id, salt = table.room.id, new_salt()
        promise = commitment(id, str(SEAT_NAMES[seat]), round, number, salt)
        secret = Secret(id, round, seat, number, salt)
        await self.referee.commit(table, seat, round, promise, secret)


def _chosen(seated: dict[Seat, players.Player], terms: Terms, view: View) -> int:
    """What a computer picks from what its seat sees; it is seated when it is first asked."""
    assert view.seat is not None
    if view.seat not in seated:
        name = terms.computer(view.seat)
        seated[view.seat] = players.opponent(name, terms, view.seat, Random())
    return seated[view.seat].pick(view)
