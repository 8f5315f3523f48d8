"""The server under a crowd, beside boardgame.io on the same machine in the same minutes."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import httpx
from tests.support.postgres import Postgres
from tests.support.servers import Server, serving

from bench.comparison import ROOT, report, sources
from bench.crowd import Timing, play

MATCHES: Final = 200
ROUNDS: Final = 20
PACE_S: Final = 0.8
"""Seconds between two picks of a seat: with 200 matches 500 picks a second."""
PROCESSES: Final = (1, 2, 4)
"""Processes on PostgreSQL."""
PEER: Final = ROOT / "bench" / "boardgame"
HEADS: Final = (
    "", "picks a second", "picks per processor second", "times boardgame.io",
    "PostgreSQL per pick", "p50", "p99", "memory per match",
)  # fmt: skip
ROOMY: Final = {"EVENODDS_SERVER_STREAMS_PER_ADDRESS": "100000"}


class Paced(NamedTuple):
    """How a crowd played, at a stretch or at a pace."""

    timing: Timing
    thrift: float
    """Picks for each second of the server's processors."""
    database: float
    """Microseconds of PostgreSQL's processors for each pick."""
    memory: float
    """KiB for each open match with two streams."""


Load = list[Paced]
"""What a server did under a crowd: at a stretch, and at a pace."""


def _busy(pids: list[int]) -> float:
    """Seconds that processes have kept the processors busy."""
    total = 0.0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _resident(pids: list[int]) -> int:
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")


def _busy_database(postgres: Postgres | None) -> float:
    """The same of PostgreSQL, with its processes that have ended."""
    if postgres is None:
        return 0.0
    fields = Path(f"/proc/{postgres.pid}/stat").read_text().rsplit(")", 1)[1].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{postgres.pid}/task/{postgres.pid}/children").read_text().split()
    return ended + _busy([postgres.pid, *map(int, children)])


async def _crowd(servers: list[Server], postgres: Postgres | None, pace: float) -> Paced:
    """Let a crowd play on some processes."""
    ports = [int(server.url.rsplit(":", 1)[1]) for server in servers]
    pids = [server.process.pid for server in servers]
    before = _resident(pids)
    busy: list[float] = []

    def begin() -> None:
        busy.extend((_busy(pids), _busy_database(postgres)))

    timing, crowd = await play("127.0.0.1", ports, MATCHES, ROUNDS, pace, begin=begin)
    spent, database = _busy(pids) - busy[0], _busy_database(postgres) - busy[1]
    memory = (_resident(pids) - before) / MATCHES / 1024
    for match in crowd:
        match.close()
    return Paced(timing, timing.picks / spent, 1e6 * database / timing.picks, memory)


def _ours(start: Callable[[ExitStack], list[Server]], postgres: Postgres | None = None) -> Load:
    """Our server, anew for each kind of crowd."""
    found = []
    for pace in (0.0, PACE_S):
        with ExitStack() as stack:
            found.append(asyncio.run(_crowd(start(stack), postgres, pace)))
    return found


def _sqlite(source: Path) -> Callable[[ExitStack], list[Server]]:
    def start(stack: ExitStack) -> list[Server]:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return _ready([stack.enter_context(serving(home, PYTHONPATH=str(source), **ROOMY))])

    return start


def _ready(servers: list[Server]) -> list[Server]:
    """Servers that have solved their games and found the day's puzzle, and do nothing else."""
    for server in servers:
        server.wait_until_ready()
        httpx.get(f"{server.url}/api/puzzles/{datetime.now(UTC).date()}", timeout=60)
    return servers


def _on(postgres: Postgres, processes: int, source: Path) -> Callable[[ExitStack], list[Server]]:
    def start(stack: ExitStack) -> list[Server]:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        given = ("--database", postgres.database())
        own = ROOMY | {"PYTHONPATH": str(source)}
        return _ready(
            [
                stack.enter_context(serving(home / str(place), *given, **own))
                for place in range(processes)
            ]
        )

    return start


@contextmanager
def _peer() -> Iterator[tuple[int, int]]:
    """boardgame.io in memory: its process and its port."""
    server = subprocess.Popen(["node", "server.js"], cwd=PEER, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        told = next(line for line in server.stdout if line.startswith("{"))
        yield server.pid, json.loads(told)["port"]
    finally:
        server.kill()
        server.communicate()


def _theirs() -> Load:
    found = []
    for pace in (0.0, PACE_S):
        with _peer() as (pid, port):
            before = _resident([pid])
            command = ["node", "crowd.js", *map(str, (port, MATCHES, ROUNDS, pace))]
            with subprocess.Popen(
                command, cwd=PEER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as crowd:
                assert crowd.stdin is not None
                assert crowd.stdout is not None
                crowd.stdout.readline()
                busy = _busy([pid])
                crowd.stdin.write("go\n")
                crowd.stdin.flush()
                told = json.loads(crowd.stdout.readline())
                timing = Timing(told["seconds"], 2 * MATCHES * ROUNDS, told["delays"])
                thrift = timing.picks / (_busy([pid]) - busy)
                memory = (_resident([pid]) - before) / MATCHES / 1024
                found.append(Paced(timing, thrift, 0.0, memory))
    return found


def measure() -> dict[str, Load]:
    """What each server did, one after the other."""
    postgres = Postgres()
    ways: dict[str, Callable[[], Load]] = {"boardgame.io, in memory": _theirs}
    try:
        with sources() as found:
            for commit, source in found.items():
                name = f"Even Odds {commit}".strip()
                ways[f"{name}, SQLite"] = partial(_ours, _sqlite(source))
                for count in PROCESSES:
                    start = _on(postgres, count, source)
                    many = f"{count} process{'es' if count > 1 else ''}"
                    ways[f"{name}, PostgreSQL, {many}"] = partial(_ours, start, postgres)
            return {name: _told(name, way()) for name, way in ways.items()}
    finally:
        postgres.end()


def _told(name: str, load: Load) -> Load:
    """A figure as soon as it is known, for whoever waits."""
    sys.stderr.write(f"{name}: {load[0].thrift:,.0f}, load {os.getloadavg()[0]:.1f}\n")
    return load


def section() -> str:
    """The server, as a section of the page on performance."""
    loads = measure()
    peer, _ = loads["boardgame.io, in memory"]
    rows = [
        f"| {name} | {pressed.timing.picks / pressed.timing.seconds:,.0f} | {pressed.thrift:,.0f} "
        f"| {pressed.thrift / peer.thrift:.2f} | {pressed.database:.0f} us | "
        f"{paced.timing.delay(0.5):.1f} ms | {paced.timing.delay(0.99):.1f} ms | "
        f"{pressed.memory:.0f} KiB |"
        for name, (pressed, paced) in loads.items()
    ]
    about = (
        f"{MATCHES} matches of Number Duel at once, {ROUNDS} rounds each, every seat with a stream "
        "of its own; the crowd runs on the same machine. First as fast as picks are taken, then at "
        f"a pick every {PACE_S:g} s for each seat. One run for each, one after the other. Delays "
        "are from sending a pick to the opponent's event, at the pace. With several processes the "
        "opponents sit at different ones. Picks per processor second count our processes; what "
        f"PostgreSQL takes for a pick stands beside it. {os.cpu_count()} cores, load "
        f"{os.getloadavg()[1]:.1f} during the last 5 minutes."
    )
    end = "A pick is on disk before it is acknowledged; boardgame.io keeps nothing."
    return report("The server", about, HEADS, rows, end)
