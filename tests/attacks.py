"""What a stranger on the network may try, within bounds of number and time."""

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

import psutil

from tests.servers import Server

PIECE = b"x" * (64 << 10)
SECONDS = 120


class Stranger:
    """A bare connection to a server."""

    def __init__(self, server: Server) -> None:
        host, _, port = server.url.removeprefix("http://").rpartition(":")
        self.socket = socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS)

    def __enter__(self) -> "Stranger":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send; False where the other end is gone."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def answer(self) -> bytes:
        """All that comes until the other end closes."""
        found = b""
        with suppress(ConnectionError):
            while part := self.socket.recv(1 << 16):
                found += part
        return found

    def status(self) -> int:
        """The status of the answer; 0 where the connection was closed without one."""
        words = self.answer().split(maxsplit=2)
        return int(words[1]) if len(words) > 1 else 0


class Sent(NamedTuple):
    """How much of a head a server took, in bytes, and how much its memory grew by that."""

    taken: int
    grown: int


def send_head(server: Server, start: bytes, size: int) -> Sent:
    """Send a head without an end."""
    process = psutil.Process(server.process.pid)
    before, taken = process.memory_info().rss, 0
    with Stranger(server) as stranger:
        stranger.send(start)
        while taken < size and stranger.send(PIECE):
            taken += len(PIECE)
        grown = process.memory_info().rss - before
    return Sent(taken, grown)


def half_open(server: Server, count: int) -> list[Stranger]:
    """Connections that begin a request and do not go on."""

    def one(_: int) -> Stranger:
        stranger = Stranger(server)
        stranger.send(b"GET /healthz HTTP/1.1\r\nHost: ")
        return stranger

    with ThreadPoolExecutor(50) as pool:  # a full queue makes each of them wait for a second
        return list(pool.map(one, range(count)))


def let_in(server: Server, addresses: list[str]) -> int:
    """How many requests are let in, one from each address; the server must trust us as a proxy."""
    client = server.client()
    asked = (client.get("/healthz", headers={"x-forwarded-for": each}) for each in addresses)
    return sum(answer.status_code == 200 for answer in asked)
