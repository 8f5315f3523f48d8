"""A service that speaks chat completions on this machine, and misbehaves as it is told to."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from evenodds.players.llm.chat import REQUEST_THREAD_NAME

Manner = Callable[["Handler"], None]


class Service(ThreadingHTTPServer):
    """Answers each request in the manner that is next, the last one for ever; and remembers."""

    daemon_threads = False  # so that closing waits for them

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.manners: list[Manner] = [says("PICK: 1")]
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.over = threading.Event()
        """Set when the test is over: whoever never answers may go."""

    @property
    def name(self) -> str:
        """The opponent whom this service plays."""
        return f"llm:some/model:7b@{self.address}"

    @property
    def address(self) -> str:
        """Its address, as it stands behind a model."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def will(self, *manners: Manner) -> None:
        """Answer so from now on."""
        self.manners = list(manners)

    def next(self) -> Manner:
        """The manner for this request."""
        return self.manners.pop(0) if len(self.manners) > 1 else self.manners[0]

    @property
    def last(self) -> str:
        """What was said last in the last question."""
        return str(self.asked[-1]["messages"][-1]["content"])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked has hung up."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Service

    def do_POST(self) -> None:
        """Remember what is asked, and answer in some manner."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body))
        self.server.keys.append(self.headers.get("Authorization"))
        self.server.paths.append(self.path)
        self.server.next()(self)

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        """Answer in good order."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def service() -> Iterator[Service]:
    """A service while a test lasts."""
    found = Service()
    thread = threading.Thread(target=found.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.over.set()
        found.shutdown()
        found.server_close()
        thread.join()
        for other in threading.enumerate():
            if other.name == REQUEST_THREAD_NAME:
                other.join(60)


def says(text: object, usage: object = None) -> Manner:
    """An answer with a text in it."""
    return gives({"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})


def gives(body: object) -> Manner:
    """An answer that is some data."""
    return lambda handler: handler.answer(200, json.dumps(body).encode())


def refuses(status: int, message: str = "", **headers: str) -> Manner:
    """An error as these services give it."""
    body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
    return lambda handler: handler.answer(status, body, **headers)


def page(handler: Handler) -> None:
    """A web page where an answer should be."""
    handler.answer(200, b"<html><h1>Welcome to our hotel</h1></html>", Content_Type="text/html")


def cut_off(handler: Handler) -> None:
    """An answer of which half is missing."""
    body = json.dumps({"choices": [{"message": {"content": "PICK: 1"}}]}).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])


def hangs_up(handler: Handler) -> None:
    """Not a word, and the connection is reset."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def babbles(handler: Handler) -> None:
    """Something that is no HTTP."""
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


def huge(handler: Handler) -> None:
    """An answer far too long."""
    says("x" * (2 << 20) + "\nPICK: 1")(handler)


def never(handler: Handler) -> None:
    """No answer at all."""
    handler.server.over.wait()


def drips(handler: Handler) -> None:
    """An answer that never ends, a byte at a time: no pause is long, and all of it is."""
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b"x")


def drips_its_body(handler: Handler) -> None:
    """The same behind the headers."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b" ")
