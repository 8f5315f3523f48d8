"""Real servers for tests: processes, their users, their databases."""

import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
from sqlalchemy import Connection, create_engine, text

from tests.support.commands import evenodds_here, surroundings
from tests.support.forks import ForkedCommand, can_fork
from tests.support.paths import COMMAND
from tests.support.waiting import TIMEOUT_S, wait_until


def limits(**settings: float) -> dict[str, str]:
    return {f"EVENODDS_SERVER_{name.upper()}": str(value) for name, value in settings.items()}


GENEROUS = limits(
    requests_per_second=100_000,
    requests_at_once=100_000,
    picks_per_second=100_000,
    picks_at_once=100_000,
    matches_per_address=100_000,
    connections_per_address=100_000,
    streams_per_address=1000,
)
"""Tests ask more often than people do."""


TABLES = "EVENODDS_TEST_TABLES"
"""A variable with the cache folder that is lent to each server without its own."""


class Server:
    """A server process, and one who asks it things."""

    log_is_read = True

    def __init__(
        self,
        home: Path,
        *arguments: str,
        command: str = "serve",
        files: str = "",
        program: str = COMMAND,
        **environment: str,
    ) -> None:
        self.home = home
        limit = ["prlimit", f"--nofile={files}"] if files else []
        if TABLES in os.environ:
            lend(Path(os.environ[TABLES]), home)
        self.clients: list[httpx.Client] = []
        words = [*command.split(), "--port", "0", *arguments]
        env = surroundings(home, **GENEROUS | environment)
        self.process: subprocess.Popen[str] | ForkedCommand
        if TABLES in os.environ and program == COMMAND and not limit and can_fork(environment):
            self.process = ForkedCommand(words, env)
        else:
            self.process = subprocess.Popen(
                [*limit, *shlex.split(program), *words],
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://[^\s/]+", said)
        assert found, said
        self.url = found[0]
        self.logged: list[str] = []
        """The lines after the first, read as they come, or at the end."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        if self.log_is_read:
            self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            self.logged.extend(lines)

    def wait_until_ready(self) -> None:
        client = self.client()
        wait_until(lambda: client.get("/readyz").status_code == 200)

    def client(self, token: str = "") -> httpx.Client:
        """Someone of their own, with no cookies but their own."""
        headers = {"x-seat-token": token or "new"}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=TIMEOUT_S, verify=False)
        self.clients.append(client)  # unverified: reading all certificates takes its time
        return client

    def dismiss(self, known: int = 0) -> None:
        for client in self.clients[known:]:
            client.close()
        del self.clients[known:]

    def end(self, number: int = signal.SIGINT) -> str:
        """Stop the server; SIGKILL pulls the plug. What it has logged."""
        self.dismiss()
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(timeout=TIMEOUT_S)
        if self._reader.ident is None:
            self._reader.start()
        self._reader.join(timeout=TIMEOUT_S)
        return "".join(self.logged)


def free_port() -> str:
    """A port for a server that comes back under its address: the system gives out none of these."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return str(port)


def lend(tables: Path, home: Path) -> None:
    if (home / "cache").exists():
        return
    tables.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    (home / "cache").symlink_to(tables)


def refused_start(
    *arguments: str, home: Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """What a server says that cannot start, in this process; one that would serve is a failure."""
    serves = AssertionError("it serves")
    with mock.patch("evenodds.server.serve.UvicornServer.run", side_effect=serves):
        return evenodds_here("serve", "--port", "0", *arguments, home=home, **environment)


@contextmanager
def serving(home: Path, *arguments: str, **given: str) -> Iterator[Server]:
    server = Server(home, *arguments, **given)
    try:
        yield server
    finally:
        server.end()


@contextmanager
def on_disk(home: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{home / 'server.sqlite'}")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def sql(home: Path, statement: str) -> list[Any]:
    """Ask or change the database of a server from outside."""
    with on_disk(home) as disk:
        done = disk.execute(text(statement))
        return [*done.all()] if done.returns_rows else []


def an_hour_passes(home: Path) -> None:
    sql(home, "UPDATE events SET at = at - 3600")
    sql(home, "UPDATE alive SET at = at - 3600")
    sql(home, "UPDATE outages SET began = began - 3600, ended = ended - 3600")


class Opener:
    """Ann, who opens a match and sits in the first seat, by HTTP."""

    def __init__(self, server: Server, game: str, **terms: Any) -> None:
        opened = server.client().post("/api/matches", json={"game": game, "name": "Ann", **terms})
        assert opened.status_code == 201, opened.text
        self.answer = opened
        self.id = opened.json()["match"]
        self.path = f"/api/matches/{self.id}"
        self.link = f"{server.url}/match/{self.id}"
        self.token = opened.json()["token"]
        self.secret = opened.json()["invitation"]
        self.invitation = f"{self.link}#{self.secret}"
        self.client = server.client(self.token)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(self.path).json()
        return found

    def pick(self, number: int) -> None:
        body = {"round": self.view()["round"], "number": number}
        done = self.client.post(f"{self.path}/picks", json=body)
        assert done.status_code == 200, done.text

    def act(self, what: str, body: object = None) -> httpx.Response:
        return self.client.post(f"{self.path}/{what}", json=body)

    def play(self, act: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Do something after every view until the match is over: the last view."""
        with hear(self.client, self.path) as stream:
            view = stream.next()
            while not view["result"]:
                act(view)
                view = stream.next()
        return view


class Pair:
    """Two people at one match, and someone who watches."""

    def __init__(
        self, server: Server, game: str, *, other: Server | None = None, **terms: Any
    ) -> None:
        other = other or server
        ann = Opener(server, game, **terms)
        self.id, self.path, self.invitation = ann.id, ann.path, ann.secret
        guest = {"invitation": self.invitation, "name": "Bob"}
        joined = other.client().post("/api/join", json=guest)
        assert joined.status_code == 201, joined.text
        self.tokens: list[str] = [ann.token, joined.json()["token"]]
        self.seats = [ann.client, other.client(self.tokens[1])]
        self.watcher = server.client()

    def view(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.seats[seat].get(self.path).json()
        return found

    def pick(self, seat: int, number: int, round: int) -> httpx.Response:
        body = {"round": round, "number": number}
        return self.seats[seat].post(f"{self.path}/picks", json=body)

    def act(self, seat: int, what: str, body: object = None) -> httpx.Response:
        return self.seats[seat].post(f"{self.path}/{what}", json=body)


def pair_in_time(
    server: Server, game: str, begin: Callable[[Pair], httpx.Response], **terms: Any
) -> Pair:
    """Two people at a match with a clock that is as short as a busy machine allows a beginning."""
    for clock in (1, 4, 16, 64, 256):
        pair = Pair(server, game, clock=clock, **terms)
        if begin(pair).status_code == 200:
            return pair
    raise AssertionError("no clock is long enough")


def next_view(lines: Iterator[str]) -> dict[str, Any]:
    """The next view in a stream, which says now and then that it is alive."""
    end = time.monotonic() + TIMEOUT_S
    for kind in lines:
        assert time.monotonic() < end, "no view comes"
        if kind == "event: view":
            found: dict[str, Any] = json.loads(next(lines).removeprefix("data: "))
            return found
    raise AssertionError("the stream has ended")


class Heard:
    """What the stream of a match tells, as it comes."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines

    def next(self) -> dict[str, Any]:
        return next_view(self.lines)

    def when(self, is_so: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        while not is_so(view := self.next()):
            pass
        return view


@contextmanager
def hear(client: httpx.Client, path: str, **headers: str) -> Iterator[Heard]:
    with client.stream("GET", f"{path}/events", headers=headers) as stream:
        yield Heard(stream.iter_lines())


def wait_for_the_end(client: httpx.Client, path: str) -> dict[str, Any]:
    with hear(client, path) as stream:
        return stream.when(lambda view: view["result"])


def wait_for_status(server: Server, id: str, status: str) -> None:
    """Until the database says so; nobody asks the server for the match."""
    query = text("SELECT count(*) FROM matches WHERE id = :id AND status = :status")
    with on_disk(server.home) as disk:
        wait_until(lambda: disk.execute(query, {"id": id, "status": status}).scalar_one())


def detail(refused: httpx.Response, status: int = 422) -> str:
    assert refused.status_code == status, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    said: str = refused.json()["detail"]
    return said
