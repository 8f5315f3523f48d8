"""The server, as its users meet it: a real process, real requests, a real disk."""

import json
import re
import shutil
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

import evenodds
from evenodds import Match
from tests.support.attacks import client_at
from tests.support.commands import UNMEASURED
from tests.support.examples import SMALL_GAME
from tests.support.game_data import data_of
from tests.support.packages import NIM, install
from tests.support.play import SEATS
from tests.support.registries import connect, run
from tests.support.servers import (
    Opener,
    Pair,
    Server,
    an_hour_passes,
    detail,
    hear,
    refused_start,
    serving,
    sql,
)
from tests.support.strategies import GAMES
from tests.support.waiting import wait_until

pytestmark = pytest.mark.processes


SMALL: list[Any] = [(game, data_of(game).small) for game in GAMES]
BY_REPETITION = (evenodds.game("factors").game, {"numbers": 1})


@pytest.mark.parametrize(("game", "given"), [*SMALL, BY_REPETITION], ids=str)
def test_two_people_play_every_game(game: Any, given: dict[str, Any], server: Server) -> None:
    pair = Pair(server, game.name, rulings=given)
    match = Match(game, given, players=("Ann", "Bob"))
    chance = Random(3)
    while match.result is None:
        for seat in match.waiting():
            view = pair.view(seat)
            assert view["legal"] == list(match.choices(seat))
            number = chance.choice(view["legal"])
            match.pick(seat, number)
            assert pair.pick(seat, number, view["round"]).status_code == 200
        for seat in SEATS:
            told = pair.view(seat)
            assert told["history"] == [[n or None for n in picks] for picks in match.history]
    view = pair.watcher.get(pair.path).json()
    assert view["result"]["reason"] == match.result.reason
    assert view["legal"] == []
    assert pair.pick(0, 1, view["round"]).status_code == 422
    assert sql(server.home, f"SELECT status FROM matches WHERE id = '{pair.id}'") == [("over",)]


def test_a_secret_pick_is_nowhere_before_the_reveal(server: Server) -> None:
    pair = Pair(server, "underdog", rulings={"numbers": 20}, clock=600)

    def on_file(query: str) -> list[Any]:
        return sql(server.home, f"SELECT {query} WHERE match = '{pair.id}'")

    with hear(pair.seats[1], pair.path) as other, hear(pair.watcher, pair.path) as spectator:
        before = [other.next(), spectator.next(), pair.view(1), pair.watcher.get(pair.path).json()]
        assert pair.pick(0, 17, 1).status_code == 200
        after = [other.next(), spectator.next(), pair.view(1), pair.watcher.get(pair.path).json()]
    for one, two in zip(before, after, strict=True):
        differ = {key for key in one if one[key] != two[key]}
        assert differ - {"now", "connected"} == {"seq", "chosen", "waiting"}
        assert two["chosen"] == [True, False]
    events = [(kind, json.loads(data)) for kind, data in on_file("kind, data FROM events")]
    assert ("picked", {"seat": 0, "round": 1}) in events
    assert on_file("number FROM secrets") == [(17,)]
    assert pair.pick(1, 3, 1).status_code == 200
    assert on_file("number FROM secrets") == []
    assert pair.view(0)["history"] == [[17, 3]]


def test_a_pick_is_taken_once(server: Server) -> None:
    pair = Pair(server, "margin")
    for _ in range(2):
        assert pair.pick(0, 4, 1).status_code == 200
    assert detail(pair.pick(0, 3, 1)) == "Ann has already picked in this round"
    assert pair.pick(1, 2, 1).status_code == 200
    assert pair.pick(0, 4, 1).status_code == 200
    stale = pair.pick(0, 5, 1)
    assert stale.status_code == 409
    assert stale.json()["view"]["round"] == 2
    assert stale.json()["view"]["seat"] == "first"


def test_seats_belong_to_those_who_took_them(server: Server) -> None:
    pair, strangers = Pair(server, "duel"), Pair(server, "duel")
    pick = {"round": 1, "number": 3}
    wrong = ["", "guess", pair.invitation, strangers.tokens[0], pair.tokens[0][:-1]]
    for token in wrong:
        refused = server.client(token).post(f"{pair.path}/picks", json=pick)
        assert refused.status_code == 403, token
        assert "history" not in refused.text
    assert pair.view(0)["chosen"] == [False, False]


def test_the_token_of_a_seat_is_told_only_to_programs_that_ask(server: Server) -> None:
    page, asks = server.client(), {"x-seat-token": "new"}
    del page.headers["x-seat-token"]
    page.headers["origin"] = server.url  # as browsers do
    terms = {"game": "duel", "listed": True}
    opened = page.post("/api/matches", json=terms)
    guest = {"match": opened.json()["match"], "key": "k" * 32}
    joined = page.post("/api/join", json=guest)
    path = f"/api/matches/{guest['match']}"
    page.post(f"{path}/resignation?seat=first")
    for headers in ({}, asks):
        for seat in ("first", "second"):
            again = page.post(f"{path}/rematch?seat={seat}", headers=headers)
    assert again.json()["match"]
    for granted in (opened, joined, again):
        assert granted.json()["token"] is None
        assert "HttpOnly" in granted.headers["set-cookie"]
    assert page.post("/api/matches", json=terms, headers=asks).json()["token"]
    assert page.post("/api/join", json=guest, headers=asks).json()["token"] == guest["key"]
    program = page.post(f"{path}/rematch", headers={"x-seat-token": guest["key"]})
    assert program.json()["token"] == guest["key"]


def test_a_guest_with_the_hosts_name_is_told_to_choose_another(server: Server) -> None:
    ann = Opener(server, "duel")
    guest = {"invitation": ann.secret, "name": "Ann"}
    refused = server.client().post("/api/join", json=guest)
    assert detail(refused) == "both players would be called Ann; choose another name"
    piled = guest | {"name": "Bob" + 19 * "\u0335"}
    assert server.client().post("/api/join", json=piled).status_code == 201
    assert ann.view()["players"] == ["Ann", "Bob\u0335\u0335"]


def test_a_seat_is_taken_again_with_the_key_it_was_taken_with(server: Server) -> None:
    ann, key = Opener(server, "duel"), "k" * 32
    path, guest = ann.path, {"invitation": ann.secret, "name": "Bob", "key": key}
    answers = [server.client().post("/api/join", json=guest) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.json()["token"] for answer in answers] == [key, key]
    by_name = server.client().post("/api/join", json={"match": ann.id, "key": key})
    assert by_name.json()["token"] == key
    assert server.client(key).get(path).json()["seat"] == "second"
    assert server.client(key).get(path).json()["players"] == ["Ann", "Bob"]
    for other in ("", "x" * 32):
        refused = server.client().post("/api/join", json=guest | {"key": other})
        assert refused.status_code == 403
    own = server.client().post("/api/join", json=guest | {"key": ann.token}).json()
    assert server.client(own["token"]).get(path).json()["seat"] == "first"


def test_tokens_are_not_kept(server: Server) -> None:
    pair = Pair(server, "duel")
    kept = b"".join(path.read_bytes() for path in server.home.glob("server.sqlite*"))
    for secret in (*pair.tokens, pair.invitation):
        assert secret.encode() not in kept


def test_the_time_of_an_outage_is_on_no_clock_and_picks_survive_it(home: Path) -> None:
    first = Server(home, **UNMEASURED)
    pair = Pair(first, "underdog", clock=600)
    assert pair.pick(0, 7, 1).status_code == 200
    first.end(signal.SIGKILL)
    an_hour_passes(home)
    with serving(home) as second:
        ann, bob = (second.client(token) for token in pair.tokens)
        assert ann.get(pair.path).json()["chosen"] == [True, False]
        early = ann.post(f"{pair.path}/claim").json()["detail"]
        assert re.fullmatch(r"the other has (59\d|600) s left", early)
        done = bob.post(f"{pair.path}/picks", json={"round": 1, "number": 8})
        assert done.json()["history"] == [[7, 8]]


def test_events_stream_as_they_happen(server: Server) -> None:
    pair = Pair(server, "duel")
    with hear(pair.seats[1], pair.path) as stream:
        assert stream.next()["round"] == 1
        pair.pick(0, 3, 1)
        known = stream.next()
        assert known["chosen"] == [True, False]
        pair.pick(1, 2, 1)
        assert stream.next()["history"] == [[3, 2]]
    with hear(pair.seats[1], pair.path, **{"last-event-id": str(pair.view(1)["seq"])}) as stream:
        pair.pick(0, 1, 2)
        assert stream.next()["chosen"] == [True, False]


def test_each_address_has_a_share_of_the_list(server: Server) -> None:
    terms = {"game": "duel", "listed": True}
    with client_at(server, "127.0.0.77") as greedy, client_at(server, "127.0.0.78") as modest:
        own = modest.post("/api/matches", json=terms).json()["match"]
        many = [greedy.post("/api/matches", json=terms).json()["match"] for _ in range(60)]
        shown = [each["match"] for each in modest.get("/api/matches").json()]
    assert [id for id in shown if id in {own, *many}] == [*many[:-11:-1], own]


def test_a_match_of_a_game_that_is_gone_stands_in_nobodys_way(home: Path, tmp_path: Path) -> None:
    install(tmp_path, "nim", NIM)
    with serving(home, PYTHONPATH=str(tmp_path)) as server:
        gone, kept = (Opener(server, game, listed=True) for game in ("nim", SMALL_GAME))
        timed = Pair(server, "nim", clock=60)
    sql(home, f"UPDATE matches SET due = 1 WHERE id = '{timed.id}'")
    with serving(home) as server:
        listed = server.client().get("/api/matches")
        assert [each["match"] for each in listed.json()] == [kept.id]
        missing = server.client().get(gone.path)
        assert detail(missing, 404).startswith('there is no game called "nim"')
        wait_until(lambda: sql(home, "SELECT min(due) > 1 FROM matches") == [(1,)])
        assert server.end().count("a match could not be ended") == 1


@pytest.fixture
def database(home: Path) -> Path:
    async def made() -> None:
        await (await connect(f"sqlite:///{home / 'server.sqlite'}")).close()

    run(made())
    return home / "server.sqlite"


@pytest.mark.usefixtures("database")
def test_a_database_of_another_version_is_left_alone(home: Path) -> None:
    sql(home, "UPDATE alembic_version SET version_num = '9999'")
    refuses_to_start(home, "made by another version")


def shape(file: Path) -> object:
    engine = create_engine(f"sqlite:///{file}")
    found = inspect(engine)
    tables = {
        name: (
            [column | {"type": str(column["type"])} for column in found.get_columns(name)],
            found.get_pk_constraint(name),
            sorted(found.get_indexes(name), key=str),
        )
        for name in found.get_table_names()
    }
    engine.dispose()
    return tables


def test_new_tables_are_those_of_a_release(database: Path, tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "releases" / "0.2" / "server.sqlite"
    assert shape(database) == shape(Path(shutil.copy(file, tmp_path)))


def refuses_to_start(home: Path, said: str, *arguments: str, **environment: str) -> None:
    done = refused_start(*arguments, home=home, **environment)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_of_sqlite_is_for_one_server(server: Server) -> None:
    refuses_to_start(server.home, "another server uses")


def test_a_damaged_file_is_not_served(home: Path, database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(Random(1).randbytes(4 * 4096))
    refuses_to_start(home, "the database is damaged; restore a back-up of it")
