"""Requests to servers that may be anybody's."""

import gzip
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evenodds.system.http_request import Disconnected, ProtocolError, open_response, read_body
from tests.support.commands import surroundings
from tests.support.waiting import TIMEOUT_S

HEAD = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server that answers one request with these bytes and hangs up: its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with listening.accept()[0] as guest:
                guest.recv(4096)
                guest.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join(TIMEOUT_S)


def answer_at(url: str, limit: int = 1000) -> bytes:
    with open_response("GET", url, {}, None, TIMEOUT_S) as response:
        return read_body(response, limit)


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        (HEAD + b"Content-Length: 4\r\n\r\nbody", b"body"),
        (HEAD + b"Content-Length: 9\r\n\r\nbody", b"body"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n9\r\n", b"body"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"0", mtime=0), None),
        (b"HTTP/1.1 302 Found\r\nLocation: http://host:port\r\n\r\nbody", b"body"),
    ],
    ids=["whole", "cut off", "cut off in chunks", "compressed", "redirect"],
)
def test_a_body_is_taken_as_it_comes(sent: bytes, body: bytes | None) -> None:
    """Neither unpacked, which could fill the memory, nor looked for elsewhere."""
    with answering(sent) as url:
        assert answer_at(url) == (gzip.compress(b"0", mtime=0) if body is None else body)


def test_no_more_is_read_than_the_limit_and_what_came_with_it() -> None:
    with answering(HEAD + b"\r\n" + b"x" * (1 << 18)) as url:
        assert 1000 < len(answer_at(url)) <= 1 << 17


def test_who_hangs_up_is_told_from_who_does_not_speak_http() -> None:
    with answering(b"") as url, pytest.raises(Disconnected):
        answer_at(url)
    with answering(b"220 mail.example\r\n\r\n") as url, pytest.raises(ProtocolError) as caught:
        answer_at(url)
    assert not isinstance(caught.value, OSError)


@pytest.mark.parametrize("host", ["999.1.1.1", "a..b"])
def test_a_host_that_cannot_be_is_not_found(host: str) -> None:
    with pytest.raises(socket.gaierror, match="Name or service not known"):
        answer_at(f"http://{host}/")


def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match and a key go to the server that was named, by no other way."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with answering(HEAD + b"\r\nbody") as url:
        assert answer_at(url) == b"body"


@pytest.mark.processes
def test_nobody_waits_for_the_library_before_the_first_request(home: Path) -> None:
    code = (
        "import sys; from evenodds import cli; from evenodds.players.llm import model_player;"
        "from evenodds.terminal.play import session; from evenodds.terminal.remote import session;"
        "assert not {'httpx', 'httpcore', 'http.client'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=surroundings(home))
