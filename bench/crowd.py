"""A crowd on loopback: hundreds of matches at once, each seat with a stream of its own.

Plain sockets and bytes, so that the crowd takes as little of the machine as it can.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

NUMBER = 2
"""What everybody picks: in Number Duel a tie, after which the match goes on."""


class Seen(msgspec.Struct):
    """What a player looks at in a view."""

    round: int
    legal: list[int]
    chosen: list[bool]
    history: list[Any]


DECODER = msgspec.json.Decoder(Seen)


class Timing(NamedTuple):
    """How long a crowd played, and the seconds from each pick to the opponent's event."""

    seconds: float
    picks: int
    delays: list[float]

    def delay(self, share: float) -> float:
        """The delay that a share of the picks did not exceed, in milliseconds."""
        ordered = sorted(self.delays)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Line:
    """One connection that is kept, and asked one thing after another."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(
            self.host, self.port, limit=1 << 20
        )

    async def ask(self, method: str, path: str, body: object = None, token: str = "new") -> bytes:
        """Ask, and read the answer."""
        self.send(method, path, body, token)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        answer = await self.reader.readexactly(length)
        if b" 20" not in head[:13]:
            raise RuntimeError(f"{method} {path}: {head[:20]!r} {answer!r}")
        return answer

    def send(self, method: str, path: str, body: object = None, token: str = "new") -> None:
        """Send a request."""
        content = b"" if body is None else msgspec.json.encode(body)
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-Seat-Token: {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content
        )


class Match:
    """One match: two seats, and when each pick was sent."""

    def __init__(self, host: str, ports: tuple[int, int], rounds: int) -> None:
        self.lines = [Line(host, port) for port in ports]
        self.streams = [Line(host, port) for port in ports]
        self.rounds = rounds
        self.sent: dict[tuple[int, int], float] = {}
        self.delays: list[float] = []

    async def open(self) -> None:
        """Open the match, join it, and listen."""
        for line in (*self.lines, *self.streams):
            await line.open()
        wish = {"game": "duel", "rulings": {"hp": 100}, "name": "Ann"}
        opened = msgspec.json.decode(await self.lines[0].ask("POST", "/api/matches", wish))
        guest = {"invitation": opened["invitation"], "name": "Bob"}
        joined = msgspec.json.decode(await self.lines[1].ask("POST", "/api/join", guest))
        self.path = f"/api/matches/{opened['match']}"
        self.tokens = [opened["token"], joined["token"]]
        for seat, stream in enumerate(self.streams):
            stream.send("GET", f"{self.path}/events", token=self.tokens[seat])

    async def play(self, seat: int, pace: float, phase: float) -> None:
        """Play until all rounds are over: at once, or at a pace after a while."""
        stream = self.streams[seat].reader
        await asyncio.sleep(phase)
        turn, picked = time.perf_counter(), 0
        while True:
            line = await stream.readline()
            if not line.startswith(b"data: "):
                continue
            if b'"legal"' not in line:
                continue  # somebody has come or gone
            view = DECODER.decode(line[6:])
            self._hear(1 - seat, view)
            if len(view.history) >= self.rounds:
                return
            if view.legal and view.round > picked:
                picked = view.round
                if pace:
                    turn += pace
                    await asyncio.sleep(max(0.0, turn - time.perf_counter()))
                self.sent[seat, picked] = time.perf_counter()
                body = {"round": picked, "number": NUMBER}
                await self.lines[seat].ask("POST", f"{self.path}/picks", body, self.tokens[seat])

    def _hear(self, other: int, view: Seen) -> None:
        """The other's pick is known here now."""
        latest = view.round if view.chosen[other] else len(view.history)
        sent = self.sent.pop((other, latest), None)
        if sent is not None:
            self.delays.append(time.perf_counter() - sent)

    def close(self) -> None:
        """Go."""
        for line in (*self.lines, *self.streams):
            line.writer.close()


async def play(
    host: str,
    ports: Sequence[int],
    matches: int,
    rounds: int,
    pace: float = 0.0,
    begin: Callable[[], None] = lambda: None,
) -> tuple[Timing, list[Match]]:
    """Let a crowd play; how long it took, and the crowd, still listening.

    Opponents sit at different processes. `begin` is called when all sit, and play begins.
    """
    crowd = [
        Match(host, (ports[place % len(ports)], ports[(place + 1) % len(ports)]), rounds)
        for place in range(matches)
    ]
    for match in crowd:
        await match.open()
    begin()
    began = time.perf_counter()
    await asyncio.gather(
        *(
            match.play(seat, pace, pace * (place + seat / 2) / matches)
            for place, match in enumerate(crowd)
            for seat in (0, 1)
        )
    )
    spent = time.perf_counter() - began
    delays = [delay for match in crowd for delay in match.delays]
    return Timing(spent, 2 * rounds * matches, delays), crowd
