"""Notifications between processes over PostgreSQL: new events, and who is present."""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import Any, Final

import msgspec

from evenodds.core.vocabulary import Seat
from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.logs import LOG
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.events import CHANNEL, EventNotification
from evenodds.server.storage.postgresql import POSTGRESQL_FAILURES, PostgresqlDatabase

PRESENCE: Final = "evenodds_presence"
"""Where processes tell who is there: `here PROCESS ID SEATS`, `who PROCESS ID`, `alive PROCESS`."""
NEWS: Final = msgspec.json.Decoder(list[EventNotification])
PROCESS_HEARTBEAT_S: Final = 5.0
"""Seconds between two signs of life of a process."""
PROCESS_TIMEOUT_S: Final = 4 * PROCESS_HEARTBEAT_S
"""Seconds after which a process that gives none is gone, and whoever was there with it."""


class ProcessNotifications:
    """One process's ear, and its voice, on the channels of a database."""

    def __init__(self, hall: MatchRegistry, database: Database) -> None:
        assert isinstance(database, PostgresqlDatabase)
        self.hall = hall
        self.database = database
        self.process = secrets.token_hex(4)
        self._listener: Any = None
        self._heard_of: dict[str, float] = {}
        self._tasks = SupervisedTasks()
        self._saying = asyncio.Lock()

    def start(self) -> None:
        """Listen from now on; whenever the database comes back, catch up."""
        self._tasks.keep(self._listen, "wake-ups")
        self._tasks.keep(self._live, "signs of life")

    async def stop(self) -> None:
        """Stop listening."""
        await self._tasks.stop()

    def announce(self, table: MatchSession) -> None:
        """Tell the others who is there at a match here."""
        seats = "".join(map(str, sorted(table.here())))
        self._tasks.start(self._say(f"here {self.process} {table.room.id} {seats}"), "presence")

    def ask(self, table: MatchSession) -> None:
        """Ask the others who is there with them."""
        self._tasks.start(self._say(f"who {self.process} {table.room.id}"), "presence")

    async def _listen(self) -> None:
        """Listen until the connection is lost."""
        try:
            async with self.database.engine.connect() as connection:
                try:
                    await self._hear(await connection.get_raw_connection())
                finally:
                    await connection.invalidate()  # it is nobody else's any more
        except (*POSTGRESQL_FAILURES, DatabaseError) as error:
            LOG.warning("the wake-ups of the database are lost", extra={"reason": str(error)})
        finally:
            self._listener = None

    async def _hear(self, connection: Any) -> None:
        raw, lost = connection.driver_connection, asyncio.Event()
        raw.add_termination_listener(lambda _: lost.set())
        await raw.add_listener(
            CHANNEL, lambda *heard: self._tasks.start(self._changed(heard[-1]), "news")
        )
        await raw.add_listener(PRESENCE, lambda *heard: self._present(heard[-1]))
        self._listener = raw
        for table in tuple(self.hall.tables.values()):  # what was said meanwhile was not heard
            await self.hall.referee.clerk.refresh(table)
            self.ask(table)
        await lost.wait()

    async def _live(self) -> None:
        """Give signs of life, and forget those who give none."""
        while True:
            await self._say(f"alive {self.process}")
            before = time.monotonic() - PROCESS_TIMEOUT_S
            gone = [process for process, at in self._heard_of.items() if at < before]
            for process in gone:
                del self._heard_of[process]
                for table in self.hall.tables.values():
                    self._elsewhere(table, process, set())
            await asyncio.sleep(PROCESS_HEARTBEAT_S)

    async def _say(self, words: str) -> None:
        raw = self._listener
        if raw is None:
            return
        async with self._saying:
            try:
                await raw.execute("SELECT pg_notify($1, $2)", PRESENCE, words)
            except (
                POSTGRESQL_FAILURES
            ):  # the connection is going, if it knows or not, and comes back
                raw.terminate()

    async def _changed(self, words: str) -> None:
        """Take in what others have written, as far as it is held here."""
        for news in NEWS.decode(words):
            table = self.hall.tables.get(news.match)
            if table is not None:
                with suppress(DatabaseError):  # then it is read when it is needed
                    await self.hall.referee.clerk.hear(table, news.seq, news.event)

    def _present(self, words: str) -> None:
        kind, process, *rest = words.split()
        if process == self.process:
            return
        self._heard_of[process] = time.monotonic()
        table = self.hall.tables.get(rest[0]) if rest else None
        if table is None:
            return
        if kind == "here":
            self._elsewhere(table, process, {int(seat) for seat in "".join(rest[1:])})
        elif table.here():
            self.announce(table)

    def _elsewhere(self, table: MatchSession, process: str, seats: set[Seat]) -> None:
        if table.elsewhere.get(process, set()) != seats:
            table.elsewhere[process] = seats
            table.tell()
