"""A server that is not ours: whatever it answers, and what is said of it."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

VIEW: dict[str, Any] = {
    "match": "m",
    "seq": 3,
    "game": "duel",
    "rulings": {"hp": 3},
    "seat": None,
    "players": ["Ann", "Bob"],
    "computers": ["", ""],
    "joined": [True, True],
    "round": 1,
    "legal": [1, 2, 3],
    "state": {"health": [10, 10]},
    "history": [],
    "chosen": [False, False],
    "waiting": [True, True],
    "result": None,
}
"""What an honest server says of a match that has just begun."""


def told(view: object) -> bytes:
    return b"event: view\r\nid: 3\r\ndata: " + json.dumps(view).encode() + b"\r\n\r\n"


class Answer:
    """What a stranger answers: to a question about the match, and to one for its events."""

    def __init__(
        self,
        body: bytes | dict[str, Any] = b"",
        *,
        status: int = 200,
        events: bytes | list[bytes] | None = None,
        kind: str = "text/event-stream",
        location: str = "",
    ) -> None:
        self.body = json.dumps(body).encode() if isinstance(body, dict) else body
        self.status = status
        usual = told(body if isinstance(body, dict) else VIEW)
        given = usual if events is None else events
        self.events = given if isinstance(given, list) else [given]
        """What streams tell, one after the other, the last of them again and again."""
        self.heard: list[str | None] = []
        """What was heard last by whoever asks for events."""
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
            if events:
                answer.heard.append(self.headers["Last-Event-ID"])
                last = len(answer.events) == 1
                self.wfile.write(answer.events[0] if last else answer.events.pop(0))
            else:
                self.wfile.write(answer.body)

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


def commitment(match: str, seat: str, round: int, number: int, salt: str) -> str:
    """What promises a number, as the protocol has it."""
    return hashlib.sha256(f"{match}:{seat}:{round}:{number}:{salt}".encode()).hexdigest()


def changed(**changes: Any) -> dict[str, Any]:
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
    "redirect": (Answer(status=302, location="/elsewhere"), "redirects to another address"),
    "game": (Answer(changed(game=f"chess{HOSTILE}")), 'there is no game called "chess'),
    "ruling": (Answer(changed(rulings={HOSTILE: 1})), "there is no such ruling"),
    "value": (Answer(changed(rulings={"hp": HOSTILE})), "is not allowed; allowed: 1 to 100"),
    "history": (Answer(changed(history=[[7, 3]])), "cannot be: Ann: 7 is not a number from 1 to 3"),
    "types": (Answer(changed(history=[["1", HOSTILE]])), '"history" is wrong'),
    "bools": (Answer(changed(history=[[True, 2]])), '"history" is wrong'),
    "seat": (Answer(changed(seat=HOSTILE)), '"seat" is wrong'),
    "names": (Answer(changed(players=[1, 2])), '"players" is wrong'),
    "clock": (Answer(changed(now="noon", deadline=9)), '"now" is wrong'),
    "verdict": (Answer(changed(result={"outcome": "first", "reason": HOSTILE})), "for no reason"),
    "promise": (
        Answer(sealed(3, 1, salts=("a" * 32, "c" * 32))),
        "Bob did not promise 1 in round 1",
    ),
    "seals": (Answer(sealed(3, 1) | {"seals": None}), "nothing shows that Ann promised 3"),
    "no seals": (Answer(sealed(3, 1) | {"seals": [1, 2]}), '"seals" is wrong'),
    "stream type": (Answer(VIEW, kind="text/html"), "no Even Odds server answers at"),
    "stream text": (Answer(VIEW, events=b"event: view\ndata: \x1b[2J\n\n"), "cannot be read"),
    "stream size": (Answer(VIEW, events=b"event: view\ndata: " + b"x" * (2 << 20)), "too much"),
    "stream sum": (
        Answer(VIEW, events=(b"data: " + b"x" * 60_000 + b"\n") * 20),
        "the server sent too much for a match",
    ),
    "stream view": (Answer(VIEW, events=told(VIEW | {"seq": HOSTILE})), '"seq" is wrong'),
}
