"""A match on a server as `join` has it: links, what servers say, and seats that are kept."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import evenodds_here, keep_seat
from tests.support.foreign_server import (
    BREAKS,
    HARMFUL,
    VIEW,
    Answer,
    answering,
    changed,
    commitment,
    sealed,
    told,
)
from tests.support.servers import Opener, Server

OVER = {"result": {"outcome": "first", "reason": "resigned"}}
SEAT = {"token": "abc", "seat": "second"}
"""What grants a seat, and says later which it is."""
PROXIES = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
"""Nobody is there: the server that was named is asked, by no other way."""


def trouble_at(link: str, home: Path) -> str:
    done = evenodds_here("join", link, home=home)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    return done.stderr


def kept_seat(home: Path) -> Path:
    (file,) = (home / "seats").iterdir()
    return file


def change_seat(home: Path, **changes: Any) -> None:
    file = kept_seat(home)
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize(
    "link",
    [
        *("", "duel", "ftp://host/match/m", "http://host/", "http:///match/m"),
        *("http://host/match/m/review", "http://host/match/../x", "http://ho st/match/m"),
        *("http://host:port/match/m", "http://host:99999/match/m", "http://[::1/match/m"),
        *("http://me:secret@host/match/m", "http://host/match/m?x=1", "http://host/match/m#a b"),
    ],
)
def test_what_is_no_link_is_wrong_usage(link: str, home: Path) -> None:
    done = evenodds_here("join", link, home=home)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is no link to a match; it looks like" in done.stderr


def test_a_link_may_name_an_address_of_the_sixth_version(home: Path) -> None:
    assert "cannot be reached" in trouble_at("http://[::1]:9/match/abc#def", home)


@pytest.mark.long
@pytest.mark.parametrize("name", BREAKS)
def test_a_stranger_is_refused_in_one_line(name: str, home: Path) -> None:
    """Nothing of what it sends can move the cursor, colour the screen or look like another line."""
    answer, said = BREAKS[name]
    with answering(answer) as link:
        done = evenodds_here("join", link, home=home, **PROXIES)
    assert done.returncode == 1
    assert said in done.stderr
    assert not re.search(rf"\n|{HARMFUL}", done.stderr.rstrip("\n"))
    assert len(done.stderr) < 400
    assert not re.search(HARMFUL, done.stdout)


def test_events_in_many_pieces_are_put_together(home: Path) -> None:
    """Lines of data, comments, unknown fields; whoever comes back says what was heard last."""
    view = json.dumps(changed(players=["Ann", "Cy"], seq=4), indent=1).replace("\n", "\ndata:")
    pieces = f": hello\nretry: 5\n\nevent: view\nid: 12\nfoo: bar\ndata:{view}\n\n"
    end = told(changed(seq=5, **OVER))
    answer = Answer(VIEW, events=[f"{pieces}event: x\ndata: x\n\n".encode(), end])
    with answering(answer) as link:
        done = evenodds_here("join", link, home=home)
    assert done.stdout.endswith("Bob resigns.\nAnn wins the game!\n")
    assert answer.heard == [None, "12"]


def test_a_promise_that_was_seen_is_held_against_what_is_shown(home: Path) -> None:
    """Though what is shown fits what the server says by then, and whenever one comes back to it."""
    view = sealed(3, 1) | {"seat": "first"} | OVER
    with answering(Answer(view)) as link:
        keep_seat(link, "token")
        assert "Ann wins the game!" in evenodds_here("join", link, home=home).stdout
        other = commitment("m", "second", 1, 2, "d" * 32)
        change_seat(home, witnessed={"1": [view["seals"][0][0], other]})
        assert "Bob did not promise 1 in round 1" in trouble_at(link, home)


@pytest.mark.parametrize("players", [["[red]", "Bob"], ["[b]Bob", "Bob"], ["x" * 30, "Bob"]])
def test_a_name_of_nothing_but_markup_gives_way_to_the_rule_book(
    players: list[str], home: Path
) -> None:
    """Two players who are called the same have their places' names too."""
    with answering(Answer(changed(players=players, **OVER))) as link:
        done = evenodds_here("join", link, home=home)
    assert "Player 1 against Player 2" in done.stdout


def test_a_server_that_is_gone_for_good(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenodds.client.event_stream.RECONNECT_TIMEOUT_S", 0.0)
    with answering(Answer(VIEW, events=b"")) as link:
        said = trouble_at(link, home)
    assert said.startswith("the server tells nothing of this match. Return with: evenodds join")


@pytest.mark.parametrize(
    "body", [{"match": "m", "token": "a\r\nb: c"}, {"match": "x", "token": "a"}, {"match": 1}]
)
def test_a_token_that_would_forge_a_header_is_not_taken(body: dict[str, Any], home: Path) -> None:
    with answering(Answer(body)) as link:
        assert re.search("seat|another match|cannot be", trouble_at(f"{link}#invitation", home))
    assert not json.loads(kept_seat(home).read_text())["token"]


def test_a_kept_seat_that_is_damaged_is_left_alone(home: Path) -> None:
    with answering(Answer(changed(**SEAT, **OVER))) as link:
        assert evenodds_here("join", f"{link}#abc", home=home).returncode == 0
        kept_seat(home).write_text('{"token": ')
        assert "cannot be read and is left alone" in trouble_at(link, home)
    assert kept_seat(home).read_text() == '{"token": '


def test_what_is_not_understood_of_a_kept_seat_is_told_and_stays(home: Path) -> None:
    with answering(Answer(changed(**SEAT, **OVER))) as link:
        assert evenodds_here("join", f"{link}#abc", home=home).returncode == 0
        change_seat(home, colour="red", witnessed={"1": 3})
        done = evenodds_here("join", link, home=home)
        assert done.returncode == 0
        assert done.stdout.count("Not understood in") == 1
        assert f'Not understood in {kept_seat(home)}: "witnessed.1", "colour".' in (
            " ".join(done.stdout.split())
        )
        assert "You are Bob" in done.stdout
    assert json.loads(kept_seat(home).read_text())["colour"] == "red"


def test_a_seat_that_cannot_be_kept_is_held_all_the_same(home: Path) -> None:
    home.write_text("not a folder")
    with answering(Answer(changed(**SEAT, **OVER))) as link:
        done = evenodds_here("join", f"{link}#abc", home=home)
    assert done.returncode == 0
    assert "You are Bob, opposite Ann.\nYour seat cannot be saved: Not a directory." in done.stdout


@pytest.mark.processes
@pytest.mark.parametrize("listed", [False, True])
def test_a_lost_answer_loses_no_seat(listed: bool, server: Server, home: Path) -> None:
    opener = Opener(server, "duel", listed=listed)
    join = ("join", opener.link if listed else opener.invitation, "--name", "Bob")
    assert "You are Bob" in evenodds_here(*join, home=home).stdout
    key = json.loads(kept_seat(home).read_text())["token"]
    change_seat(home, token="", key=key)
    assert "You are Bob" in evenodds_here(*join, home=home).stdout
    assert json.loads(kept_seat(home).read_text())["token"] == key


@pytest.mark.processes
@pytest.mark.parametrize("heard", [True, False])
def test_promises_survive_the_terminal(heard: bool, server: Server, home: Path) -> None:
    """The number promised is on disk; a server that has not heard of it is promised the same."""
    opener = Opener(server, "duel", rulings={"hp": 2}, sealed=True, clock=600, opponent="high")
    keep_seat(opener.link, opener.token)
    made = commitment(opener.id, "first", 1, 2, "c" * 32)
    change_seat(home, promises={made: [1, 2, "c" * 32]})
    if heard:
        body = {"round": 1, "commitment": made}
        assert opener.client.post(f"{opener.path}/picks", json=body).status_code == 200
    done = evenodds_here("join", opener.link, typed="" if heard else "2\n", home=home)
    assert "Ann chose: 2" in done.stdout
    assert made in opener.client.get(f"{opener.path}/record").text


def test_players_are_listed_as_at_home_whoever_begins(home: Path) -> None:
    """Player 1 stands first in every list, though Player 2 may sit first."""
    turn: dict[str, Any] = {"game": "circle", "rulings": {}, "first": 2, "history": [[2, None]]}
    people: dict[str, Any] = {"players": ["Level 1", "Ann"], "computers": ["level:1", ""]}
    with answering(Answer(changed(seat="second", **turn, **people, **OVER))) as link:
        keep_seat(link, "token")
        done = evenodds_here("join", link, home=home)
    assert "You are Ann, opposite Level 1." in done.stdout
    assert "Number Circle Duel: Ann against Level 1, turn 2." in done.stdout
    assert "Ann resigns.\nLevel 1 wins the game!" in done.stdout
