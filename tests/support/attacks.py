"""What a stranger on the network may try, within bounds of number and time."""

import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from threading import Event
from typing import NamedTuple

import httpx
import psutil

from tests.support.servers import Server, next_view
from tests.support.waiting import TIMEOUT_S

PIECE = b"x" * (64 << 10)


def asking(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


class Stranger:
    """A bare connection to a server."""

    def __init__(self, server: Server, source: str = "127.0.0.1") -> None:
        host, _, port = server.url.removeprefix("http://").rpartition(":")
        self.socket = socket.create_connection((host, int(port)), TIMEOUT_S, (source, 0))

    def __enter__(self) -> "Stranger":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def answer(self) -> bytes:
        found = b""
        with suppress(ConnectionError):
            while part := self.socket.recv(1 << 16):
                found += part
        return found

    def status(self) -> int:
        """The status of the answer; 0 where the connection was closed without one."""
        words = self.answer().split(maxsplit=2)
        return int(words[1]) if len(words) > 1 else 0


REQUESTS = asking("/x") * 1500


class Sent(NamedTuple):
    """How much of a head a server took, in bytes, and how much its memory grew by that."""

    taken: int
    grown: int


def send_head(server: Server, start: bytes, size: int) -> Sent:
    process = psutil.Process(server.process.pid)
    before, taken = process.memory_info().rss, 0
    with Stranger(server) as stranger:
        stranger.send(start)
        while taken < size and stranger.send(PIECE):
            taken += len(PIECE)
        grown = process.memory_info().rss - before
    return Sent(taken, grown)


class Memory(NamedTuple):
    """Bytes that a server holds before and during an attack, at most."""

    before: int
    most: int


def pipeline(server: Server, connections: int, size: int, seconds: float) -> Memory:
    """Send requests on some connections without reading an answer, then close them."""
    process = psutil.Process(server.process.pid)
    before = most = process.memory_info().rss
    end = time.monotonic() + seconds

    def send() -> None:
        with Stranger(server) as stranger, suppress(OSError):
            stranger.socket.settimeout(0.2)
            taken = 0
            while taken < size and time.monotonic() < end:
                with suppress(TimeoutError):
                    taken += stranger.socket.send(REQUESTS[taken % len(REQUESTS) :])
            ended.wait(end - time.monotonic())

    ended = Event()
    with ThreadPoolExecutor(connections) as pool:
        sending = [pool.submit(send) for _ in range(connections)]
        while time.monotonic() < end:
            most = max(most, process.memory_info().rss)
            time.sleep(0.05)
        ended.set()
        for each in sending:
            each.result()
    return Memory(before, most)


def ask_wrong_host(server: Server, count: int) -> dict[int, int]:
    """Ask so many times, as a browser does, for a name that is not the server's: each status."""
    found: Counter[int] = Counter()
    headers = {"host": "evil.example", "accept": "text/html"}
    client = server.client()
    for _ in range(count):
        found[client.get("/", headers=headers).status_code] += 1
    return dict(found)


def open_streams(server: Server, path: str, count: int, addresses: int) -> list[Stranger]:
    """Streams of a match from some addresses of this machine, as far as they are let in."""

    def one(number: int) -> Stranger:
        stranger = Stranger(server, f"127.0.0.{2 + number % addresses}")
        stranger.send(asking(f"{path}/events"))
        with suppress(OSError):
            stranger.socket.recv(12)
        return stranger

    with ThreadPoolExecutor(20) as pool:
        return list(pool.map(one, range(count)))


def half_open(server: Server, count: int, addresses: int = 1) -> list[Stranger]:
    """Connections that begin a request and do not go on, from some other addresses."""

    def one(number: int) -> Stranger:
        stranger = Stranger(server, f"127.0.0.{2 + number % addresses}")
        stranger.send(b"GET /healthz HTTP/1.1\r\nHost: ")
        return stranger

    with ThreadPoolExecutor(50) as pool:  # a full queue makes each of them wait for a second
        return list(pool.map(one, range(count)))


@contextmanager
def slowest_answer(server: Server) -> Iterator[list[float]]:
    """Ask for /healthz from another address all the while: how many seconds each answer took."""
    times: list[float] = []
    over = Event()

    def ask() -> None:
        while True:
            began = time.monotonic()
            with Stranger(server, "127.0.0.99") as somebody:
                somebody.send(asking("/healthz", "Connection: close"))
                assert somebody.status() == 200
            times.append(time.monotonic() - began)
            if over.wait(0.05):  # as often as it may be asked
                return

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        yield times
        over.set()
        asked.result()


def let_in(server: Server, addresses: list[str]) -> int:
    """How many requests are let in, one from each address; the server must trust us as a proxy."""
    client = server.client()
    asked = (client.get("/healthz", headers={"x-forwarded-for": each}) for each in addresses)
    return sum(answer.status_code == 200 for answer in asked)


def client_at(server: Server, address: str) -> httpx.Client:
    transport = httpx.HTTPTransport(
        local_address=address, limits=httpx.Limits(max_connections=None)
    )
    return httpx.Client(base_url=server.url, transport=transport, timeout=TIMEOUT_S)


@contextmanager
def ask_puzzles(server: Server, addresses: int, connections: int) -> Iterator[None]:
    """From so many other addresses, ask for puzzles that nobody has asked for, without a pause."""
    over, numbers = Event(), count(1)

    def ask(address: int) -> None:
        with client_at(server, f"127.0.0.{2 + address}") as client:
            while not over.is_set():
                client.get(f"/api/puzzles/margin-{next(numbers)}")

    with ThreadPoolExecutor(addresses * connections) as pool:
        asking = [pool.submit(ask, number % addresses) for number in range(addresses * connections)]
        try:
            yield
        finally:
            over.set()
            for each in asking:
                each.result()


@contextmanager
def starve(server: Server, matches: int, address: str = "127.0.0.2") -> Iterator[None]:
    """From another address of this machine, watch so many matches of computers that search."""
    with ExitStack() as stack:
        client = stack.enter_context(client_at(server, address))
        terms = {"game": "underdog", "own": "search", "opponent": "search"}
        for _ in range(matches):
            id = client.post("/api/matches", json=terms).json()["match"]
            stack.enter_context(client.stream("GET", f"/api/matches/{id}/events"))
        yield


def reply_times(server: Server, count: int, opponent: str = "level:4") -> list[float]:
    """Seconds that a computer takes for a pick, in the stream of whoever waits for it; sorted."""
    times = []
    for _ in range(count):
        terms = {"game": "circle", "opponent": opponent}
        match = server.client().post("/api/matches", json=terms).json()
        seat, path = server.client(match["token"]), f"/api/matches/{match['match']}"
        with seat.stream("GET", f"{path}/events") as stream:
            lines = stream.iter_lines()
            number = next_view(lines)["legal"][0]
            began = time.monotonic()
            assert seat.post(f"{path}/picks", json={"round": 1, "number": number}).is_success
            while len(next_view(lines)["history"]) < 2:
                pass
            times.append(time.monotonic() - began)
    return sorted(times)
