"""Notifications between processes over PostgreSQL: new events, and who is present."""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import Any, Final

import msgspec

from evenodds.core.vocabulary import Seat
from evenodds.server.jobs import SupervisedTasks
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.ledger_entries import CHANNEL, Event, EventNotification
from evenodds.server.storage.postgresql import POSTGRESQL_FAILURES, PostgresqlDatabase

PROCESS_HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats of a process."""
SEND_TIMEOUT_S: Final = 5.0
"""Seconds after which a connection that has not sent a message is taken as lost."""
PROCESS_TIMEOUT_S: Final = 4 * PROCESS_HEARTBEAT_S
"""Seconds without a heartbeat after which a process, and the presence it announced, is dropped."""


class ProcessNotification(msgspec.Struct, array_like=True, tag="process"):
    """A sign of life of a process, which may tell of a match or, without seats, ask about it."""

    process: str
    match: str = ""
    seats: set[Seat] | None = None
    """The seats present there."""
    reaction: tuple[Seat, str] | None = None
    """The last sign of a seat."""


NOTIFICATIONS: Final = msgspec.json.Decoder(list[EventNotification | ProcessNotification])


class ProcessNotifications:
    """Sends and receives the notifications of one process, on one connection of its own."""

    def __init__(self, registry: MatchRegistry, tasks: SupervisedTasks) -> None:
        assert isinstance(registry.ledger.database, PostgresqlDatabase)
        self.registry = registry
        self.database = registry.ledger.database
        self.process = secrets.token_hex(4)
        self._listener: Any = None
        """The driver's connection while it listens; messages are dropped while it is None."""
        self._heartbeat_at: dict[str, float] = {}
        self._tasks = tasks
        self._send_lock = asyncio.Lock()
        """The driver runs one statement at a time on a connection."""

    def start(self) -> None:
        """Start listening; after each reconnect the sessions are refreshed."""
        self._tasks.run_forever(self._listen, "wake-ups")
        self._tasks.run_forever(self._send_heartbeats, "signs of life")

    def announce(self, session: MatchSession, **what: Any) -> None:
        """Tell the other processes `seats` that are present here, or a `reaction`; or ask them."""
        message = ProcessNotification(self.process, session.state.id, **what)
        self._tasks.start(self._send(message), "presence")

    async def _listen(self) -> None:
        """Listen until the connection is lost; the supervisor restarts this."""
        try:
            async with self.database.engine.connect() as connection:
                try:
                    await self._receive(await connection.get_raw_connection())
                finally:
                    await connection.invalidate()  # with listeners it must not return to the pool
        except (*POSTGRESQL_FAILURES, DatabaseError) as error:
            self.database.failed("listening", error)
        finally:
            self._listener = None

    async def _receive(self, connection: Any) -> None:
        raw, lost = connection.driver_connection, asyncio.Event()
        raw.add_termination_listener(lambda _: lost.set())
        await raw.add_listener(CHANNEL, lambda _, pid, __, payload: self._hear(pid, payload))
        self._listener = raw
        self.database.succeeded("listening")
        # PostgreSQL keeps no notifications for a lost connection: read what was missed.
        for session in tuple(self.registry.sessions.values()):
            await self.registry.writer.refresh(session)
            self.announce(session)
        await lost.wait()

    async def _send_heartbeats(self) -> None:
        """Send heartbeats, and drop processes that send none."""
        while True:
            await self._send(ProcessNotification(self.process))
            before = time.monotonic() - PROCESS_TIMEOUT_S
            gone = [process for process, at in self._heartbeat_at.items() if at < before]
            for process in gone:
                del self._heartbeat_at[process]
                for session in self.registry.sessions.values():
                    self._set_remote_seats(session, process, set())
            await asyncio.sleep(PROCESS_HEARTBEAT_S)

    async def _send(self, message: ProcessNotification) -> None:
        raw = self._listener
        if raw is None:
            return
        async with self._send_lock:
            try:
                query, payload = "SELECT pg_notify($1, $2)", msgspec.json.encode([message]).decode()
                await raw.execute(query, CHANNEL, payload, timeout=SEND_TIMEOUT_S)
            except POSTGRESQL_FAILURES as error:
                self.database.failed("listening", error)
                raw.terminate()  # wakes `_receive`, even if the driver has not noticed the loss

    def _hear(self, server_pid: int, payload: str) -> None:
        """Apply what other processes tell to the sessions held here."""
        if self.database.is_own_append(server_pid):
            return
        for message in NOTIFICATIONS.decode(payload):
            session = self.registry.sessions.get(message.match)
            if isinstance(message, ProcessNotification):
                self._hear_process(message, session)
            elif session is not None and message.seq > session.state.seq:
                # Events that were not appended come back to their writer, too, as known ones.
                content = message.content
                event = Event(message.seq, message.at, content) if content else None
                if event is None or not self.registry.writer.try_receive(session, event):
                    self._tasks.start(self._refresh(session, message.seq), "news")

    async def _refresh(self, session: MatchSession, seq: int) -> None:
        with suppress(DatabaseError):  # it is read with the next request then
            await self.registry.writer.refresh(session, seq)

    def _hear_process(self, message: ProcessNotification, session: MatchSession | None) -> None:
        if message.process == self.process:
            return
        self._heartbeat_at[message.process] = time.monotonic()
        if session is None:
            return
        if message.seats is not None:
            self._set_remote_seats(session, message.process, message.seats)
        elif message.reaction is not None:
            with suppress(RateLimited):
                session.react(*message.reaction)
        elif seats := session.local_seats():
            self.announce(session, seats=seats)

    def _set_remote_seats(self, session: MatchSession, process: str, seats: set[Seat]) -> None:
        if session.remote_seats.get(process, set()) != seats:
            session.remote_seats[process] = seats
            session.notify_watchers()
