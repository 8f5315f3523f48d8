"""Connections from strangers: how many, how large a request, how long it may take to come."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from tests.support.attacks import (
    Stranger,
    asking,
    half_open,
    let_in,
    open_streams,
    pipeline,
    send_head,
)
from tests.support.registries import (
    Connections,
    RateLimited,
    Settings,
    TokenBuckets,
    proxy_networks,
)
from tests.support.servers import Pair, Server, hear, limits, serving
from tests.support.waiting import wait_until

HEAD = 32 << 10
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    few = limits(request_seconds=1, connections_per_address=5)
    with serving(tmp_path_factory.mktemp("hasty"), **few) as server:
        yield server
        assert server.end() in ("", "All games are ready.\n")


TOO_LARGE, NO_REQUEST = b"HTTP/1.1 431 ", b"HTTP/1.1 400 "


@pytest.mark.parametrize(
    ("start", "status"),
    [
        (GET + b"X: " + b"x" * HEAD, TOO_LARGE),
        (GET + b"X: x\r\n" * (HEAD // 6), TOO_LARGE),
        (b"GET /" + b"x" * HEAD, TOO_LARGE),
        (b"GET /?" + b"x" * HEAD + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", TOO_LARGE),
        (GET + b"Cookie: " + b"x" * HEAD + b"\r\n\r\n", TOO_LARGE),
        (GET + b"a:\r\n" * (HEAD // 4) + b"\r\n", TOO_LARGE),
        (b"nonsense\r\n\r\n", NO_REQUEST),
        (GET + b"no header\r\n\r\n", NO_REQUEST),
    ],
    ids=["a header", "headers", "an address", "a whole address", "a whole head", "many lines",
         "nonsense", "no header"],
)  # fmt: skip
def test_a_head_that_is_too_large_is_refused(start: bytes, status: bytes, server: Server) -> None:
    with Stranger(server) as stranger:
        stranger.send(start)
        answer = stranger.answer()
    assert answer.startswith(status)
    assert status == NO_REQUEST or answer.endswith(b"the head of the request is too large")
    assert b"\r\nx-content-type-options: nosniff\r\n" in answer


@pytest.mark.processes
@pytest.mark.parametrize("rest", [b"nonsense", b"Upgrade: websocket\r\nConnection: Upgrade, close"])
def test_strangers_cannot_fill_the_log(rest: bytes, hasty: Server) -> None:
    with Stranger(hasty) as stranger:
        stranger.send(GET + rest + b"\r\n\r\n")
        assert stranger.answer()


@pytest.mark.parametrize(
    ("asked", "hosts", "status"),
    [
        ("/healthz HTTP/1.1", ["evil.example", "localhost"], 421),
        ("/healthz HTTP/1.1", ["localhost", "evil.example"], 421),
        ("/healthz HTTP/1.1", [], 400),
        ("/healthz HTTP/1.1", ["localhost", "localhost"], 400),
        ("/healthz HTTP/1.1", [""], 400),
        ("/healthz HTTP/1.1", ["localhost"], 200),
        ("/healthz HTTP/1.0", [], 200),
        ("http://evil.example/healthz HTTP/1.1", ["localhost"], 421),
        ("http://evil.example/healthz HTTP/1.0", [], 421),
        ("http://localhost/healthz HTTP/1.0", [], 200),
        ("http://localhost/healthz HTTP/1.0", ["evil.example"], 200),
        ("http://localhost/healthz HTTP/1.1", ["evil.example"], 200),
        ("http://localhost/healthz HTTP/1.1", [], 400),
    ],
)
def test_requests_name_one_host(asked: str, hosts: list[str], status: int, server: Server) -> None:
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    with Stranger(server) as stranger:
        stranger.send(f"GET {asked}\r\n{lines}Connection: close\r\n\r\n".encode())
        assert stranger.status() == status


def test_a_head_below_the_limit_is_heard(server: Server) -> None:
    with Stranger(server) as stranger:
        stranger.send(GET + b"Connection: close\r\nCookie: ")
        for _ in range(10):
            stranger.send(b"x" * 3000)
        stranger.send(b"\r\n\r\n")
        assert stranger.status() == 200


@pytest.mark.parametrize(
    "start",
    [GET + b"X: ", b"GET /", POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: "],
    ids=["a header", "an address", "after the body"],
)
def test_a_head_without_an_end_takes_no_memory(start: bytes, server: Server) -> None:
    sent = send_head(server, start, size=40 << 20)
    assert sent.taken < 20 << 20
    assert sent.grown < 10 << 20


@pytest.mark.parametrize("host", [b"localhost", b"evil.example"])
def test_a_refused_body_is_not_taken_for_ever(host: bytes, server: Server) -> None:
    head = POST.replace(b"localhost", host) + b"Content-Length: 100000000000\r\n\r\n"
    with Stranger(server) as stranger:
        assert stranger.send(head)
        sent = 0
        while sent < 64 << 20 and stranger.send(bytes(1 << 20)):
            sent += 1 << 20
        assert sent < 64 << 20


@pytest.mark.processes
def test_pipelined_requests_take_no_memory(server: Server) -> None:
    memory = pipeline(server, connections=1, size=8 << 20, seconds=2)
    assert memory.most - memory.before < 40 << 20


@pytest.mark.processes
def test_pipelined_requests_are_all_answered(server: Server) -> None:
    body = b'{"game":"' + b"x" * 5000 + b'"}'
    post = POST + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    with Stranger(server) as stranger:
        many = (GET + b"\r\n" + post) * 300 + GET + b"Connection: close\r\n\r\n"
        sending = Thread(target=stranger.send, args=(many,))
        sending.start()
        statuses = re.findall(rb"HTTP/1.1 (\d+)", stranger.answer())
        sending.join()
    assert statuses == [b"200", b"400"] * 300 + [b"200"]


@pytest.mark.processes
def test_a_stream_before_pipelined_requests_ends_with_its_connection(home: Path) -> None:
    with serving(home) as server:
        pair = Pair(server, "duel", rulings={"hp": 100})
        with Stranger(server) as stranger:
            stranger.send(asking(f"{pair.path}/events") + GET + b"\r\n")
            assert stranger.socket.recv(12) == b"HTTP/1.1 200"
        for round in range(1, 6):
            pair.pick(0, 3, round)
            pair.pick(1, 2, round)
        wait_until(lambda: "evenodds_streams 0.0" in server.client().get("/metrics").text)


PARTS = {
    "nothing": b"",
    "a line": b"GET /healthz HTT",
    "a head": GET,
    "a body": POST + b"Content-Length: 100\r\n\r\n{",
    "parts": POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
}


@pytest.mark.processes
def test_a_request_must_come_in_time(hasty: Server) -> None:
    with ExitStack() as stack:
        sent = {name: stack.enter_context(Stranger(hasty)) for name in PARTS}
        for name, stranger in sent.items():
            stranger.send(PARTS[name])
        drops = sent.pop("a head")
        wait_until(lambda: not drops.send(b"X: x\r\n"))
        statuses = {name: stranger.status() for name, stranger in sent.items()}
    assert statuses == dict.fromkeys(sent, 408)


@pytest.mark.processes
def test_who_has_sent_a_request_may_take_their_time(hasty: Server) -> None:
    pair = Pair(hasty, "duel")
    with hear(pair.seats[1], pair.path) as stream:
        assert stream.next()["round"] == 1
        with Stranger(hasty) as late:
            assert late.status() == 408  # a second has gone by
        pair.pick(0, 3, 1)
        stream.when(lambda view: view["chosen"][0])
    hasty.dismiss()


def five_streams(server: Server, pair: Pair) -> list[Stranger]:
    streams = [Stranger(server) for _ in range(5)]
    for stranger in streams:
        stranger.send(asking(f"{pair.path}/events"))
        assert stranger.socket.recv(12) == b"HTTP/1.1 200"
    return streams


@pytest.mark.processes
def test_an_address_has_only_so_many_connections(hasty: Server) -> None:
    pair = Pair(hasty, "duel")
    hasty.dismiss()
    streams = five_streams(hasty, pair)
    with Stranger(hasty) as refused:
        answer = refused.answer()
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert answer.endswith(b"too many connections; wait a moment")
    for stranger in streams:
        stranger.socket.close()

    def is_let_in() -> bool:
        with Stranger(hasty) as again:
            again.send(GET + b"Connection: close\r\n\r\n")
            return again.status() == 200

    wait_until(is_let_in)


@pytest.mark.processes
@pytest.mark.parametrize("addresses", [1, 7])
def test_at_the_cap_the_oldest_of_the_greediest_gives_way(addresses: int, home: Path) -> None:
    with serving(home, files="300") as server:
        server.wait_until_ready()
        pair = Pair(server, "duel")
        with hear(pair.seats[1], pair.path) as stream:
            stream.next()
            strangers = half_open(server, 350, addresses)
            assert server.client().get("/readyz").json() == {"status": "ok"}
            assert server.client().get("/").status_code == 200
            assert pair.pick(0, 3, 1).status_code == 200
            stream.when(lambda view: view["chosen"][0])
            for stranger in strangers:
                stranger.socket.close()


def test_at_the_cap_nobody_gives_way_who_has_one_connection_or_is_a_proxy() -> None:
    closed: list[str] = []
    connections = Connections(Settings(connections_per_address=2), 4, proxy_networks(["10.0.0.1"]))
    ports = count(1)

    def opened(address: str) -> bool:
        share = connections.share_of(address, next(ports))
        if connections.places.refuse(share):
            return False
        connections.places.take(share, partial(closed.append, address))
        return True

    assert opened("10.0.0.1")
    assert opened("10.0.0.1")
    assert opened("2001:db8::1")
    assert opened("2001:db8::2")
    assert not opened("2001:db8::3")  # an address has two at the most
    assert closed == []
    assert opened("10.0.0.9")
    assert closed == ["2001:db8::1"]
    assert not opened("10.0.0.8")
    assert closed == ["2001:db8::1"]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    few = limits(requests_per_second=0.001, requests_at_once=10)
    few |= limits(connections_per_address=2, matches_per_address=3)
    with serving(tmp_path_factory.mktemp("proxied"), "--proxy", "127.0.0.0/24", **few) as server:
        yield server


@pytest.mark.processes
def test_a_proxy_is_not_counted_as_one_address(proxied: Server) -> None:
    pair = Pair(proxied, "duel")
    for stranger in five_streams(proxied, pair):
        stranger.socket.close()


@pytest.mark.processes
def test_addresses_of_one_network_are_one_address(proxied: Server) -> None:
    assert let_in(proxied, [f"2001:db8:0:1::{n:x}" for n in range(15)]) == 10
    assert let_in(proxied, [f"2001:db8:0:2:{n:x}::1" for n in range(15)]) == 10
    assert let_in(proxied, [f"2001:db8:0:{n:x}::1" for n in range(3, 23)]) == 20
    assert let_in(proxied, [f"10.0.0.{n}" for n in range(20)]) == 20
    found = []
    for n in range(4):
        headers = {"x-forwarded-for": f"2001:db8:0:ffff::{n}"}
        terms = {"game": "duel"}
        found.append(proxied.client().post("/api/matches", json=terms, headers=headers).status_code)
    assert found == [201, 201, 201, 503]


def test_the_table_of_addresses_stays_small() -> None:
    buckets = TokenBuckets(per_second=0.001, capacity=10, max_buckets=50)
    for key in range(100):
        buckets.take(key)
    assert len(buckets._buckets) == 50
    for _ in range(9):
        buckets.take(99)
    with pytest.raises(RateLimited):
        buckets.take(99)


@pytest.mark.processes
def test_streams_leave_room_for_requests_and_for_other_addresses(home: Path) -> None:
    with serving(home, files="300", EVENODDS_SERVER_STREAMS_PER_ADDRESS="1000") as server:
        path = Pair(server, "duel").path
        server.dismiss()
        greedy = open_streams(server, path, 170, addresses=1)
        others = open_streams(server, path, 30, addresses=3)
        assert "evenodds_streams 150.0" in server.client().get("/metrics").text
        assert greedy[0].answer().endswith(b"\r\n0\r\n\r\n")
        for stranger in others[1:3]:
            stranger.socket.setblocking(False)
            assert b"\r\n0\r\n\r\n" not in stranger.socket.recv(1 << 16)
        for stranger in (*greedy, *others):
            stranger.socket.close()
