"""What a server makes of errors within it: they are told to whoever waits, and work goes on."""

import asyncio
import fcntl
import json
import logging
import math
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import event
from sqlalchemy.exc import TimeoutError as PoolTimeout

from evenodds import FIRST, SECOND
from evenodds.core.terms import agree
from tests.support import registries as rooms
from tests.support.registries import registry_at, until
from tests.support.servers import Server, sql
from tests.support.waiting import TIMEOUT_S


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PoolTimeout("no connection is free"), rooms.DatabaseError),
        (ConnectionRefusedError("refused"), rooms.DatabaseError),
        (RuntimeError("nobody knows"), RuntimeError),
    ],
)
@rooms.in_a_loop
async def test_no_error_stops_writing(error: Exception, told: type[Exception], home: Path) -> None:
    def fail(_: object) -> None:
        raise error

    async with registry_at(home) as registry:
        database: Any = registry.ledger.database
        event.listen(database.engine, "engine_connect", fail)
        with pytest.raises(told):
            await registry.open(agree("duel"), rooms.MatchOptions(), "Ann", 1, "")
        with pytest.raises(told):
            await registry.ledger.check()
        event.remove(database.engine, "engine_connect", fail)
        await registry.ledger.check()
        await registry.open(agree("duel"), rooms.MatchOptions(), "Ann", 1, "")


@rooms.in_a_loop
async def test_a_file_that_another_program_has_locked_stops_nobody_but_writers(home: Path) -> None:
    async with registry_at(home) as registry:
        with closing(sqlite3.connect(home / "server.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(
                registry.open(agree("duel"), rooms.MatchOptions(), "Ann", 1, "")
            )
            for _ in range(100):
                assert await registry.ledger.events("no such match") == []
            assert not writing.done()
            other.execute("ROLLBACK")
            found = (await writing).match
    assert found


@pytest.mark.parametrize("table", ["matches", "events", "seats", "secrets"])
@rooms.in_a_loop
async def test_a_server_without_one_of_its_tables_is_not_ready(table: str, home: Path) -> None:
    async with registry_at(home) as registry:
        await registry.ledger.check()
        with closing(sqlite3.connect(home / "server.sqlite")) as other:
            other.execute(f"DROP TABLE {table}")
        with pytest.raises(rooms.DatabaseError):
            await registry.ledger.check()


@rooms.in_a_loop
async def test_a_server_is_not_ready_where_only_small_writes_fit(home: Path) -> None:
    async with registry_at(home) as registry:
        database = registry.ledger.database
        assert isinstance(database, rooms.SqliteDatabase)

        def limit(pages: int) -> None:
            with database.engine.connect() as connection:
                connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

        limit(1)  # which means: not more than there are
        await registry.heartbeat()
        with pytest.raises(rooms.DatabaseError, match="full"):
            await registry.ledger.check()
        limit(1_000_000)
        await registry.ledger.check()


@pytest.mark.parametrize("removed", ["server.sqlite*", "server.sqlite-wal"])
@rooms.in_a_loop
async def test_nothing_is_written_to_files_that_were_removed(
    removed: str, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with registry_at(home) as registry:
        await registry.ledger.check()
        for path in home.glob(removed):
            path.unlink()
        entry = rooms.LedgerEntry("b", rooms.Event(1, 0.0, rooms.Joined(1, "Bob")))
        for write in (registry.ledger.write(entry), registry.ledger.check()):
            with pytest.raises(rooms.DatabaseRemoved, match="was removed or replaced"):
                await write
        assert not list(home.glob(removed))
    assert [each.getMessage() for each in caplog.records] == ["the database does not answer"]


@rooms.in_a_loop
async def test_a_waiting_write_gives_way_to_what_another_process_has_written(home: Path) -> None:
    ledger = rooms.Ledger(rooms.open_database(f"sqlite:///{home / 'server.sqlite'}"))
    picked = rooms.Event(2, 0.0, rooms.Picked(0, 1))
    writes = [asyncio.create_task(ledger.write(rooms.LedgerEntry(id, picked))) for id in "ab"]
    await asyncio.sleep(0)
    assert ledger.refuse_pending("b", picked)
    assert not ledger.refuse_pending("b", picked)
    with pytest.raises(rooms.WriteConflict) as conflict:
        await writes[1]
    assert conflict.value.events == [picked]
    assert not writes[0].done()
    writes[0].cancel()
    await ledger.database.close()


@rooms.in_a_loop
async def test_an_entry_that_breaks_takes_no_other_along(home: Path) -> None:
    async with registry_at(home) as registry:
        names = {"a": cast(str, object()), "b": "Bob"}
        entries = (
            rooms.LedgerEntry(match, rooms.Event(1, 0.0, rooms.Joined(1, name)))
            for match, name in names.items()
        )
        writes = map(registry.ledger.write, entries)
        bad, good = list(await asyncio.gather(*writes, return_exceptions=True))
    assert isinstance(bad, Exception)
    assert good is None


@rooms.in_a_loop
async def test_a_failed_task_is_logged_and_begins_again(caplog: pytest.LogCaptureFixture) -> None:
    begun: list[int] = []

    async def fail() -> None:
        begun.append(1)
        raise RuntimeError("nobody knows")

    found = rooms.SupervisedTasks(0.0)
    found.start(fail(), "once")
    found.run_forever(fail, "for ever")
    while len(begun) < 4:
        await asyncio.sleep(0)
    await found.stop()
    said = {(record.getMessage(), vars(record)["task"]) for record in caplog.records}
    assert said == {("a task failed", "once"), ("a task failed and begins again", "for ever")}


@asynccontextmanager
async def app_at(home: Path) -> AsyncIterator[rooms.MatchRegistry]:
    url = f"sqlite:///{home / 'server.sqlite'}"
    await (await rooms.connect(url)).close()
    server = rooms.app.App(url, rooms.Settings())
    async with server._lifespan(server.litestar):
        assert server.registry is not None
        yield server.registry


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@rooms.in_a_loop
async def test_clocks_are_looked_after_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    async def fail_at_first(registry: rooms.MatchRegistry) -> None:
        begun.append(1)
        if len(begun) == 1:
            raise RuntimeError("nobody knows")

    monkeypatch.setattr(rooms.app, "run_housekeeping", fail_at_first)

    async with app_at(home):
        await until(lambda: len(begun) > 1)


async def begun(registry: rooms.MatchRegistry, clock: int | None = None) -> rooms.MatchSession:
    """A match of two people, of whom the second is away."""
    opened = await registry.open(agree("duel"), rooms.MatchOptions(clock), "Ann", 1, "")
    await registry.join(opened.invitation, "Bob")
    session = await registry.session(opened.match)
    session.streams[FIRST] = 1
    session.away_since[SECOND] = -math.inf
    return session


@pytest.mark.long
@rooms.in_a_loop
async def test_absences_and_ends_of_many_matches_share_their_writes(home: Path) -> None:
    class Together(rooms.Ledger):
        barrier = asyncio.Barrier(1)

        async def write(self, *entries: rooms.LedgerEntry) -> None:
            async with self.barrier:
                await super().write(*entries)

    async with registry_at(home, ledger_kind=Together) as registry:
        await registry.heartbeat()
        away = [await begun(registry) for _ in range(3)]
        late = [await begun(registry, clock=1) for _ in range(3)]
        Together.barrier = asyncio.Barrier(3)
        await rooms.housekeeping.run_absences(registry)
        assert [each.state.absent.keys() for each in away] == [{SECOND}] * 3
        await until(lambda: all(each.state.overdue(time.time()) for each in late))
        await rooms.housekeeping._end_overdue(registry)
        assert all(each.state.over for each in late)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@rooms.in_a_loop
async def test_no_clock_waits_for_an_absence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_to_write = asyncio.Event()

    async def hang(*_: object, **__: object) -> None:
        begun_to_write.set()
        await asyncio.Event().wait()

    async with app_at(home) as registry:
        monkeypatch.setattr(registry.referee, "record_absence", hang)
        await begun(registry)
        await begun_to_write.wait()
        late = await begun(registry, clock=1)
        await until(lambda: late.state.over)


@rooms.in_a_loop
async def test_an_outage_that_two_requests_find_out_counts_once(home: Path) -> None:
    async with registry_at(home) as registry:
        await registry.heartbeat()
        sql(home, "UPDATE alive SET at = at - 100")
        before = registry.outages.seconds_since(0)
        await asyncio.gather(registry.heartbeat(), registry.heartbeat())
        found = registry.outages.seconds_since(0) - before
    assert 100 <= found < 200


@rooms.in_a_loop
async def test_what_writes_begins_again_after_any_error(home: Path) -> None:
    class Breaking(rooms.Ledger):
        batches = 0

        async def _write_batch(self, batch: list[Any]) -> None:
            self._tasks.restart_s = 0.0
            self.batches += 1
            if self.batches == 1:
                raise RuntimeError("nobody knows")
            await super()._write_batch(batch)

    async with registry_at(home, ledger_kind=Breaking) as registry:
        async with asyncio.timeout(TIMEOUT_S):
            with pytest.raises(rooms.DatabaseError):
                await registry.ledger.write()
            await registry.ledger.write()


@rooms.in_a_loop
async def test_a_pick_sent_to_two_processes_is_taken_once(home: Path) -> None:
    async with registry_at(home) as one, registry_at(home) as two:
        opened = await one.open(agree("duel"), rooms.MatchOptions(), "Ann", 1, "")
        await one.join(opened.invitation, "Bob")
        session = await one.session(opened.match)
        await one.referee.pick(session, 0, 1, 3)
        behind = await two.session(opened.match)
        await one.referee.pick(session, 1, 1, 2)
        await two.referee.pick(behind, 1, 1, 2)
        found = [each.state.match.history for each in (session, behind)]
    assert found == [((3, 2),), ((3, 2),)]


@rooms.in_a_loop
async def test_what_is_written_while_a_match_is_being_read_is_not_missed(home: Path) -> None:
    key = "k" * 32

    class Slow(rooms.Ledger):
        meanwhile: Callable[[], Any] | None = None

        async def credentials(self, match: str) -> list[rooms.SeatCredential]:
            found = await super().credentials(match)
            happens, self.meanwhile = self.meanwhile, None
            if happens:
                await happens()
            return found

    async with registry_at(home) as one, registry_at(home, ledger_kind=Slow) as two:
        two.ledger.shared = True
        opened = await one.open(agree("duel"), rooms.MatchOptions(), "Ann", 1, "")
        assert isinstance(two.ledger, Slow)
        two.ledger.meanwhile = lambda: one.join(opened.invitation, "Bob", key)
        session = await two.session(opened.match)
        assert session.state.ready
        assert session.seat_of(key) == SECOND


@rooms.in_a_loop
async def test_what_nobody_expected_is_answered_like_everything_else() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("nobody knows")

    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    receive: Callable[[], Any] = asyncio.Future
    scope: Any = {
        "type": "http", "method": "GET", "path": "/", "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"127.0.0.1")],
    }  # fmt: skip
    limits = rooms.ServerLimits(rooms.Settings())
    await rooms.SecurityMiddleware(broken, limits, rooms.Metrics())(scope, receive, send)
    start, body = said
    assert start["status"] == 500
    assert b"content-security-policy" in dict(start["headers"])
    assert b"nobody knows" not in body["body"]


def test_a_log_that_nobody_reads_stops_nobody() -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    handler = rooms.QueuedHandler(writing, max_lines=100, flush_timeout_s=0.0)
    handler.setFormatter(rooms.JsonFormatter())

    def log(number: int) -> None:
        handler.handle(logging.makeLogRecord({"msg": str(number)}))

    for number in range(1000):
        log(number)
    handler.flush()  # the exit waits for nobody for long
    told = dropped = 0
    with open(reading, "rb") as pipe:
        while told + dropped + handler._dropped < 1000:
            line = json.loads(pipe.readline())
            dropped += line.get("count", 0)
            told += "count" not in line
        log(1000)
        while (line := json.loads(pipe.readline()))["said"] != "1000":
            assert line["said"] == "lines of the log were dropped"
            dropped += line["count"]
    os.close(writing)
    assert told + dropped == 1000
    assert dropped > 800


@pytest.mark.processes
def test_a_server_whose_log_is_not_read_answers(home: Path) -> None:
    class Unread(Server):
        log_is_read = False

    server = Unread(home, "--log", "info")
    try:
        assert server.process.stdout is not None
        fcntl.fcntl(server.process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        client = server.client()
        for _ in range(200):
            assert client.get("/api/matches/nowhere").status_code == 404
        assert client.get("/healthz").status_code == 200
    finally:
        logged = server.end()
    assert "/api/matches/nowhere" in logged
