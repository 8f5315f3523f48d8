"""Faults on purpose: a server that is killed at any moment, and what must be true afterwards."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx

from tests.support.commands import UNMEASURED
from tests.support.servers import Pair, Server


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


class Playing:
    """Two people who pick until the server is gone."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.acknowledged = Acknowledged()

    def run(self, seat: int, chance: Random) -> None:
        try:
            view = self.pair.view(seat)
            while not view["result"]:
                view = self._pick(seat, view, chance) if view["legal"] else self.pair.view(seat)
        except httpx.TransportError:
            return

    def _pick(self, seat: int, view: dict[str, Any], chance: Random) -> dict[str, Any]:
        round, number = view["round"], chance.choice(view["legal"])
        done = self.pair.pick(seat, number, round)
        assert done.status_code == 200, done.text
        self.acknowledged.add(round, seat, number)
        found: dict[str, Any] = done.json()
        return found


def kill_often(home: Path, chance: Random) -> Iterator[int]:
    """Play, kill the server at a random moment, start another, look, and go on there.

    Each time, how far the players came.
    """
    server = Server(home, **UNMEASURED)
    try:
        while True:
            pair = Pair(server, "duel", rulings={"hp": 100})
            playing = _play_until_killed(server, pair, chance)
            server.end()
            server = Server(home, **UNMEASURED)
            view = server.client(pair.tokens[0]).get(pair.path).json()
            playing.acknowledged.check(view)
            yield len(view["history"])
    finally:
        server.end()


def _play_until_killed(server: Server, pair: Pair, chance: Random) -> Playing:
    playing = Playing(pair)
    people = [
        threading.Thread(target=playing.run, args=(seat, Random(chance.random())))
        for seat in (0, 1)
    ]
    for person in people:
        person.start()
    people[0].join(chance.random() * 0.5)  # any moment is as good as another
    server.process.send_signal(signal.SIGKILL)
    for person in people:
        person.join()
    return playing
