"""Server processes that are killed at any moment, and people who play on whatever befalls them."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from tests.support.commands import UNMEASURED
from tests.support.postgres import Postgres
from tests.support.servers import Pair, Server
from tests.support.waiting import TIMEOUT_S, wait_until

ASK_AGAIN_S: Final = 0.01
ANSWER_TIMEOUT_S: Final = 5.0
"""Seconds after which people ask another process; a stopped one never answers."""


class Acknowledged:
    """The picks of a match that were acknowledged."""

    def __init__(self) -> None:
        self._rounds: list[dict[int, int]] = [{}]
        """For each round the numbers by seat."""
        self._lock = threading.Lock()

    def add(self, round: int, seat: int, number: int) -> None:
        with self._lock:
            while len(self._rounds) < round + 1:
                self._rounds.append({})
            self._rounds[round][seat] = number

    def count(self, seat: int) -> int:
        with self._lock:
            return sum(seat in picks for picks in self._rounds)

    def check(self, view: dict[str, Any]) -> None:
        """What was acknowledged is there; a round is shown whole or not at all."""
        for round, picks in enumerate(self._rounds[1:], 1):
            for seat, number in picks.items():
                if round <= len(view["history"]):
                    assert view["history"][round - 1][seat] == number
                else:
                    assert round == view["round"]
                    assert view["chosen"][seat], "an acknowledged pick is lost"
        assert all(None not in picks for picks in view["history"]), "half a round is shown"


class Cluster:
    """Processes on one database; one that was killed is started again in its place."""

    def __init__(self, home: Path, arguments: tuple[str, ...], processes: int) -> None:
        self._arguments = arguments
        self._homes = [home / str(place) for place in range(processes)]
        self.servers = [self._start(home) for home in self._homes]

    def _start(self, home: Path) -> Server:
        return Server(home, *self._arguments, **UNMEASURED)

    def kill(self, place: int) -> None:
        self.servers[place].end(signal.SIGKILL)
        self.servers[place] = self._start(self._homes[place])

    def end(self) -> None:
        for server in self.servers:
            server.end()


@contextmanager
def cluster(home: Path, postgres: Postgres | None, processes: int = 2) -> Iterator[Cluster]:
    """Processes on a database of their own, for a while; with SQLite there is one."""
    if postgres:
        found = Cluster(home, ("--database", postgres.database()), processes)
    else:
        found = Cluster(home, (), 1)
    try:
        yield found
    finally:
        found.end()


class Players:
    """Two people who send each pick to all processes, again until one acknowledges it."""

    def __init__(self, servers: list[Server], chance: Random) -> None:
        self.servers = servers
        self.pair = Pair(servers[0], "duel", other=servers[-1], rulings={"hp": 100})
        self.acknowledged = Acknowledged()
        self.errors: list[BaseException] = []
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(seat, Random(chance.random())), daemon=True)
            for seat in (0, 1)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let them finish their pick, and look whether all that was acknowledged is there."""
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self.errors:
            raise self.errors[0]
        for server in self.servers:
            self.acknowledged.check(server.client(self.pair.tokens[0]).get(self.pair.path).json())

    def wait_for_round(self) -> None:
        """Wait until both have picked once more than by now, or the match is over."""
        before = [self.acknowledged.count(seat) for seat in (0, 1)]
        wait_until(
            lambda: (
                self.errors
                or self._over.is_set()
                or all(self.acknowledged.count(seat) > before[seat] for seat in (0, 1))
            )
        )

    def _run(self, seat: int, chance: Random) -> None:
        try:
            with httpx.Client(
                headers={"x-seat-token": self.pair.tokens[seat]},
                timeout=ANSWER_TIMEOUT_S,
                verify=False,
            ) as client:
                picked = 0
                while not self._over.is_set():
                    view = self._ask(client, chance, "GET", self.pair.path)
                    if view.get("result"):
                        self._over.set()
                    elif view.get("legal") and view["round"] > picked:  # a process may be behind
                        picked = view["round"]
                        self._pick(client, seat, picked, chance.choice(view["legal"]))
                    else:
                        time.sleep(ASK_AGAIN_S)
        except BaseException as error:
            self.errors.append(error)
            raise

    def _pick(self, client: httpx.Client, seat: int, round: int, number: int) -> None:
        """Send a pick to every process: whoever hears it second must not take it for another."""
        end, taken = time.monotonic() + TIMEOUT_S, False
        while not taken:
            assert time.monotonic() < end, "nobody takes a pick"
            for server in tuple(self.servers):
                body = {"round": round, "number": number}
                try:
                    url = f"{server.url}{self.pair.path}/picks"
                    answer = client.post(url, json=body)
                except httpx.TransportError:
                    continue
                assert answer.status_code in (200, 503), answer.text
                if answer.status_code == 200:
                    self.acknowledged.add(round, seat, number)
                    taken = True
            if not taken:
                time.sleep(ASK_AGAIN_S)

    def _ask(self, client: httpx.Client, chance: Random, method: str, path: str) -> dict[str, Any]:
        try:
            answer = client.request(method, chance.choice(self.servers).url + path)
        except httpx.TransportError:
            return {}
        assert answer.status_code in (200, 503), answer.text
        found: dict[str, Any] = answer.json() if answer.status_code == 200 else {}
        return found


def break_often(
    home: Path, postgres: Postgres | None, chance: Random, matches: int = 4, kills: int = 4
) -> Iterator[dict[str, int]]:
    """Kill processes at random moments, then restart a PostgreSQL: how often each, nothing lost."""
    count = {"kills": 0, "restarts": 0}
    with cluster(home, postgres) as processes:
        while True:
            players = [Players(processes.servers, chance) for _ in range(matches)]
            for each in players:
                each.wait_for_round()
            time.sleep(chance.random() * 0.2)  # any moment is as good as another
            if postgres and sum(count.values()) % (kills + 1) == kills:
                postgres.stop("immediate")
                postgres.start()
                count["restarts"] += 1
            else:
                processes.kill(chance.randrange(len(processes.servers)))
                count["kills"] += 1
            for each in players:
                each.wait_for_round()
            for each in players:
                each.stop()
            yield count
