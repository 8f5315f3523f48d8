"""A service that speaks chat completions, and misbehaves as it is told to; parts of the player."""

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from evenodds.players.llm.budget import (
    BadBudgetFile,
    Budget,
    BudgetExhausted,
    BudgetUsage,
    answer_tokens,
)
from evenodds.players.llm.chat import REQUEST_THREAD_NAME, parse_endpoint, with_key
from evenodds.players.llm.model_player import ModelPlayer, process_budget
from evenodds.players.llm.prompt import EDITIONS, position_prompt, rules_prompt
from evenodds.players.player import Unavailable
from evenodds.render.rulebook import match_rules

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
        return f"llm:some/model:7b@{self.address}"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def will(self, *manners: Manner) -> None:
        self.manners = list(manners)

    def next(self) -> Manner:
        return self.manners.pop(0) if len(self.manners) > 1 else self.manners[0]

    @property
    def last(self) -> str:
        return str(self.asked[-1]["messages"][-1]["content"])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked has hung up."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body))
        self.server.keys.append(self.headers.get("Authorization"))
        self.server.paths.append(self.path)
        self.server.next()(self)

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def service() -> Iterator[Service]:
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
    return gives({"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})


def gives(body: object) -> Manner:
    return lambda handler: handler.answer(200, json.dumps(body).encode())


def legal(question: str) -> list[int]:
    (found,) = re.findall(r"legal number(?:s are| is) ([0-9, ]+)\.", question)
    return [int(number) for number in found.split(", ")]


def lowest(handler: Handler) -> None:
    says(f"Hm.\nPICK: {legal(handler.server.last)[0]}")(handler)


def refuses(status: int, message: str = "", **headers: str) -> Manner:
    body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
    return lambda handler: handler.answer(status, body, **headers)


def page(handler: Handler) -> None:
    handler.answer(200, b"<html><h1>Welcome to our hotel</h1></html>", Content_Type="text/html")


def cut_off(handler: Handler) -> None:
    body = json.dumps({"choices": [{"message": {"content": "PICK: 1"}}]}).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])


def hangs_up(handler: Handler) -> None:
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def babbles(handler: Handler) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


def huge(handler: Handler) -> None:
    says("x" * (2 << 20) + "\nPICK: 1")(handler)


def never(handler: Handler) -> None:
    handler.server.over.wait()


def drips(handler: Handler) -> None:
    """An answer that never ends, a byte at a time: no pause is long, and all of it is."""
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b"x")


def drips_its_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b" ")
