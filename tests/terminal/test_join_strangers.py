"""What `evenodds join` does where no honest server is: it says one line, and nothing worse."""

import json
import re
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evenodds.client import event_stream
from evenodds.client.address import BadAddress, address
from evenodds.client.http_client import Client, InvalidResponse, RemoteError
from evenodds.client.remote_match import connect_to_match
from evenodds.client.saved_seats import SavedSeat
from evenodds.client.snapshot import parse_snapshot
from evenodds.core.match import Match
from evenodds.core.seals import commitment
from evenodds.core.serialization import view_as_data
from evenodds.core.vocabulary import FIRST
from evenodds.system.text import plain
from evenodds.terminal.play.session import SessionOptions
from evenodds.terminal.remote.notices import MatchNotices
from evenodds.terminal.remote.session import RemoteSession
from tests.support.commands import Terminal, evenodds, surroundings

VIEW: dict[str, Any] = {
    "match": "m",
    "seq": 3,
    "game": "duel",
    "rulings": {"hp": 3},
    "seat": None,
    "players": ["Ann", "Bob"],
    "computers": ["", ""],
    "joined": [True, True],
    **view_as_data(Match("duel").view(FIRST)),
    "waiting": [True, True],
    "result": None,
}
"""What an honest server says of a match that has just begun."""


def told(view: object) -> bytes:
    """A view as an event of a stream."""
    return b"event: view\r\nid: 3\r\ndata: " + json.dumps(view).encode() + b"\r\n\r\n"


class Answer:
    """What a stranger answers: to a question about the match, and to one for its events."""

    def __init__(
        self,
        body: bytes | dict[str, Any] = b"",
        *,
        status: int = 200,
        events: bytes | None = None,
        kind: str = "text/event-stream",
        location: str = "",
    ) -> None:
        self.body = json.dumps(body).encode() if isinstance(body, dict) else body
        self.status = status
        self.events = told(body if isinstance(body, dict) else VIEW) if events is None else events
        self.kind = kind
        self.location = location


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """A stranger's server for a while: the link to its match."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            events = self.path.endswith("/events")
            self.send_response(200 if events else answer.status)
            self.send_header("Content-Type", answer.kind if events else "application/json")
            if answer.location:
                self.send_header("Location", answer.location)
            self.end_headers()
            self.wfile.write(answer.events if events else answer.body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            """Tests have enough to say."""

    class Stranger(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Guests hang up on strangers."""

    with Stranger(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/match/m"
        finally:
            server.shutdown()
            thread.join()
    assert not [path for path in asked if path.startswith("/elsewhere")]


def changed(**changes: Any) -> dict[str, Any]:
    """An honest view but for something."""
    return VIEW | changes


def sealed(one: int, two: int, salts: tuple[str, str] = ("a" * 32, "b" * 32)) -> dict[str, Any]:
    """A view after a round of sealed picks, promised with these salts or with others."""
    promised = [
        commitment("m", "first", 1, one, "a" * 32),
        commitment("m", "second", 1, two, "b" * 32),
    ]
    seals = [list(seal) for seal in zip(promised, salts, strict=True)]
    return changed(sealed=True, history=[[one, two]], seals=seals, seq=4)


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x1b[31m[bold]Eve[/bold]\u202e\r\nroot# "
HARMFUL = r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]|\[bold\]"
BREAKS: dict[str, tuple[Answer, str]] = {
    "escapes": (Answer({"detail": HOSTILE * 20, "status": 404}, status=404), "Eve"),
    "web page": (Answer(b"<html>\x1b[31m</html>"), "no Even Odds server answers at"),
    "error page": (Answer(b"<html>", status=404), "no Even Odds server answers at"),
    "huge": (Answer(b'"' + b"x" * (2 << 20) + b'"'), "no Even Odds server answers at"),
    "deep": (Answer(b"[" * 100_000), "no Even Odds server answers at"),
    "list": (Answer(b"[]"), "what the server says of this match cannot be: it is no view"),
    "redirect": (Answer(status=302, location="/elsewhere"), "sends us elsewhere"),
    "game": (Answer(changed(game=f"chess{HOSTILE}")), 'there is no game called "chess'),
    "ruling": (Answer(changed(rulings={HOSTILE: 1})), "there is no such ruling"),
    "value": (Answer(changed(rulings={"hp": HOSTILE})), "is not allowed; allowed: 1 to 100"),
    "history": (Answer(changed(history=[[7, 3]])), "cannot be: Ann: 7 is not a number from 1 to 3"),
    "types": (Answer(changed(history=[["1", HOSTILE]])), "a round of two picks is missing"),
    "bools": (Answer(changed(history=[[True, 2]])), "cannot be: Ann: True is not a whole number"),
    "seat": (Answer(changed(seat=HOSTILE)), "there is no such seat"),
    "names": (Answer(changed(players=[1, 2])), "its players are missing"),
    "clock": (Answer(changed(now="noon", deadline=9)), "its clock is wrong"),
    "verdict": (Answer(changed(result={"outcome": "first", "reason": HOSTILE})), "for no reason"),
    "promise": (
        Answer(sealed(3, 1, salts=("a" * 32, "c" * 32))),
        "Bob did not promise 1 in round 1",
    ),
    "seals": (Answer(sealed(3, 1) | {"seals": None}), "nothing shows that Ann promised 3"),
    "no seals": (Answer(sealed(3, 1) | {"seals": [1, 2]}), "its seals are wrong"),
    "stream type": (Answer(VIEW, kind="text/html"), "no Even Odds server answers at"),
    "stream text": (Answer(VIEW, events=b"event: view\ndata: \x1b[2J\n\n"), "cannot be read"),
    "stream size": (Answer(VIEW, events=b"event: view\ndata: " + b"x" * (2 << 20)), "more than"),
    "stream sum": (
        Answer(VIEW, events=(b"data: " + b"x" * 60_000 + b"\n") * 20),
        "more than a match can be",
    ),
    "stream view": (
        Answer(VIEW, events=told(VIEW | {"seq": HOSTILE})),
        "its seq is wrong",
    ),
}


def trouble_at(link: str) -> str:
    """Why a visit ends that nobody ends."""
    with pytest.raises(RemoteError) as caught:
        RemoteSession(
            SessionOptions(plain=True, record=None, seed=None), connect_to_match(address(link), "")
        ).run()
    return str(caught.value)


@pytest.mark.processes
@pytest.mark.parametrize("name", BREAKS)
def test_a_stranger_is_refused_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of what it sends can move the cursor, colour the screen or look like another line."""
    answer, said = BREAKS[name]
    with answering(answer) as link:
        trouble = trouble_at(link)
    assert said in trouble
    assert not re.search(rf"\n|{HARMFUL}", trouble)
    assert len(trouble) < 400
    assert not re.search(HARMFUL, capsys.readouterr().out)


@pytest.mark.processes
def test_a_promise_that_was_seen_is_held_against_what_is_shown() -> None:
    """Though what is shown fits what the server says by then, and whenever one comes back to it."""
    view = sealed(3, 1)
    with answering(Answer(view | {"seat": "first"})) as link:
        kept = SavedSeat(address(link))
        kept.save_token("token")
        with closing(connect_to_match(address(link), "")) as place:
            assert place.snapshot.history == ((3, 1),)
        kept.record_commitments(1, (view["seals"][0][0], commitment("m", "second", 1, 2, "d" * 32)))
        with pytest.raises(InvalidResponse, match="Bob did not promise 1 in round 1"):
            connect_to_match(address(link), "")


@pytest.mark.processes
def test_the_command_says_that_line_and_no_more(home: Path) -> None:
    """With the exit code of what is not there."""
    answer, said = BREAKS["escapes"]
    with answering(answer) as link:
        done = evenodds("join", link, home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not re.search(HARMFUL, done.stderr)


@pytest.mark.processes
def test_names_from_strangers_are_stripped(home: Path) -> None:
    """Of control characters, of marks that turn text round, and of markup."""
    players = ["\x1b[31m[bold red]Eve[/]\u202e\x9b2J", "[[x]link=http://x]Bob\r\n"]
    with answering(Answer(changed(players=players), events=b"\n" * 9)) as link:
        guest = Terminal("join", link, "--plain", home=home)
        guest.see("Waiting for [31mEve2J and Bob.")
        guest.press("c")
        assert guest.end() == 130
    assert not re.search(rb"[^\x20-\x7e\r\n]|bold|link", guest.stream)


def test_a_name_of_nothing_but_markup_gives_way_to_the_rule_book() -> None:
    """Two players who are called the same have their places' names too."""
    for players in (["[red]", "Bob"], ["[b]Bob", "Bob"], ["x" * 30, "Bob"]):
        assert parse_snapshot(changed(players=players)).terms.players == ("Player 1", "Player 2")


@pytest.mark.parametrize(
    "text", ["[red]x", "[[red]red]x", "[/]x", "[#fff on @x]x", "[a[b[c]d]e]x", "\x1bx", "\u2066x"]
)
def test_markup_is_stripped_however_it_is_nested(text: str) -> None:
    """And what is no markup stays."""
    assert plain(text) == "x"
    assert plain("[1] a [2, 3] b]") == "[1] a [2, 3] b]"


@pytest.mark.parametrize(
    "link",
    [
        "",
        "duel",
        "ftp://host/match/m",
        "http://host/",
        "http://host/match/m/review",
        "http://host/match/../x",
        "http://host:port/match/m",
        "http://host:99999/match/m",
        "http://me:secret@host/match/m",
        "http://ho st/match/m",
        "http://[::1/match/m",
        "http://host/match/m?x=1",
        "http://host/match/m#a b",
        "http:///match/m",
    ],
)
def test_what_is_no_link_is_wrong_usage(link: str, home: Path) -> None:
    """And what may be secret in it is not repeated."""
    with pytest.raises(BadAddress, match="is no link to a match; it looks like"):
        address(link)


@pytest.mark.processes
def test_wrong_usage_has_its_exit_code(home: Path) -> None:
    """As everywhere in the command line; the invitation is not shown."""
    done = evenodds("join", "http://host/play/m#secret", home=home)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
    named = address("http://[::1]:8000/match/abc#def")
    assert (named.link, named.invitation) == ("http://[::1]:8000/match/abc", "def")


@pytest.mark.processes
def test_where_nobody_answers(home: Path) -> None:
    """A closed port, and a server that speaks plainly where https is asked for."""
    with answering(Answer(VIEW)) as link:
        secure = evenodds("join", link.replace("http:", "https:"), home=home)
    gone = evenodds("join", link, home=home)
    for done, said in ((secure, "does not answer over https"), (gone, "Connection refused")):
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.processes
def test_nothing_is_needed_but_the_core(home: Path) -> None:
    """Neither the server's libraries nor the solver's."""
    extras = "litestar msgspec uvicorn sqlalchemy numba numpy httpx"
    code = (
        f"import sys; sys.modules |= dict.fromkeys('{extras}'.split());"
        "from evenodds.cli import run; run()"
    )
    with answering(Answer(changed(result={"outcome": "first", "reason": "resigned"}))) as link:
        done = subprocess.run(
            [sys.executable, "-c", code, "join", link],
            capture_output=True,
            text=True,
            env=surroundings(home),
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Bob resigns.\nAnn wins the game!\n")


@pytest.mark.processes
def test_a_server_that_is_gone_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while nobody waits any longer."""
    monkeypatch.setattr(event_stream, "RECONNECT_TIMEOUT_S", 0.0)
    with answering(Answer(VIEW, events=b"")) as link:
        said = trouble_at(link)
    assert said.startswith("the server tells nothing of this match. Come back with: evenodds join")


def test_a_kept_seat_that_is_damaged_is_left_alone(home: Path) -> None:
    """It may be the only way back; so nothing is written over it."""
    kept = SavedSeat(address("http://host/match/m"))
    kept.save_token("token")
    (file,) = (home / "seats").iterdir()
    file.write_text('{"token": ')
    with pytest.raises(RemoteError, match="cannot be read and is left alone"):
        SavedSeat(kept.address)
    assert file.read_text() == '{"token": '


def test_a_seat_that_cannot_be_kept_is_held_all_the_same(home: Path) -> None:
    """It is said why, and play goes on."""
    home.write_text("not a folder")
    kept = SavedSeat(address("http://host/match/m"))
    kept.save_token("token")
    assert kept.token == "token"
    assert kept.save_error == "Not a directory"


@pytest.mark.processes
def test_a_token_that_would_forge_a_header_is_not_taken() -> None:
    """Nor is a seat in another match."""
    for body in ({"match": "m", "token": "a\r\nb: c"}, {"match": "x", "token": "a"}, {"match": 1}):
        with answering(Answer(body)) as link, pytest.raises(InvalidResponse):
            connect_to_match(address(f"{link}#invitation"), "Bob")


@pytest.mark.processes
def test_time_that_is_given_back_is_called_out() -> None:
    """A server that was away gives more time than there was left, though nothing was played."""
    view = changed(seat="first", clock=60, now=100.0, deadline=110.0)
    there = {"connected": [True, True], "now": 200.0, "deadline": 230.0}
    events = told(view) + b"event: presence\ndata: " + json.dumps(there).encode() + b"\n\n"
    with answering(Answer(view, events=events)) as link:
        place = connect_to_match(address(link), "")
        notices = MatchNotices(place, Match("duel"))
        assert "You have 10 seconds." in notices.collect()
        while not place.extensions:
            select.select([place], [], [], 20)
            place.process_messages()
        assert "You have 30 seconds." in notices.collect()
        place.close()


@pytest.mark.processes
def test_events_in_many_pieces_are_put_together() -> None:
    """As the format of streams has them: several lines of data, comments, unknown fields."""
    view = json.dumps(VIEW, indent=1).replace("\n", "\ndata:")
    text = (
        f": hello\nretry: 5\n\nevent: view\nid: 12\nfoo: bar\ndata:{view}\n\nevent: x\ndata: x\n\n"
    )
    with answering(Answer(VIEW, events=text.encode())) as link:
        told: list[Any] = []
        reader = event_stream.EventStreamReader(Client(address(link)), told.append)
        with reader._client.events("") as response:
            assert list(reader._events(response)) == [event_stream.ServerEvent("view", VIEW)]
        assert reader._last_event_id == "12"
