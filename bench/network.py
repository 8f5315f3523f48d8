"""The server under a crowd, beside boardgame.io on the same machine in the same minutes."""

import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.postgres import Postgres
from tests.support.servers import Server, serving

from bench.comparison import ROOT
from bench.crowd import Timing, play

MATCHES: Final = 500
ROUNDS: Final = 20
PACE: Final = 1.0
REPEATS: Final = 3
PEER: Final = ROOT / "bench" / "boardgame"
ROOMY: Final = {"EVENODDS_SERVER_STREAMS_PER_ADDRESS": "100000"}


class Load(NamedTuple):
    """What a server did under a crowd: at a stretch and at a pace."""

    rate: float
    """Picks a second, as fast as they are taken."""
    thrift: float
    """Picks for each second of the server's processors."""
    median: float
    """From a pick to the opponent's event at a pace, in milliseconds."""
    slow: float
    """What one in a hundred exceeds."""
    memory: float
    """KiB for each open match with two streams."""


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


async def _crowd(servers: list[Server], pace: float) -> tuple[Timing, float, float]:
    """Let a crowd play on one or two processes: timing, thrift, memory."""
    ports = [int(server.url.rsplit(":", 1)[1]) for server in servers]
    pids = [server.process.pid for server in servers]
    before = _resident(pids)
    busy: list[float] = []

    def begin() -> None:
        busy.append(_busy(pids))

    timing, crowd = await play(
        "127.0.0.1", (ports[0], ports[-1]), MATCHES, ROUNDS, pace, begin=begin
    )
    spent = _busy(pids) - busy[0]
    memory = (_resident(pids) - before) / MATCHES / 1024
    for match in crowd:
        match.close()
    return timing, timing.picks / spent, memory


def _ours(start: Callable[[ExitStack], list[Server]]) -> Load:
    """Our server, anew for each kind of crowd."""
    found = []
    for pace in (0.0, PACE):
        with ExitStack() as stack:
            found.append(asyncio.run(_crowd(start(stack), pace)))
    (closed, thrift, memory), (paced, _, _) = found
    rate = closed.picks / closed.seconds
    return Load(rate, thrift, paced.delay(0.5), paced.delay(0.99), memory)


def _sqlite(stack: ExitStack) -> list[Server]:
    home = stack.enter_context(tempfile.TemporaryDirectory(dir=ROOT))
    return _ready([stack.enter_context(serving(Path(home), **ROOMY))])


def _ready(servers: list[Server]) -> list[Server]:
    """Servers that have solved their games, and do nothing else any more."""
    for server in servers:
        server.wait_until_ready()
    return servers


def _two_on(postgres: Postgres) -> Callable[[ExitStack], list[Server]]:
    def start(stack: ExitStack) -> list[Server]:
        home, url = stack.enter_context(tempfile.TemporaryDirectory()), postgres.database()
        return _ready(
            [
                stack.enter_context(serving(Path(home) / name, "--database", url, **ROOMY))
                for name in ("one", "two")
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
    for pace in (0.0, PACE):
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
                found.append((timing, thrift, (_resident([pid]) - before) / MATCHES / 1024))
    (closed, thrift, memory), (paced, _, _) = found
    rate = closed.picks / closed.seconds
    return Load(rate, thrift, paced.delay(0.5), paced.delay(0.99), memory)


def _flush() -> float:
    """Milliseconds that the disk takes to keep one page for good."""
    with tempfile.NamedTemporaryFile(dir=ROOT) as file:
        taken = []
        for _ in range(100):
            file.write(bytes(4096))
            file.flush()
            begin = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - begin)
    return 1000 * statistics.median(taken)


def _median(loads: list[Load]) -> Load:
    return Load(*(statistics.median(column) for column in zip(*loads, strict=True)))


def measure() -> dict[str, Load]:
    """The median of each, taken in turn."""
    postgres = Postgres()
    ways: dict[str, Callable[[], Load]] = {
        "boardgame.io, in memory": _theirs,
        "Even Odds, SQLite": lambda: _ours(_sqlite),
        "Even Odds, two processes on PostgreSQL": lambda: _ours(_two_on(postgres)),
    }
    try:
        runs = [{name: way() for name, way in ways.items()} for _ in range(REPEATS)]
    finally:
        postgres.end()
    return {name: _median([run[name] for run in runs]) for name in ways}


def section() -> str:
    """The server, as a section of the page on performance."""
    loads = measure()
    peer = loads["boardgame.io, in memory"]
    rows = [
        f"| {name} | {load.rate:,.0f} | {load.thrift:,.0f} | {load.thrift / peer.thrift:.2f} | "
        f"{load.median:.1f} ms | {load.slow:.1f} ms | {load.memory:.0f} KiB |"
        for name, load in loads.items()
    ]
    return "\n".join(
        [
            "## The server",
            "",
            f"{MATCHES} matches of Number Duel at once, {ROUNDS} rounds each, every seat with a",
            "stream of its own; the crowd runs on the same machine. First as fast as picks are",
            f"taken, then at a pick every {PACE:.0f} s for each seat. The medians of {REPEATS}",
            "runs, taken in turn. Delays are from sending a pick to the opponent's event, at the",
            "pace. With two processes the opponents sit at different ones; the processors' time",
            "of PostgreSQL itself is not counted.",
            "",
            "| | picks a second | picks per processor second | times boardgame.io | p50 | p99 "
            "| memory per match |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            f"The disk takes {_flush():.1f} ms to keep one page for good. A pick is on disk before",
            "it is acknowledged, and picks that arrive together share one flush; boardgame.io",
            "keeps nothing.",
        ]
    )
