"""Computer players of server matches: picks computed in a thread pool while watched.

A computer never loses by what goes wrong here: it plays by search while what it must know is not
known yet, tries again after an error, and is on no clock.
"""

import asyncio
from random import Random
from typing import TYPE_CHECKING, Final

from evenodds.core.match import IllegalPick
from evenodds.core.seals import commitment, new_salt
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import Seat
from evenodds.players import registry
from evenodds.players.player import Player
from evenodds.players.reader.memory import NoMemory
from evenodds.server.jobs.fair_queue import FairPool
from evenodds.server.jobs.solve_queue import SolveQueue
from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.logs import LOG
from evenodds.server.matches.match_session import Delay, MatchSession
from evenodds.server.matches.match_state import REVEAL
from evenodds.server.matches.referee import Referee
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.events import Secret
from evenodds.solver import NotSolved

if TYPE_CHECKING:
    from evenodds.solver import Solution

THREADS: Final = 2
"""Computers that think at once."""
SEARCH: Final = "search"
"""Who plays without knowing anything: it is made anew for each pick, for it holds much memory."""
SOLUTION_WAIT_S: Final = 10.0
"""Seconds that a computer waits for the solution of its game before it plays by search."""
GLANCE_S: Final = 0.05
"""Seconds that it waits once it plays by search: enough for what is there."""
RETRY_S: Final = 1.0
LONGEST_RETRY_S: Final = 60.0
"""Seconds until a computer tries again after an error: at first, and at the most."""


class Computers:
    """Lets computers pick whenever they are waited for and somebody looks."""

    def __init__(self, referee: Referee, desk: SolveQueue, unwatched_s: float) -> None:
        self.referee = referee
        self.desk = desk
        self.unwatched_s = unwatched_s
        """Seconds after the last look from which on a match waits for the next."""
        self._threads = FairPool(THREADS, "thinking")
        self._tasks = SupervisedTasks()
        self._thinking: set[tuple[str, Seat, int]] = set()
        referee.clerk.then = self.let

    def let(self, table: MatchSession) -> None:
        """Let the computers who are waited for do what they are waited for, each once."""
        room = table.room
        for seat in room.waiting():
            key = (room.id, seat, room.stage)
            if (
                room.computers[seat]
                and key not in self._thinking
                and table.is_watched(self.unwatched_s)
            ):
                self._thinking.add(key)
                self._tasks.start(self._act(table, seat, key), "computer")

    async def stop(self) -> None:
        """Let nobody think any more."""
        await self._tasks.stop()
        self._threads.close()

    async def _act(self, table: MatchSession, seat: Seat, key: tuple[str, Seat, int]) -> None:
        """Do what a seat is waited for; after an error, again."""
        pause = RETRY_S
        try:
            while True:
                try:
                    await self._act_once(table, seat)
                    return
                except IllegalPick:  # another process was faster, or it was taken back
                    return
                except DatabaseError:
                    pass
                except Exception:
                    told = {"match": table.room.id, "computer": table.room.terms.computer(seat)}
                    LOG.exception("a computer could not pick", extra=told)
                    table.delayed(Delay.TROUBLE)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_RETRY_S)
        finally:
            self._thinking.discard(key)

    async def _act_once(self, table: MatchSession, seat: Seat) -> None:
        """Pick or reveal."""
        room, round = table.room, table.room.match.round
        if room.phase == REVEAL:
            await self.referee.reveal(table, seat, round, None)
            return
        stage = room.stage
        player = await self._player(table, seat)
        number = await self._threads.run(table.opener, player.pick, room.view(seat))
        if table.delay is Delay.TROUBLE:
            table.delayed(None)
        if room.stage == stage:
            await self._pick(table, seat, round, number)

    async def _pick(self, table: MatchSession, seat: Seat, round: int, number: int) -> None:
        if not table.room.sealed:
            await self.referee.pick(table, seat, round, number)
            return
        id, salt = table.room.id, new_salt()
        promise = commitment(id, str(SEAT_NAMES[seat]), round, number, salt)
        secret = Secret(id, round, seat, number, salt)
        await self.referee.commit(table, seat, round, promise, secret)

    async def _player(self, table: MatchSession, seat: Seat) -> Player:
        """Who picks for a seat: the computer that sits there or, while it cannot, search.

        It remembers nobody: on a server anyone may come by any name.
        """
        if seat in table.opponents:
            return table.opponents[seat]
        terms, solution = table.room.terms, None
        name = terms.computer(seat)
        if registry.is_exact(name):
            solution = await self._solution(table)
            name = name if solution is not None else SEARCH
        player = registry.opponent(
            name, terms, seat, Random(), solution=solution, memory=NoMemory()
        )
        if name != SEARCH:
            table.opponents[seat] = player
        return player

    async def _solution(self, table: MatchSession) -> "Solution | None":
        """The solution that the computers of a table play by; none while there is none.

        It is waited for once. What could not be solved is not tried again for the same match.
        """
        terms, wait = table.room.terms, SOLUTION_WAIT_S
        if not self.desk.is_open(terms):
            if table.delay is Delay.UNSOLVED:
                return None
            if table.delay is Delay.SEARCH:
                wait = GLANCE_S
            else:
                table.delayed(Delay.SOLVING)
        try:
            solution = await asyncio.wait_for(self.desk.solution(terms, table.opener), wait)
        except NotSolved:
            table.delayed(Delay.UNSOLVED)
        except Exception:  # too many wait, it is being made, or the desk has logged what it was
            table.delayed(Delay.SEARCH)
        else:
            table.delayed(None)
            return solution
        return None
