"""Several server processes on one PostgreSQL: a real one, started by the tests."""

import asyncio
import gc
import json
import os
import re
import shlex
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy import func, select, update

from evenodds.core import luck, notation
from tests.support import registries as rooms
from tests.support.clusters import Players, break_often
from tests.support.paths import ROOT
from tests.support.play import SEATS
from tests.support.postgres import Postgres
from tests.support.servers import Heard, Opener, Pair, Server, hear, serving
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.xdist_group("postgres")
DEPLOY = ROOT / "deploy"
Servers = tuple[Server, Server]


@contextmanager
def two_servers(postgres: Postgres, home: Path, **given: str) -> Iterator[Servers]:
    url = postgres.database()
    with (
        serving(home / "one", "--database", url, **given) as one,
        serving(home / "two", "--database", url, **given) as two,
    ):
        yield one, two


@pytest.fixture(scope="module")
def servers(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Two processes that tests share, each with matches of its own."""
    with two_servers(postgres, tmp_path_factory.mktemp("servers")) as both:
        yield both


def test_picks_at_the_same_moment_are_both_taken(servers: Servers) -> None:
    one, two = servers
    pair = Pair(one, "duel", other=two, rulings={"hp": 100})
    with ThreadPoolExecutor(2) as both:
        for round in range(1, 16):
            done = list(both.map(lambda seat, round=round: pair.pick(seat, 2, round), SEATS))
            assert [each.status_code for each in done] == [200, 200]
            assert any(len(each.json()["history"]) == round for each in done)


def test_dice_fall_alike_at_every_process_and_as_promised(
    postgres: Postgres, tmp_path: Path, example_games: dict[str, str]
) -> None:
    def alike() -> Any:
        """What both see, once they see the same."""
        views: list[Any] = []
        while not views or views[0] != views[1]:
            seen = map(pair.view, SEATS)
            views = [
                {key: view[key] for key in ("round", "draws", "dice", "seed")} for view in seen
            ]
        return views[0]

    with two_servers(postgres, tmp_path / "servers", **example_games) as servers:
        for game in ("goofspiel", "pig"):
            pair = Pair(servers[0], game, other=servers[1])
            seen = before = alike()
            while not seen["seed"]:
                if seen["round"] == 5 and game == "pig":
                    servers[0].end(signal.SIGKILL)
                    pair.seats[0] = servers[1].client(pair.tokens[0])
                for seat in SEATS:
                    view = pair.view(seat)
                    if view["legal"]:
                        done = pair.pick(seat, view["legal"][-1], view["round"])
                        assert done.status_code == 200
                seen = alike()
                assert seen["draws"][: len(before["draws"])] == before["draws"]
                assert seen["dice"] == before["dice"]
                before = seen
            assert luck.commitment(pair.id, seen["seed"]) == seen["dice"]
            record = servers[1].client().get(f"{pair.path}/record").text
            drawn = notation.parse(record).draws
            assert [list(each) for each in drawn] == seen["draws"]


def test_what_cannot_be_an_id_is_not_found(servers: Servers) -> None:
    client = servers[0].client()
    for path in ("", "/events", "/record", "/review"):
        assert client.get(f"/api/matches/a%00b{path}").status_code == 404
    for path in ("", "/review"):
        assert client.get(f"/match/a%00b{path}").status_code == 404
    assert client.post("/api/join", json={"match": "a\0"}).status_code == 404
    invitation = {"match": "a\0", "invitation": "a\0"}
    assert client.post("/api/invitations", json=invitation).status_code == 403


def test_presence_is_known_at_the_other_process(servers: Servers) -> None:
    one, two = servers
    pair = Pair(one, "duel", other=two)
    with hear(pair.seats[0], pair.path) as mine:
        assert mine.next()["connected"] == [True, False]
        with hear(pair.seats[1], pair.path) as theirs:
            assert theirs.next()["connected"][1]
            assert _next_told(mine, "connected", [True, False]) == [True, True]
        assert _next_told(mine, "connected", [True, True]) == [True, False]


def test_signs_and_take_backs_come_to_the_other_process(servers: Servers) -> None:
    one, two = servers
    pair = Pair(one, "circle", other=two)
    with hear(pair.seats[1], pair.path) as stream:
        stream.next()
        assert pair.act(0, "reactions", {"sign": "👏"}).status_code == 200
        signs = _next_told(stream, "reactions", [None, None])
        assert (signs[0][0], signs[1]) == ("👏", None)
        pair.pick(0, 4, 1)
        assert pair.act(0, "takeback", {"round": 2}).status_code == 200
        assert _next_told(stream, "takeback_asked", None) == "first"
        assert pair.act(1, "takeback", {"round": 2, "accept": True}).json()["history"] == []
    assert pair.pick(0, 5, 1).status_code == 200


def _next_told(stream: Heard, key: str, known: object) -> Any:
    """A field once it has changed; a view or the presence tells it, whichever comes."""
    for line in stream.lines:
        if line in ("event: presence", "event: view"):
            found = json.loads(next(stream.lines).removeprefix("data: ")).get(key, known)
            if found != known:
                return found
    raise AssertionError("the stream has ended")


@rooms.in_a_loop
async def test_only_when_all_processes_were_down_is_time_given_back(postgres: Postgres) -> None:
    url = postgres.database()

    one, two = rooms.Outages(await rooms.connect(url)), rooms.Outages(await rooms.connect(url))
    await one.heartbeat()
    assert not await two.heartbeat()
    await one.database.run(
        lambda disk: disk.execute(update(rooms.HEARTBEAT).values(at=rooms.HEARTBEAT.c.at - 100))
    )
    assert await two.heartbeat()
    assert await one.heartbeat()
    assert not await two.heartbeat()
    now = time.time()
    lost = (one.seconds_since(0), *(two.seconds_since(at) for at in (0, now - 50, now)))
    for each in (one, two):
        await each.database.close()
    assert lost == pytest.approx((100, 100, 50, 0), abs=20)


def test_a_computer_plays_wherever_the_person_is(servers: Servers) -> None:
    ann = Opener(servers[0], "circle", opponent="level:3", player=2, rulings={"numbers": 6})
    seats = [server.client(ann.token) for server in servers]
    view: dict[str, Any] = {}
    with hear(servers[1].client(), ann.path) as stream:
        while not view.get("result"):
            view = stream.next()
            turns = [picks.index(None) for picks in view["history"]]
            assert turns == [1, 0] * (len(turns) // 2) + [1] * (len(turns) % 2)
            if view["waiting"][1]:
                seat = seats[len(turns) // 2 % 2]
                wait_until(lambda: seat.get(ann.path).json()["legal"])  # noqa: B023
                number = seat.get(ann.path).json()["legal"][0]
                body = {"round": view["round"], "number": number}
                assert seat.post(f"{ann.path}/picks", json=body).status_code == 200


def test_a_match_survives_a_restart_of_the_database(postgres: Postgres, home: Path) -> None:
    postgres.needs_to_be_ours()
    url = postgres.database()
    with serving(home, "--database", url) as server:
        pair = Pair(server, "duel")
        assert pair.pick(0, 3, 1).status_code == 200
        server.wait_until_ready()
        postgres.stop("immediate")
        asked = server.client()
        refused = [
            pair.pick(1, 2, 1),
            asked.get("/api/matches"),
            asked.get("/api/matches/elsewhere"),
            asked.post("/api/matches", json={"game": "duel"}),
            asked.post("/api/join", json={"invitation": pair.invitation}),
        ]
        assert {answer.status_code for answer in refused} == {503}
        assert all("content-security-policy" in answer.headers for answer in refused)
        wait_until(lambda: asked.get("/readyz").status_code == 503)
        postgres.start()
        assert pair.pick(1, 2, 1).json()["history"] == [[3, 2]]
        server.wait_until_ready()
    logged = [line for line in server.logged if '"use":"writing"' in line]
    assert [json.loads(line)["said"] for line in logged] == [
        "the database does not answer",
        "the database answers again",
    ], "an outage is logged once, however many requests fail"


@rooms.in_a_loop
async def test_a_server_is_ready_when_a_write_goes_through(postgres: Postgres) -> None:
    url = postgres.database()

    ledger = rooms.Ledger(await rooms.connect(url))
    ledger.start()
    await ledger.check()
    other = await asyncpg.connect(url)
    async with other.transaction():
        await other.execute("LOCK TABLE alive, events IN EXCLUSIVE MODE")
        assert await ledger.events("elsewhere") == []
        with pytest.raises(rooms.DatabaseError, match="no write and read within"):
            await ledger.check(timeout_s=0.2)
    await other.close()
    await ledger.check()
    await ledger.stop()


def test_processes_hear_each_other_anew(postgres: Postgres, servers: Servers) -> None:
    postgres.needs_to_be_ours()
    one, two = servers
    pair = Pair(one, "duel", other=two)
    with hear(pair.seats[1], pair.path) as stream:
        stream.next()
        postgres.stop()
        postgres.start()
        assert pair.pick(0, 3, 1).status_code == 200
        assert stream.next()["chosen"] == [True, False]


def test_a_process_that_hears_nothing_is_not_ready(postgres: Postgres, home: Path) -> None:
    postgres.needs_to_be_ours()
    url = postgres.database()
    server_url, _, database = url.rpartition("/")

    def ask(query: str) -> list[int]:
        async def rows() -> list[int]:
            connection = await asyncpg.connect(f"{server_url}/postgres")
            try:
                return [pid for (pid,) in await connection.fetch(query)]
            finally:
                await connection.close()

        return asyncio.run(rows())

    with serving(home / "one", "--database", url) as one, serving(home, "--database", url) as two:
        one.wait_until_ready()
        two.wait_until_ready()
        pair = Pair(one, "duel", other=two)
        assert pair.pick(0, 3, 1).status_code == 200  # each writes on a connection that it keeps
        assert pair.pick(1, 2, 1).status_code == 200
        with hear(pair.seats[1], pair.path) as stream:
            stream.next()
            listeners = ask(
                "SELECT pid FROM pg_stat_activity"
                f" WHERE datname = '{database}' AND query ~ 'LISTEN|pg_notify\\(.1'"
            )
            assert len(listeners) == 2
            ask(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
            try:
                for pid in listeners:
                    os.kill(pid, signal.SIGSTOP)
                wait_until(lambda: "not heard" in two.client().get("/readyz").text)
                assert pair.pick(0, 3, 2).status_code == 200
            finally:
                for pid in listeners:
                    os.kill(pid, signal.SIGCONT)
                ask(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
            stream.when(lambda view: view["chosen"] == [True, False])
            two.wait_until_ready()


def test_nothing_is_lost_in_kills_and_restarts(postgres: Postgres, home: Path) -> None:
    postgres.needs_to_be_ours()
    *_, last = islice(break_often(home, postgres, Random(1), matches=2, kills=1), 2)
    assert last == {"kills": 1, "restarts": 1}


def test_others_go_on_while_a_process_is_stopped(servers: Servers) -> None:
    stopped, goes_on = servers
    players = Players(list(servers), Random(1))
    for _ in range(2):
        players.wait_for_round()
        stopped.process.send_signal(signal.SIGSTOP)  # at whatever it is about to do
        try:
            pair = Pair(goes_on, "duel")
            for round in (1, 2, 3):
                assert [pair.pick(seat, 2, round).status_code for seat in SEATS] == [200, 200]
        finally:
            stopped.process.send_signal(signal.SIGCONT)
    players.wait_for_round()
    players.stop()


@rooms.in_a_loop
async def test_a_write_whose_answer_is_lost_is_repeated_and_counts_once(postgres: Postgres) -> None:
    url = postgres.database()

    database = await rooms.connect(url)
    assert isinstance(database, rooms.PostgresqlDatabase)
    event = rooms.Event(2, 1.0, rooms.Picked(0, 1))
    picked = [
        rooms.LedgerEntry(match, event, secret=rooms.Secret(match, 1, 0, 3, ""))
        for match in ("a", "b")
    ]
    append, lost = database._append, [True]

    async def lose_answer(entries: Sequence[rooms.LedgerEntry]) -> dict[str, list[rooms.Event]]:
        found = await append(entries)
        if lost:
            lost.clear()
            raise asyncpg.ConnectionDoesNotExistError("the answer is lost")
        return found

    database._append = lose_answer  # type: ignore[method-assign]
    assert await database.append(picked) == {}
    assert not lost
    ledger = rooms.Ledger(database)
    assert [await ledger.events(match) for match in ("a", "b")] == [[event]] * 2
    assert await ledger.secrets("a", 1) == {0: (3, "")}
    secret = rooms.Secret("a", 1, 1, 5, "")
    other = rooms.LedgerEntry("a", rooms.Event(2, 2.0, rooms.Picked(1, 1)), secret=secret)
    assert await database.append([other]) == {"a": [event]}
    assert await ledger.secrets("a", 1) == {0: (3, "")}, "a refused pick leaves nothing"
    await database.close()


@rooms.in_a_loop
async def test_a_write_goes_through_where_the_kept_connection_hangs(postgres: Postgres) -> None:
    postgres.needs_to_be_ours()
    url = postgres.database()

    database = await rooms.connect(url)
    assert isinstance(database, rooms.PostgresqlDatabase)
    entry = rooms.LedgerEntry("a", rooms.Event(2, 1.0, rooms.Picked(0, 1)))
    assert await database.append([entry]) == {}
    hung, database._appending.timeout_s = database._appending.server_pid, 0.5
    assert hung is not None
    os.kill(hung, signal.SIGSTOP)
    try:
        after = rooms.LedgerEntry("a", rooms.Event(3, 2.0, rooms.Played(1, (3, 2))))
        async with asyncio.timeout(TIMEOUT_S):
            assert await database.append([after]) == {}
    finally:
        os.kill(hung, signal.SIGCONT)
    assert [event.seq for event in await rooms.Ledger(database).events("a")] == [2, 3]
    await database.close()


def test_writes_go_through_again_after_a_read_only_phase(postgres: Postgres) -> None:
    url = postgres.database()
    name = url.rsplit("/", 1)[1]

    async def write() -> None:
        database = await rooms.connect(url)
        ledger = rooms.Ledger(database)
        owner = await asyncpg.connect(url)

        async def use_all(seq: int) -> list[object]:
            """Both ways to write, and sessions that are read from; the errors of them."""
            entry = rooms.LedgerEntry("a", rooms.Event(seq, 1.0, rooms.Picked(0, 1)))
            writes = database.append([entry]), ledger.touch(["a"])
            reads = ledger.count_open(), database.read(select(func.count(func.pg_sleep(0.2))))
            return [*await asyncio.gather(*writes, *reads, return_exceptions=True)]

        await use_all(1)
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        kinds = [type(each) for each in await use_all(2)]
        assert kinds == [rooms.DatabaseError, rooms.DatabaseError, int, list]
        await owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        again = rooms.LedgerEntry("a", rooms.Event(2, 1.0, rooms.Picked(0, 1)))
        assert await database.append([again]) == {}
        await asyncio.gather(*(ledger.touch(["a"]) for _ in range(3)))
        await owner.close()
        await database.close()

    asyncio.run(write())
    gc.collect()  # a session that was in use meanwhile and was never closed would be an error


def test_the_command_of_the_compose_file_serves(postgres: Postgres, home: Path) -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert services["play-1"] == services["play-2"]
    assert services["play-1"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    serve, *command = shlex.split(services["play-1"]["command"])
    assert serve == "serve"
    given = dict(zip(command[::2], command[1::2], strict=True))
    del given["--port"]
    given["--database"] = postgres.database()
    with serving(home, *(text for option in given.items() for text in option)) as server:
        server.url = re.sub("//[^:]+", "//127.0.0.1", server.url)
        assert Pair(server, "duel").pick(0, 3, 1).status_code == 200


def test_the_proxy_of_the_compose_file_asks_both_processes() -> None:
    ours = (DEPLOY / "nginx.conf").read_text()
    assert re.findall(r"(?m)^    server (\S+);", ours) == ["play-1:8000", "play-2:8000"]
