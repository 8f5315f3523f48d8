"""The door of the server: who is let in, how often, and what nobody learns there."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.attacks import Stranger, asking
from tests.support.commands import UNMEASURED, surroundings
from tests.support.paths import COMMAND, ROOT
from tests.support.registries import Settings
from tests.support.servers import Heard, Pair, Server, detail, hear, limits, serving, sql
from tests.support.waiting import TIMEOUT_S, wait_until


def test_every_answer_says_what_a_page_may_do(server: Server) -> None:
    client = server.client()
    for path in ("/", "/static/style.css", "/api/games", "/api/matches/none", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 201),
        ({"origin": "OWN"}, 201),
        ({}, 201),
    ],
)
def test_only_own_pages_may_write(headers: dict[str, str], status: int, server: Server) -> None:
    sent = {key: value.replace("OWN", server.url) for key, value in headers.items()}
    done = server.client().post("/api/matches", json={"game": "duel"}, headers=sent)
    assert done.status_code == status
    if status == 403:
        assert detail(done, 403) == "writing is allowed to this server's own pages only"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.7.9", 200),
        ("play.example.org", 200),
        ("PLAY.example.org.:8443", 200),
        ("evil.example", 421),
        ("play.example.org.evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
        ("[::1", 421),
    ],
)
def test_a_server_is_called_by_its_names(host: str, status: int, named: Server) -> None:
    assert "0.0.0.0" not in named.url  # for nobody could reach that
    for path in ("/", "/api/games", "/healthz"):
        answer = named.client().get(path, headers={"host": host})
        assert answer.status_code == status
    if status == 421:
        said = r"this server does not know the name (\S+); start it with --name \1"
        assert re.fullmatch(said, answer.json()["detail"])


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("named")
    with serving(home, "--name", "play.example.org", "--host", "0.0.0.0") as server:
        yield server


@pytest.mark.processes
@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_all_addresses_of_ipv6_are_those_of_ipv4_too(home: Path) -> None:
    with serving(
        home, "--host", "::", "--proxy", "127.0.0.1", EVENODDS_SERVER_MATCHES_PER_ADDRESS="1"
    ) as server:
        port = server.url.rpartition(":")[2]
        for host, statuses in (("[::1]", [201, 503]), ("127.0.0.1", [201, 201])):
            url, terms = f"http://{host}:{port}/api/matches", {"game": "duel"}
            asked = [
                server.client().post(
                    url, json=terms, headers={"x-forwarded-for": f"10.0.0.{number}"}
                )
                for number in range(2)
            ]
            assert [answer.status_code for answer in asked] == statuses


@pytest.mark.processes
def test_what_is_said_appears_at_once_in_a_file(home: Path, tmp_path: Path) -> None:
    said = tmp_path / "said"
    usual = surroundings(home, PYTHONUNBUFFERED="")  # which some surroundings set
    with said.open("w") as file:
        process = subprocess.Popen([COMMAND, "serve", "--port", "0"], stdout=file, env=usual)
    try:
        wait_until(lambda: re.search(r"http://127.0.0.1:\d+/", said.read_text()) is not None)
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(TIMEOUT_S)


def test_what_a_seat_is_told_is_kept_by_nobody(server: Server) -> None:
    pair = Pair(server, "duel")
    answers = [
        pair.seats[0].get(pair.path),
        pair.pick(0, 3, 1),
        pair.pick(0, 99, 1),
        pair.act(0, "resignation"),
        server.client().post("/api/matches", json={"game": "duel"}),
        server.client().get("/api/matches/none"),
        server.client().get("/nowhere"),
    ]
    with pair.seats[0].stream("GET", f"{pair.path}/events") as stream:
        answers.append(stream)
    assert [answer.headers["cache-control"] for answer in answers] == ["no-store"] * 8


@pytest.mark.parametrize("path", ["/", "/rules/duel", "/boards/duel.js", "/healthz"])
def test_pages_can_be_asked_for_without_their_body(path: str, server: Server) -> None:
    head, page = server.client().head(path), server.client().get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == page.headers["content-type"]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    few = limits(requests_per_second=0.01, requests_at_once=25, matches_per_address=2)
    few |= limits(picks_per_second=0.01, picks_at_once=2, streams_per_address=3)
    with serving(tmp_path_factory.mktemp("strict"), "--proxy", "127.0.0.1", **few) as server:
        yield server


def somebody_at(server: Server, address: str) -> httpx.Client:
    client = server.client()
    client.headers.update({"x-forwarded-for": address, "x-forwarded-proto": "https"})
    return client


@pytest.mark.processes
@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_who_asks_too_often_is_told_to_wait(host: str, strict: Server) -> None:
    one, other = (somebody_at(strict, f"10.0.{len(host)}.{number}") for number in (1, 2))
    headers = {"host": host, "accept": "text/html"}
    path, status = ("/healthz", 200) if host == "localhost" else ("/", 421)
    asked = [one.get(path, headers=headers) for _ in range(26)]
    assert [done.status_code for done in asked] == [status] * 25 + [429]
    assert "too many requests; wait a moment" in asked[-1].text
    assert int(asked[-1].headers["retry-after"]) > 1
    assert other.get(path, headers=headers).status_code == status
    if status == 421:
        assert {done.headers["content-type"] for done in asked} == {"text/plain; charset=utf-8"}
        assert asked[0].text.startswith("this server does not know the name evil.example; ")


@pytest.mark.processes
def test_what_a_proxy_says_counts_where_it_is_trusted(strict: Server, server: Server) -> None:
    for each, address in ((strict, "10.1.1.1"), (server, "127.0.0.1")):
        opened = somebody_at(each, "10.1.1.1").post("/api/matches", json={"game": "duel"})
        assert ("Secure" in opened.headers["set-cookie"]) == (each is strict)
        query = f"SELECT opener FROM matches WHERE id = '{opened.json()['match']}'"
        assert sql(each.home, query) == [(address,)]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "chunked"])
@pytest.mark.parametrize("path", ["/api/matches", "{match}/picks", "{match}/resignation"])
def test_bodies_that_are_not_called_json_are_refused(kind: str, path: str, server: Server) -> None:
    pair = Pair(server, "duel")
    body = b'{"game": "duel"}' if path == "/api/matches" else b'{"round": 1, "number": 1}'
    headers = {"content-type": kind} if "/" in kind else {}
    sent = iter([body]) if kind == "chunked" else body
    done = pair.seats[0].post(path.format(match=pair.path), content=sent, headers=headers)
    said = "send what is wanted as JSON, as application/json"
    assert (done.status_code, done.json()["detail"]) == (415, said)


@pytest.mark.processes
def test_a_seat_may_not_pick_too_often(strict: Server) -> None:
    pair = Pair(strict, "duel")
    own, terms = Pair(strict, "duel"), {"game": "duel"}
    full = "too many matches were opened from your address; end one of them first"
    assert detail(strict.client().post("/api/matches", json=terms), 503) == full
    assert somebody_at(strict, "10.2.0.1").post("/api/matches", json=terms).status_code == 201
    own.act(0, "resignation")
    own.act(0, "rematch")
    assert Pair(strict, "duel").id
    assert detail(own.act(1, "rematch"), 503) == full
    assert ("over", "") in sql(strict.home, "SELECT status, opener FROM matches")
    assert [pair.pick(0, 99, 1).status_code for _ in range(3)] == [422, 422, 429]
    assert pair.pick(1, 1, 1).status_code == 200


@pytest.mark.processes
def test_streams_are_limited(strict: Server) -> None:
    one = somebody_at(strict, "10.3.0.1")
    path = f"/api/matches/{one.post('/api/matches', json={'game': 'duel'}).json()['match']}"
    with hear(one, path) as first, hear(one, path) as second, hear(one, path) as third:
        assert [each.next()["round"] for each in (first, second, third)] == [1, 1, 1]
        said = "too many streams are open; close one and try again"
        assert detail(one.get(f"{path}/events"), 503) == said


def test_cookies_open_one_seat_of_one_match(server: Server) -> None:
    done = server.client().post("/api/matches", json={"game": "duel"})
    cookie = done.headers["set-cookie"].lower()
    id = done.json()["match"]
    assert cookie.startswith(f"seat-{id}-first=".lower())
    for part in ("httponly", "samesite=strict", f"path=/api/matches/{id}"):
        assert part in cookie
    assert "secure" not in cookie


def test_the_cookie_of_a_match_that_is_over_is_not_kept_for_long(server: Server) -> None:
    client = server.client()
    path = f"/api/matches/{client.post('/api/matches', json={'game': 'duel'}).json()['match']}"

    def seconds(answer: httpx.Response) -> int:
        found = re.search(r"Max-Age=(\d+)", answer.headers["set-cookie"])
        assert found
        return int(found[1])

    def heard() -> int:
        with client.stream("GET", f"{path}/events") as stream:
            return seconds(stream)

    assert seconds(client.get(path)) == heard() == 90 * 24 * 3600
    client.post(f"{path}/resignation")
    assert seconds(client.get(path)) == heard() == 3600
    assert client.get(path).json()["seat"] == "first"
    assert "set-cookie" not in server.client().get(path).headers


def test_many_streams_hear_the_same(server: Server) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(20) as pool:
        pair = Pair(server, "duel", rulings={"hp": 100})
        for number in range(60):
            stranger = stack.enter_context(Stranger(server))
            stranger.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            stranger.send(asking(f"{pair.path}/events"))
            if number % 2:
                stranger.socket.close()  # the others never read
        heard = [stack.enter_context(hear(server.client(), pair.path)) for _ in range(60)]
        assert [each.next()["round"] for each in heard] == [1] * 60
        for round in range(1, 6):
            pair.pick(0, 2, round)
            pair.pick(1, 2, round)

        def until_round_six(each: Heard) -> bool:
            return bool(each.when(lambda view: view["round"] == 6))

        assert all(pool.map(until_round_six, heard))


@pytest.mark.processes
def test_stopping_ends_streams_and_leaves_no_secret_in_the_log(home: Path) -> None:
    server = Server(home, "--log", "debug")
    pair = Pair(server, "underdog", rulings={"numbers": 20})
    with hear(pair.seats[1], pair.path) as stream:
        stream.next()
        assert pair.pick(0, 17, 1).status_code == 200
        pair.pick(0, 99, 1)
        server.client("guess").get(pair.path)
        server.process.send_signal(signal.SIGTERM)
        rest = list(stream.lines)
    assert server.process.wait(TIMEOUT_S) == 0
    assert "event: view" in rest
    logged = server.end()
    assert f"{pair.path}/picks" in logged
    for secret in (*pair.tokens, pair.invitation, "17", "guess"):
        assert not re.search(rf"(?<![\d.:-]){re.escape(secret)}(?![\d.:-])", logged), secret
    for line in logged.splitlines():
        assert line == "All games are ready." or json.loads(line)["said"]
    with serving(home) as again:
        assert again.client(pair.tokens[0]).get(pair.path).json()["chosen"] == [True, False]


def test_figures_for_those_who_run_it(server: Server) -> None:
    client = server.client()
    server.wait_until_ready()
    assert client.get("/readyz").json() == {"status": "ok"}
    figures = client.get("/metrics").text
    assert 'evenodds_requests_total{method="GET",status="200"}' in figures
    assert "evenodds_matches_in_memory" in figures


def test_readiness_is_written_once_a_second_at_most(server: Server) -> None:
    server.wait_until_ready()
    client, log = server.client(), server.home / "server.sqlite-wal"
    began, before = time.monotonic(), log.stat().st_size
    for _ in range(30):
        assert client.get("/readyz").status_code == 200
    assert log.stat().st_size - before < 100_000 * (2 + time.monotonic() - began)


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "server-limits.md").read_text()
    for name, usual in Settings()._asdict().items():
        assert f"| `{name.upper()}` | {usual:.0f} |" in page, name


def test_the_documented_header_opens_a_seat(server: Server) -> None:
    page = (ROOT / "docs" / "reference" / "http.md").read_text()
    (name,) = re.findall(r"in the header `([\w-]+): TOKEN`", page)
    pair = Pair(server, "duel")
    body = {"round": 1, "number": 3}
    sent = server.client().post(f"{pair.path}/picks", json=body, headers={name: pair.tokens[0]})
    assert sent.status_code == 200


def test_the_documentation_says_who_may_ask_and_what_is_told(server: Server) -> None:
    found = server.client().get("/api/schema/openapi.json").json()
    schemes = found["components"]["securitySchemes"]
    assert {(each["in"], each["name"]) for each in schemes.values()} == {
        ("header", "x-seat-token"),
        ("cookie", "seat-{id}-{seat}"),
    }
    paths, shapes = found["paths"], found["components"]["schemas"]
    assert all(done["description"] for path in paths.values() for done in path.values())
    assert not [name for shape in shapes.values() for name in shape["properties"] if name[0] == "_"]
    pick = paths["/api/matches/{id}/picks"]["post"]
    assert {} not in pick["security"]
    stale = pick["responses"]["409"]["content"]["application/problem+json"]["schema"]
    assert "view" in shapes[stale["$ref"].rsplit("/", 1)[1]]["required"]
    events = paths["/api/matches/{id}/events"]["get"]
    assert {} in events["security"]
    assert "Last-Event-ID" in {each["name"] for each in events["parameters"]}
    told = events["responses"]["200"]["content"]["text/event-stream"]["schema"]["oneOf"]
    assert [each["$ref"].rsplit("/", 1)[1] for each in told] == ["MatchView", "Presence"]
    view = server.client().get(Pair(server, "duel").path).json()
    assert set(view) == set(shapes["MatchView"]["properties"])


@pytest.mark.processes
def test_what_is_documented_is_what_is_done(home: Path, tmp_path: Path) -> None:
    with serving(home) as server:
        server.wait_until_ready()
        ask_whatever_is_documented(server, tmp_path)


def ask_whatever_is_documented(server: Server, tmp_path: Path) -> None:
    pair = Pair(server, "duel")
    config = tmp_path / "schemathesis.toml"
    few = '[phases.coverage]\nunexpected-methods = ["DELETE"]\n'
    config.write_text(f'[parameters]\n"path.id" = "{pair.id}"\n{few}')
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"), "--config-file", str(config), "run",
            f"{server.url}/api/schema/openapi.json", "--exclude-path-regex", "events$",
            "-H", f"X-Seat-Token: {pair.tokens[0]}", "--max-examples", "2", "--no-color",
            "--checks", "all", "--exclude-checks", UNFIT,
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=TIMEOUT_S,
        env=os.environ | UNMEASURED,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


UNFIT = "allow_header_conformance,positive_data_acceptance,ignored_auth"
"""The framework answers OPTIONS for one handler of a path with two; rules forbid more than a
document of shapes can say; and what may be watched without a seat is told to everyone."""
