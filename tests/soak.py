"""Long runs that look for what rarely happens: `make soak`."""

import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import psutil

from evenodds.server.settings import VARIABLE_PREFIX, Settings
from tests.support.attacks import (
    Stranger,
    ask_wrong_host,
    asking,
    half_open,
    open_streams,
    pipeline,
    reply_times,
    send_head,
    slowest_answer,
    starve,
)
from tests.support.clusters import Players, break_often, cluster
from tests.support.postgres import Postgres
from tests.support.servers import Pair, hear, serving

KILLS = 200
STOPPED_S = 30
STREAMS = 1000
USUAL = {
    f"{VARIABLE_PREFIX}{name.upper()}": str(usual) for name, usual in Settings()._asdict().items()
}
"""The limits of a server as nobody has changed them."""
HEADS = {"headers": (b"GET / HTTP/1.1\r\nX: ", 80 << 20), "an address": (b"GET /", 50 << 20)}
HALF_OPEN = 1100
FILES = 1024
PIPELINES = {1: 10 << 20, 4: 55 << 20}
"""Connections, and the bytes of requests that each of them sends."""
PIPELINE_S = 20
WRONG_HOSTS = 2000
GREEDY_STREAMS, GREEDY_ADDRESSES = 683, 11
STARVING = 50
REPLIES = 15
SEARCHERS, SEARCHES = 10, 20


def main() -> None:
    """Kill servers on both databases, open streams by the thousand, attack a server."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _break(home / "sqlite", None, KILLS // 2)
        postgres = Postgres()
        try:
            _break(home / "cluster", postgres, KILLS, KILLS // 4)
            _stop(home / "stopped", postgres)
        finally:
            postgres.end()
        _streams(home / "streams")
        _strangers(home / "strangers")
        _pipelining(home / "pipelining")
        _wrong_hosts(home / "hosts")
        _greedy_streams(home / "greedy")
        _replies(home / "starvation", ("level:4", "search"), 1, STARVING)
        _replies(home / "searches", ("level:4",), SEARCHERS, SEARCHES, **USUAL)


def _break(home: Path, postgres: Postgres | None, kills: int, restarts: int = 0) -> None:
    """Kill processes and restart the database under picks that are sent to all of them."""
    began, what = time.monotonic(), "PostgreSQL" if postgres else "SQLite"
    for count in break_often(home, postgres, Random()):
        done = sum(count.values())
        left = (time.monotonic() - began) / done * max(0, kills + restarts - done)
        _say(
            f"\r{what}: killed {count['kills']} times, restarted {count['restarts']} times, "
            f"nothing lost; about {left:.0f} s to go "
        )
        if count["kills"] >= kills and count["restarts"] >= restarts:
            break
    _say("\n")


def _stop(home: Path, postgres: Postgres) -> None:
    """Stop one of four processes for a while: the others go on, and nothing is lost."""
    with cluster(home, postgres, 4) as processes:
        stopped, *others = processes.servers
        players = Players(processes.servers, Random())
        players.wait_for_round()
        stopped.process.send_signal(signal.SIGSTOP)
        try:
            end, picks, slowest = time.monotonic() + STOPPED_S, 0, 0.0
            while time.monotonic() < end:
                if picks % 40 == 0:  # the same round after round becomes a draw
                    pair = Pair(others[0], "duel", other=others[-1], rulings={"hp": 100})
                round = picks % 40 // 2 + 1
                began = time.monotonic()
                assert pair.pick(picks % 2, 2, round).status_code == 200
                slowest = max(slowest, time.monotonic() - began)
                picks += 1
        finally:
            stopped.process.send_signal(signal.SIGCONT)
        players.wait_for_round()
        players.stop()
    _say(
        f"One of four processes stopped for {STOPPED_S} s: the others took {picks} picks, "
        f"each within {slowest:.2f} s; nothing lost\n"
    )


def _streams(home: Path) -> None:
    with serving(home, EVENODDS_SERVER_STREAMS_PER_ADDRESS=str(2 * STREAMS)) as server:
        pair = Pair(server, "duel")
        client = httpx.Client(
            base_url=server.url, limits=httpx.Limits(max_connections=None), timeout=60
        )
        with ExitStack() as stack:
            heard = [stack.enter_context(hear(client, pair.path)) for _ in range(STREAMS)]
            for each in heard:
                each.next()
            began = time.monotonic()
            pair.pick(0, 3, 1)
            pair.pick(1, 2, 1)
            for each in heard:
                each.when(lambda view: view["history"])
            _say(f"{STREAMS} streams heard of a round within {time.monotonic() - began:.1f} s\n")
        client.close()


def _strangers(home: Path) -> None:
    """What large heads and half-open connections can do."""
    with serving(home, files=str(FILES), **USUAL) as server:
        server.wait_until_ready()
        for what, (start, size) in HEADS.items():
            with slowest_answer(server) as answers:
                sent = send_head(server, start, size)
            grown = max(0, sent.grown) / 1e6
            _say(
                f"{size >> 20} MB of {what}: cut off after {sent.taken / 1e6:.1f} MB, "
                f"{grown:.1f} MB of memory; /healthz within {max(answers):.2f} s\n"
            )
        for addresses in (1, 11):
            with slowest_answer(server) as answers:
                strangers = half_open(server, HALF_OPEN, addresses)
            _say(
                f"{HALF_OPEN} half-open connections from {addresses} addresses, {FILES} files: "
                f"/healthz within {max(answers):.2f} s\n"
            )
            for stranger in strangers:
                stranger.socket.close()


def _pipelining(home: Path) -> None:
    """How much memory requests take that are sent without reading the answers."""
    with serving(home, **USUAL) as server:
        server.wait_until_ready()
        for connections, size in PIPELINES.items():
            with slowest_answer(server) as answers:
                memory = pipeline(server, connections, size, PIPELINE_S)
            time.sleep(2)  # connections are closed in the background
            memory_after = psutil.Process(server.process.pid).memory_info().rss
            before, most, after = (round(each / 1e6) for each in (*memory, memory_after))
            _say(
                f"{size >> 20} MB of requests on each of {connections} connections: "
                f"{before} MB of memory before, {most} MB at most, {after} MB after; "
                f"/healthz within {max(answers):.2f} s\n"
            )


def _wrong_hosts(home: Path) -> None:
    """What it costs to refuse requests for a name that the server does not have."""
    with serving(home, **USUAL) as server:
        server.wait_until_ready()
        process = psutil.Process(server.process.pid)
        used = sum(process.cpu_times()[:2])
        found = ask_wrong_host(server, WRONG_HOSTS)
        spent = (sum(process.cpu_times()[:2]) - used) / WRONG_HOSTS
        _say(f"{WRONG_HOSTS} requests for a wrong name: {found}, {spent * 1e3:.2f} ms each\n")


def _greedy_streams(home: Path) -> None:
    """Whether others are served beside as many streams as there are connections."""
    with serving(home, files=str(FILES), **USUAL) as server:
        server.wait_until_ready()
        path = Pair(server, "duel").path
        server.dismiss()
        began = time.monotonic()
        greedy = open_streams(server, path, GREEDY_STREAMS, GREEDY_ADDRESSES)
        took = time.monotonic() - began
        statuses = []
        for asked in ("/healthz", f"{path}/events"):
            with Stranger(server, "127.0.0.99") as somebody:
                somebody.send(asking(asked))
                statuses.append(somebody.socket.recv(12)[-3:].decode())
        _say(
            f"{GREEDY_STREAMS} streams from {GREEDY_ADDRESSES} addresses within {took:.0f} s, "
            f"{FILES} files: somebody else gets {statuses[0]} for /healthz, "
            f"{statuses[1]} for a stream\n"
        )
        for stranger in greedy:
            stranger.socket.close()


def _replies(
    home: Path, opponents: tuple[str, ...], addresses: int, matches: int, **limits: str
) -> None:
    """How long replies of computers take while other addresses have many of them search."""
    with serving(home, **limits) as server:
        server.wait_until_ready()
        for opponent in opponents:
            calm = reply_times(server, REPLIES, opponent)
            with ExitStack() as attack:
                for number in range(addresses):
                    attack.enter_context(starve(server, matches, f"127.0.0.{2 + number}"))
                attacked = reply_times(server, REPLIES, opponent)
            _say(
                f"{opponent} replies within {calm[REPLIES // 2]:.2f} s, {calm[-1]:.2f} s at most; "
                f"beside {matches} matches of searching computers at each of {addresses} other "
                f"addresses within {attacked[REPLIES // 2]:.2f} s, {attacked[-1]:.2f} s at most\n"
            )


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


if __name__ == "__main__":
    main()
