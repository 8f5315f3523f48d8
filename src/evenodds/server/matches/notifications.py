"""Notifications between processes over PostgreSQL: new events, and who is present."""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import Any, Final

import msgspec

from evenodds.core.vocabulary import Seat
from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.ledger_entries import CHANNEL, Event, EventNotification
from evenodds.server.storage.postgresql import POSTGRESQL_FAILURES, PostgresqlDatabase

PRESENCE: Final = "evenodds_presence"
"""Channel of presence messages: `here PROCESS ID SEATS`, `who PROCESS ID`, `alive PROCESS`."""
NOTIFICATIONS: Final = msgspec.json.Decoder(list[EventNotification])
PROCESS_HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats of a process."""
SEND_TIMEOUT_S: Final = 5.0
"""Seconds after which a connection that has not sent a message is taken as lost."""
PROCESS_TIMEOUT_S: Final = 4 * PROCESS_HEARTBEAT_S
"""Seconds without a heartbeat after which a process, and the presence it announced, is dropped."""


class ProcessNotifications:
    """Sends and receives the notifications of one process, on one connection of its own."""

    def __init__(self, registry: MatchRegistry, database: Database) -> None:
        assert isinstance(database, PostgresqlDatabase)
        self.registry = registry
        self.database = database
        self.process = secrets.token_hex(4)
        self._listener: Any = None
        """The driver's connection while it listens; messages are dropped while it is None."""
        self._heartbeat_at: dict[str, float] = {}
        self._tasks = SupervisedTasks()
        self._send_lock = asyncio.Lock()
        """The driver runs one statement at a time on a connection."""

    def start(self) -> None:
        """Start listening; after each reconnect the sessions are refreshed."""
        self._tasks.run_forever(self._listen, "wake-ups")
        self._tasks.run_forever(self._send_heartbeats, "signs of life")

    async def stop(self) -> None:
        """Stop listening and sending."""
        await self._tasks.stop()

    def announce(self, session: MatchSession) -> None:
        """Announce which seats are present here."""
        seats = "".join(map(str, sorted(session.local_seats())))
        self._tasks.start(self._send(f"here {self.process} {session.state.id} {seats}"), "presence")

    def announce_reaction(self, session: MatchSession, seat: Seat) -> None:
        """Send the last sign of a seat to the other processes."""
        sign = session.reactions[seat][0]
        self._tasks.start(
            self._send(f"react {self.process} {session.state.id} {seat} {sign}"), "presence"
        )

    def request(self, session: MatchSession) -> None:
        """Ask the other processes which seats are present with them."""
        self._tasks.start(self._send(f"who {self.process} {session.state.id}"), "presence")

    async def _listen(self) -> None:
        """Listen until the connection is lost; the supervisor restarts this."""
        try:
            async with self.database.engine.connect() as connection:
                try:
                    await self._receive(await connection.get_raw_connection())
                finally:
                    await connection.invalidate()  # with listeners it must not return to the pool
        except (*POSTGRESQL_FAILURES, DatabaseError) as error:
            self.database.availability.failed("listening", error)
        finally:
            self._listener = None

    async def _receive(self, connection: Any) -> None:
        raw, lost = connection.driver_connection, asyncio.Event()
        raw.add_termination_listener(lambda _: lost.set())
        await raw.add_listener(CHANNEL, lambda _, pid, __, message: self._on_events(pid, message))
        await raw.add_listener(PRESENCE, lambda *args: self._on_presence(args[-1]))
        self._listener = raw
        self.database.availability.succeeded("listening")
        # PostgreSQL keeps no notifications for a lost connection: read what was missed.
        for session in tuple(self.registry.sessions.values()):
            await self.registry.referee.writer.refresh(session)
            self.request(session)
        await lost.wait()

    async def _send_heartbeats(self) -> None:
        """Send heartbeats, and drop processes that send none."""
        while True:
            await self._send(f"alive {self.process}")
            before = time.monotonic() - PROCESS_TIMEOUT_S
            gone = [process for process, at in self._heartbeat_at.items() if at < before]
            for process in gone:
                del self._heartbeat_at[process]
                for session in self.registry.sessions.values():
                    self._set_remote_seats(session, process, set())
            await asyncio.sleep(PROCESS_HEARTBEAT_S)

    async def _send(self, message: str) -> None:
        raw = self._listener
        if raw is None:
            return
        async with self._send_lock:
            try:
                query = "SELECT pg_notify($1, $2)"
                await raw.execute(query, PRESENCE, message, timeout=SEND_TIMEOUT_S)
            except POSTGRESQL_FAILURES as error:
                self.database.availability.failed("listening", error)
                raw.terminate()  # wakes `_receive`, even if the driver has not noticed the loss

    def _on_events(self, server_pid: int, message: str) -> None:
        """Apply events of other processes to the sessions held here."""
        if self.database.is_own_append(server_pid):
            return
        for notified in NOTIFICATIONS.decode(message):
            session = self.registry.sessions.get(notified.match)
            if session is None or notified.seq <= session.state.seq:
                continue  # events that were not appended come back to their writer, too
            content = notified.content
            event = Event(notified.seq, notified.at, content) if content else None
            if event is None or not self.registry.referee.writer.try_receive(session, event):
                self._tasks.start(self._catch_up(session, notified.seq, event), "news")

    async def _catch_up(self, session: MatchSession, seq: int, event: Event | None) -> None:
        with suppress(DatabaseError):  # it is read with the next request then
            await self.registry.referee.writer.receive(session, seq, event)

    def _on_presence(self, message: str) -> None:
        kind, process, *rest = message.split()
        if process == self.process:
            return
        self._heartbeat_at[process] = time.monotonic()
        session = self.registry.sessions.get(rest[0]) if rest else None
        if session is None:
            return
        if kind == "here":
            self._set_remote_seats(session, process, {int(seat) for seat in "".join(rest[1:])})
        elif kind == "react":
            with suppress(RateLimited):
                session.react(int(rest[1]), rest[2])
        elif session.local_seats():
            self.announce(session)

    def _set_remote_seats(self, session: MatchSession, process: str, seats: set[Seat]) -> None:
        if session.remote_seats.get(process, set()) != seats:
            session.remote_seats[process] = seats
            session.notify_watchers()
