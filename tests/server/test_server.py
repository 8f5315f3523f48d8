"""The server, as its users meet it: a real process, real requests, a real disk."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from evenodds.core import notation
from evenodds.core.match import Match
from evenodds.core.vocabulary import SEATS
from evenodds.server.storage import migrate as migrate_module
from evenodds.server.storage.migrate import migrate, upgrade
from evenodds.server.storage.schema import REVISION
from tests.support.attacks import client_at
from tests.support.commands import UNMEASURED, surroundings
from tests.support.examples import SMALL_GAME
from tests.support.game_data import data_of
from tests.support.packages import NIM, install
from tests.support.servers import Pair, Server, next_view, on_disk, refused_start, serving
from tests.support.strategies import GAMES

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_two_people_play_every_game_to_its_end(game: Any, server: Server) -> None:
    """What the server says is what the match at home says, move for move."""
    pair = Pair(server, game.name, rulings=data_of(game).small)
    match = Match(game, data_of(game).small, players=("Ann", "Bob"))
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


def test_a_secret_pick_is_nowhere_before_the_reveal(server: Server) -> None:
    pair = Pair(server, "underdog", rulings={"numbers": 20})
    id = pair.path.rsplit("/", 1)[1]
    before = [pair.view(1), pair.watcher.get(pair.path).json()]
    assert pair.pick(0, 17, 1).status_code == 200
    after = [pair.view(1), pair.watcher.get(pair.path).json()]
    for one, two in zip(before, after, strict=True):
        differ = {key for key in one if one[key] != two[key]}
        assert differ - {"now"} == {"seq", "chosen", "waiting"}
        assert two["chosen"] == [True, False]
    with on_disk(server.home) as connection:
        events = connection.execute(
            text("SELECT kind, data FROM events WHERE match = :id"), {"id": id}
        ).all()
        assert ("picked", {"seat": 0, "round": 1}) in [
            (kind, json.loads(data)) for kind, data in events
        ]
        assert connection.execute(
            text("SELECT number FROM secrets WHERE match = :id"), {"id": id}
        ).scalars().all() == [17]
    assert pair.pick(1, 3, 1).status_code == 200
    with on_disk(server.home) as connection:
        assert (
            connection.execute(
                text("SELECT number FROM secrets WHERE match = :id"), {"id": id}
            ).all()
            == []
        )
    assert pair.view(0)["history"] == [[17, 3]]


def test_a_pick_is_taken_once(server: Server) -> None:
    """The same pick again is harmless; another one, or for another round, is refused."""
    pair = Pair(server, "margin")
    for _ in range(2):
        assert pair.pick(0, 4, 1).status_code == 200
    refused = pair.pick(0, 3, 1)
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["detail"] == "Ann has already picked in this round"
    assert pair.pick(1, 2, 1).status_code == 200
    assert pair.pick(0, 4, 1).status_code == 200
    stale = pair.pick(0, 5, 1)
    assert stale.status_code == 409
    assert stale.json()["view"]["round"] == 2
    assert stale.json()["view"]["seat"] == "first"


def test_seats_belong_to_those_who_took_them(server: Server) -> None:
    """No token, another's, an invitation, a spent invitation, a guess."""
    pair, strangers = Pair(server, "duel"), Pair(server, "duel")
    pick = {"round": 1, "number": 3}
    wrong = ["", "guess", pair.invitation, strangers.tokens[0], pair.tokens[0][:-1]]
    for token in wrong:
        refused = server.client(token).post(f"{pair.path}/picks", json=pick)
        assert refused.status_code == 403, token
        assert "history" not in refused.text
    again = server.client().post("/api/join", json={"invitation": pair.invitation, "name": "Eve"})
    assert again.status_code == 403
    assert again.json()["detail"] == "somebody has taken this seat already"
    assert pair.view(0)["chosen"] == [False, False]


def test_the_token_of_a_seat_is_told_only_to_programs_that_ask(server: Server) -> None:
    """Pages have it in a cookie, and no script can ask for that of a cookie."""
    page, asks = server.client(), {"x-seat-token": "new"}
    del page.headers["x-seat-token"]
    page.headers["origin"] = server.url  # as browsers do
    wish = {"game": "duel", "listed": True}
    opened = page.post("/api/matches", json=wish)
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
    assert page.post("/api/matches", json=wish, headers=asks).json()["token"]
    assert page.post("/api/join", json=guest, headers=asks).json()["token"] == guest["key"]
    program = page.post(f"{path}/rematch", headers={"x-seat-token": guest["key"]})
    assert program.json()["token"] == guest["key"]


def test_a_guest_with_the_hosts_name_is_told_to_choose_another(server: Server) -> None:
    """The invitation is still good; of piled marks two stay on a letter."""
    opened = server.client().post("/api/matches", json={"game": "duel", "name": "Ann"}).json()
    guest = {"invitation": opened["invitation"], "name": "Ann"}
    refused = server.client().post("/api/join", json=guest)
    assert refused.status_code == 422
    assert refused.json()["detail"] == "both players would be called Ann; choose another name"
    piled = guest | {"name": "Bob" + 19 * "\u0335"}
    assert server.client().post("/api/join", json=piled).status_code == 201
    view = server.client(opened["token"]).get(f"/api/matches/{opened['match']}").json()
    assert view["players"] == ["Ann", "Bob\u0335\u0335"]


def test_a_seat_is_taken_again_with_the_key_it_was_taken_with(server: Server) -> None:
    """An answer may be lost; the same invitation with any other key is spent, the opener's too."""
    opened = server.client().post("/api/matches", json={"game": "duel", "name": "Ann"}).json()
    path, key = f"/api/matches/{opened['match']}", "k" * 32
    guest = {"invitation": opened["invitation"], "name": "Bob", "key": key}
    answers = [server.client().post("/api/join", json=guest) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.json()["token"] for answer in answers] == [key, key]
    by_name = server.client().post("/api/join", json={"match": opened["match"], "key": key})
    assert by_name.json()["token"] == key
    assert server.client(key).get(path).json()["seat"] == "second"
    assert server.client(key).get(path).json()["players"] == ["Ann", "Bob"]
    for other in ("", "x" * 32):
        refused = server.client().post("/api/join", json=guest | {"key": other})
        assert refused.status_code == 403
    own = server.client().post("/api/join", json=guest | {"key": opened["token"]}).json()
    assert server.client(own["token"]).get(path).json()["seat"] == "first"
    assert server.client().post("/api/join", json=guest | {"key": "short"}).status_code == 400
    with on_disk(server.home) as disk:
        hashes = disk.execute(text("SELECT hash FROM seats")).scalars().all()
    assert key not in hashes


def test_tokens_are_not_kept(server: Server) -> None:
    pair = Pair(server, "duel")
    kept = b"".join(path.read_bytes() for path in server.home.glob("server.sqlite*"))
    for secret in (*pair.tokens, pair.invitation):
        assert secret.encode() not in kept


@pytest.mark.parametrize("stage", ["pending", "complete", "between"])
def test_an_acknowledged_pick_survives_being_killed(stage: str, home: Path) -> None:
    """The plug is pulled, and the match goes on where it was; the clock stood still meanwhile."""
    first = Server(home, **UNMEASURED)
    pair = Pair(first, "underdog", clock=600)
    assert pair.pick(0, 7, 1).status_code == 200
    if stage != "pending":
        assert pair.pick(1, 8, 1).status_code == 200
    if stage == "between":
        assert pair.pick(1, 3, 2).status_code == 200
    first.end(signal.SIGKILL)
    with on_disk(home) as disk:  # an hour passes
        disk.execute(text("UPDATE events SET at = at - 3600"))
        disk.execute(text("UPDATE alive SET at = at - 3600"))
        disk.execute(text("UPDATE outages SET began = began - 3600, ended = ended - 3600"))
    with serving(home) as second:
        seats = [second.client(token) for token in pair.tokens]
        view = seats[0].get(pair.path).json()
        assert view["round"] == (1 if stage == "pending" else 2)
        assert (
            view["chosen"]
            == {
                "pending": [True, False],
                "complete": [False, False],
                "between": [False, True],
            }[stage]
        )
        if stage == "pending":
            early = seats[0].post(f"{pair.path}/claim").json()["detail"]
            assert re.fullmatch(r"the other has (59\d|600) s left", early)
            body = {"round": 1, "number": 8}
            done = seats[1].post(f"{pair.path}/picks", json=body)
            assert done.json()["history"] == [[7, 8]]


def test_events_stream_as_they_happen(server: Server) -> None:
    """The first tells how the match stands, and each change follows with its number."""
    pair = Pair(server, "duel")
    with pair.seats[1].stream("GET", f"{pair.path}/events") as stream:
        lines = stream.iter_lines()
        first = next_view(lines)
        assert first["round"] == 1
        pair.pick(0, 3, 1)
        assert next_view(lines)["chosen"] == [True, False]
        pair.pick(1, 2, 1)
        assert next_view(lines)["history"] == [[3, 2]]


def test_a_computer_answers_by_itself(server: Server) -> None:
    """In both seats of a game of turns, and unseen where both pick at once."""
    for player in (1, 2):
        wish = {"game": "circle", "opponent": "level:2", "player": player, "name": "Ann"}
        opened = server.client().post("/api/matches", json=wish).json()
        own = server.client(opened["token"])
        path = f"/api/matches/{opened['match']}"
        assert opened["invitation"] is None
        with own.stream("GET", f"{path}/events") as stream:
            for line in stream.iter_lines():
                view = json.loads(line.removeprefix("data: ")) if "data: " in line else {}
                if view.get("result"):
                    break
                if view.get("legal"):
                    body = {"round": view["round"], "number": view["legal"][0]}
                    assert own.post(f"{path}/picks", json=body).status_code == 200
        assert view["result"]["reason"] == "rules"


def test_resigning_ends_a_match(server: Server) -> None:
    pair = Pair(server, "margin")
    done = pair.seats[0].post(f"{pair.path}/resignation")
    assert done.json()["result"]["outcome"] == "second"
    assert done.json()["result"]["told"] == ["Ann resigns.", "Bob wins the game!"]
    assert pair.seats[1].post(f"{pair.path}/resignation").status_code == 422


@pytest.mark.parametrize(
    ("wish", "status", "detail"),
    [
        ({"game": "chess"}, 404, "there is no game"),
        ({"game": "duel", "rulings": {"hp": 0}}, 422, "hp=0 is not allowed; allowed: 1 to 100"),
        ({"game": "duel", "rulings": {"x": 1}}, 422, "there is no such ruling"),
        ({"game": "duel", "opponent": "robot"}, 422, "there is no opponent called"),
        ({"game": "duel", "opponent": "cmd:true"}, 422, "is taken from the command line only"),
        ({"game": "duel", "first": 2}, 422, "both players pick at once"),
        ({"game": "duel", "name": "x" * 21}, 422, "allowed: 1 to 20 characters"),
        ({"game": "duel", "nme": "x"}, 400, "unknown field"),
        ({}, 400, "missing required field"),
    ],
)
def test_what_cannot_be_opened_says_what_to_mend(
    wish: dict[str, Any], status: int, detail: str, server: Server
) -> None:
    refused = server.client().post("/api/matches", json=wish)
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    assert detail in refused.json()["detail"]
    assert "\n" not in refused.json()["detail"]


def test_pages_and_games_are_served(server: Server) -> None:
    """The pages need nothing from another host; the form gets its rulings from the games."""
    client = server.client()
    for path in ("/", "/static/match.js", "/static/lobby.js", "/static/api.js"):
        page = client.get(path)
        assert page.status_code == 200
        assert not re.search(r"https?://(?!www.w3.org)", page.text)
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert set(games) == {game.name for game in GAMES}
    assert games["underdog"]["rulings"]["numbers"]["usual"] == 10
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/api/schema/openapi.json").status_code == 200


def test_listed_matches_can_be_found(server: Server) -> None:
    hidden = Pair(server, "duel")
    shown = Pair(server, "margin", listed=True)
    found = server.client().get("/api/matches").json()
    assert found[0]["match"] == shown.path.rsplit("/", 1)[1]
    assert hidden.path.rsplit("/", 1)[1] not in str(found)
    assert found[0]["players"] == ["Ann", "Bob"]


@pytest.mark.processes
def test_each_address_has_a_share_of_the_list(home: Path) -> None:
    wish = {"game": "duel", "listed": True}
    with serving(home) as server, client_at(server, "127.0.0.2") as greedy:
        own = server.client().post("/api/matches", json=wish).json()["match"]
        many = [greedy.post("/api/matches", json=wish).json()["match"] for _ in range(60)]
        shown = [each["match"] for each in server.client().get("/api/matches").json()]
    assert shown == [*many[:-11:-1], own]


@pytest.mark.processes
def test_a_match_of_a_game_that_is_gone_takes_no_other_from_the_list(
    home: Path, tmp_path: Path
) -> None:
    install(tmp_path, "nim", NIM)
    with serving(home, PYTHONPATH=str(tmp_path)) as server:
        wishes = [{"game": game, "listed": True} for game in ("nim", SMALL_GAME)]
        gone, kept = (server.client().post("/api/matches", json=wish).json() for wish in wishes)
    with serving(home) as server:
        listed = server.client().get("/api/matches")
        assert [each["match"] for each in listed.json()] == [kept["match"]]
        missing = server.client().get(f"/api/matches/{gone['match']}")
        assert missing.status_code == 404
        assert missing.json()["detail"].startswith('there is no game called "nim"')


def test_a_database_from_a_newer_version_is_left_alone(home: Path) -> None:
    with serving(home):
        pass
    with on_disk(home) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    done = refused_start(home=home)
    assert done.returncode == 1
    assert "made by a newer version" in done.stderr
    assert done.stderr.count("\n") == 1


def shape(make: Callable[[Connection], None]) -> object:
    """All tables that something makes in a new database, as the database describes them."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        make(connection)
        assert connection.execute(text("SELECT count(*) FROM alive")).scalar_one() == 1
        assert connection.execute(text("SELECT * FROM alembic_version")).all() == [(REVISION,)]
        found = inspect(connection)
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


def test_new_tables_are_those_that_migrations_lead_to() -> None:
    """To the last index and default: a server never depends on how old its database is."""
    assert shape(migrate) == shape(partial(upgrade, current=None))


def test_the_last_migration_is_the_one_that_is_named() -> None:
    steps = Path(migrate_module.__file__).with_name("migrations") / "versions"
    assert max(path.name for path in steps.glob("0*.py")).startswith(f"{REVISION}_")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--database", "nonsense"], "this is not a database URL"),
        (["--database", "mysql://x/y"], "this is not a database URL"),
        (["--database", "sqlite:////proc/no/where"], "the database cannot be used"),
        (["--database", "sqlite:////proc/x"], "the database cannot be used"),
        (["--database", "postgresql://127.0.0.1:x/y"], "this is not a database URL"),
        (["--database", "postgresql://127.0.0.1:99999/y"], "port must be 0-65535"),
        (["--database", "postgresql://127.0.0.1:1/y?no=1"], "unexpected keyword argument 'no'"),
        (["--host", "300.1.1.1"], "cannot be used"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(
    arguments: list[str], said: str, home: Path
) -> None:
    done = refused_start(*arguments, home=home)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_record_of_a_match_is_what_was_played(server: Server) -> None:
    pair = Pair(server, "duel", rulings={"hp": 3})
    pair.pick(0, 3, 1)
    pair.pick(1, 1, 1)
    view = pair.view(0)
    line = " ".join(f"{one}-{two}" for one, two in view["history"])
    match = Match("duel", {"hp": 3}, players=("Ann", "Bob"))
    notation.play_line(match, line)
    assert match.result is not None
    assert view["result"]["outcome"] == "first"


def test_a_computer_that_cannot_play_is_refused(server: Server) -> None:
    """A ruling too large to be solved: said at once, with who can play it."""
    wish = {"game": "underdog", "rulings": {"numbers": 20}, "opponent": "perfect"}
    refused = server.client().post("/api/matches", json=wish)
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("perfect cannot play this, but search can: ")


def test_without_its_libraries_it_says_how_to_add_them(home: Path) -> None:
    """One line, as for every part that is installed only where it is used."""
    code = (
        "import sys; sys.modules['litestar'] = None; sys.argv = ['evenodds', 'serve'];"
        "from evenodds.cli import run; run()"
    )
    bare = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings(home)
    )
    assert bare.returncode == 1
    assert bare.stderr.startswith("this needs litestar, which is not installed; add it with: ")
    assert bare.stderr.count("\n") == 1
