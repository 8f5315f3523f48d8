"""The computers at the tables: each thinks in a thread, and only its opponent waits for it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final

from evenodds import players
from evenodds.exact import NotSolved
from evenodds.match import IllegalPick
from evenodds.players.memory import Fleeting
from evenodds.public import SEAT_NAMES
from evenodds.seals import commitment, new_salt
from evenodds.server.database import DatabaseError
from evenodds.server.desk import Busy, Desk
from evenodds.server.entries import Secret
from evenodds.server.referee import Referee
from evenodds.server.room import REVEAL
from evenodds.server.table import Table
from evenodds.vocabulary import Seat

THREADS: Final = 2
"""Computers that think at once."""
PATIENCE: Final = 1.0
"""Seconds until a computer tries again when the database takes or gives nothing."""


class Computers:
    """Lets computers pick whenever they are waited for."""

    def __init__(self, referee: Referee, desk: Desk) -> None:
        self.referee = referee
        self.desk = desk
        self._threads = ThreadPoolExecutor(THREADS, "thinking")
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
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _act(self, table: Table, seat: Seat) -> None:
        """Do what a seat is waited for, as soon as the database takes it."""
        while True:
            with suppress(IllegalPick):  # another process was faster, or it was taken back
                try:
                    await self._act_once(table, seat)
                except (Busy, DatabaseError):
                    await asyncio.sleep(PATIENCE)
                    continue
            return

    async def _act_once(self, table: Table, seat: Seat) -> None:
        """Pick or reveal; a computer that cannot go on loses."""
        room, round = table.room, table.room.match.round
        if room.phase == REVEAL:
            await self.referee.reveal(table, seat, round, None)
            return
        stage = room.stage
        try:
            number = await self._chosen(table, seat)
        except (NotSolved, players.Forfeit):
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

    async def _chosen(self, table: Table, seat: Seat) -> int:
        """What a computer picks from what its seat sees; it is seated when it is first asked.

        It remembers nobody: on a server anyone may come by any name.
        """
        if seat not in table.opponents:
            terms = table.room.terms
            name = terms.computer(seat)
            solution = await self.desk.solution(terms) if players.is_exact(name) else None
            table.opponents[seat] = players.opponent(
                name, terms, seat, Random(), solution=solution, memory=Fleeting()
            )
        think = table.opponents[seat].pick
        running = asyncio.get_running_loop()
        return await running.run_in_executor(self._threads, think, table.room.view(seat))
