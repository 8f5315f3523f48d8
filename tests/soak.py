"""Long runs that look for what rarely happens: `make soak`."""

import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from random import Random

import httpx

from tests.attacks import reply_times, starve
from tests.faults import kill_often
from tests.postgres import Postgres
from tests.servers import Pair, next_view, serving

KILLS = 200
STREAMS = 1000
STARVING = 50
REPLIES = 15


def main() -> None:
    """Kill servers on both databases, open streams by the thousand, starve the computers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _kill("SQLite", home)
        postgres = Postgres()
        try:
            _kill("PostgreSQL", home, "--database", postgres.database())
        finally:
            postgres.end()
        _streams(home / "streams")
        _starvation(home / "starvation")


def _kill(kind: str, home: Path, *arguments: str) -> None:
    began = time.monotonic()
    for count, _ in enumerate(islice(kill_often(home, Random(), *arguments), KILLS // 2)):
        left = (time.monotonic() - began) / (count + 1) * (KILLS // 2 - count - 1)
        _say(f"\r{kind}: killed {count + 1} times, nothing lost; about {left:.0f} s to go ")
    _say("\n")


def _streams(home: Path) -> None:
    limits = {"EVENODDS_SERVER_STREAMS_PER_ADDRESS": str(2 * STREAMS)}
    with serving(home, **limits) as server:
        pair = Pair(server, "duel")
        client = httpx.Client(
            base_url=server.url, limits=httpx.Limits(max_connections=None), timeout=60
        )
        server.clients.append(client)
        opened = [client.stream("GET", f"{pair.path}/events") for _ in range(STREAMS)]
        heard = [stream.__enter__().iter_lines() for stream in opened]
        for lines in heard:
            next_view(lines)
        began = time.monotonic()
        pair.pick(0, 3, 1)
        pair.pick(1, 2, 1)
        for lines in heard:
            while not next_view(lines)["history"]:
                pass
        _say(f"{STREAMS} streams heard of a round within {time.monotonic() - began:.1f} s\n")
        for stream in opened:
            stream.__exit__(None, None, None)


def _starvation(home: Path) -> None:
    """How long replies of computers take while another address has many of them search."""
    with serving(home) as server:
        server.wait_until_ready()
        for opponent in ("level:4", "search"):
            calm = reply_times(server, REPLIES, opponent)
            with starve(server, STARVING):
                attacked = reply_times(server, REPLIES, opponent)
            _say(
                f"{opponent} replies within {calm[REPLIES // 2]:.2f} s, {calm[-1]:.2f} s at most; "
                f"beside {STARVING} matches of searching computers at another address "
                f"within {attacked[REPLIES // 2]:.2f} s, {attacked[-1]:.2f} s at most\n"
            )


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


if __name__ == "__main__":
    main()
