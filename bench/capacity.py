"""What a deployment of many concurrent matches takes: a small simulation of picks on PostgreSQL.

    python -m bench.capacity

A pick is taken by a process, written with all that waits there, delivered to every process, and
shown by the one that holds the opponent's stream. A process runs one job at a time, commits that
notify run one at a time, and each job needs a core. The costs are fitted to the processor time that
one, two and four processes took (`bench.network`).
"""

import heapq
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, NamedTuple

SIMULATED_PICKS: Final = 20_000
PRESSED_RATE: Final = 2400
"""Picks a second that keep two cores busy, the crowd's work included."""
THINKING_S: Final = 10.0
"""Seconds between two picks of a seat, where people play."""


class Costs(NamedTuple):
    """Seconds of a processor, unless it is said otherwise."""

    pick: float = 180e-6
    """Of the process that takes a pick: request, decision, response, own stream."""
    event: float = 80e-6
    """Of the process with the opponent's stream: its view."""
    again: float = 85e-6
    """Of that process, where it is another one: the event and what all readers see, once more."""
    write: float = 250e-6
    """Of a process for each commit: statement, result, its own notification."""
    notified: float = 30e-6
    """Of every other process for each commit of one."""
    cold: float = 2.13
    """Times that all of it takes a process that has slept: others have used the caches."""
    commit: float = 300e-6
    """Of PostgreSQL for each commit, with the wake-ups of its listeners."""
    row: float = 12e-6
    """Of PostgreSQL for each pick."""
    crowd: float = 200e-6
    """Of the players for each pick, where they are on the same machine."""
    flush_s: float = 0.1e-3
    """Seconds that the disk takes for a commit; no processor is busy with it."""
    interval_s: float = 5e-3
    """Seconds from one batch of a process to the next."""


MEASURED: Final = Costs()
SLOWER_DISK: Final = MEASURED._replace(flush_s=3.4e-3, commit=550e-6)
"""As measured on another disk; larger deployments are looked at with this one."""
AWAKE_S: Final = 1e-3
"""Seconds without work after which a process has slept."""


class Result(NamedTuple):
    """What came of a simulation."""

    own_us: float
    """Microseconds of our processes for each pick."""
    database_us: float
    picks_per_commit: float
    p50_ms: float
    p99_ms: float
    busiest: float
    """Share of the time in which the busiest process was at work."""


class Machine:
    """Cores, and who waits for one: a worker is busy with one job at a time."""

    def __init__(self, cores: int) -> None:
        self.now = 0.0
        self.spent: dict[str, float] = {}
        self._free = cores
        self._busy: set[str] = set()
        self._waiting: deque[tuple[str, float, Callable[[], None]]] = deque()
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def at(self, time: float, then: Callable[[], None]) -> None:
        """Call something at a time."""
        self._count += 1
        heapq.heappush(self._events, (time, self._count, then))

    def work(self, who: str, cost: float, then: Callable[[], None]) -> None:
        """Keep a worker busy, and call something afterwards."""
        self._waiting.append((who, cost, then))
        self._dispatch()

    def run(self) -> None:
        """Run until nothing is left to do."""
        while self._events:
            self.now, _, then = heapq.heappop(self._events)
            then()

    def _dispatch(self) -> None:
        for _ in range(len(self._waiting)):
            if not self._free:
                return
            who, cost, then = job = self._waiting.popleft()
            if who in self._busy:
                self._waiting.append(job)
                continue
            self._free -= 1
            self._busy.add(who)
            self.spent[who] = self.spent.get(who, 0.0) + cost
            self.at(self.now + cost, partial(self._done, who, then))

    def _done(self, who: str, then: Callable[[], None]) -> None:
        self._free += 1
        self._busy.discard(who)
        then()
        self._dispatch()


class Deployment:
    """Processes on one database, and the picks on their way."""

    def __init__(self, machine: Machine, processes: int, costs: Costs) -> None:
        self.machine = machine
        self.costs = costs
        self.delays: list[float] = []
        self.commits = 0
        self._pending: list[list[float]] = [[] for _ in range(processes)]
        self._writing: deque[int] = deque()
        """The processes that commit, or wait for their turn."""
        self._unanswered = [False] * processes
        self._next_batch = [0.0] * processes
        self._worked_at = [-AWAKE_S] * processes

    def take(self, place: int) -> None:
        """Take a pick at a process."""
        sent = self.machine.now

        def taken() -> None:
            self._pending[place].append(sent)
            self._write(place)

        self._work(place, self.costs.pick, taken)

    def _write(self, place: int) -> None:
        """Write what is pending, unless a write of this process is under way."""
        if self._pending[place] and not self._unanswered[place]:
            self._unanswered[place] = True
            begin = max(self.machine.now, self._next_batch[place])
            self._next_batch[place] = begin + self.costs.interval_s
            self.machine.at(begin, lambda: self._queue(place))

    def _queue(self, place: int) -> None:
        self._writing.append(place)
        if len(self._writing) == 1:
            self._commit()

    def _commit(self) -> None:
        place = self._writing[0]
        batch, self._pending[place] = self._pending[place], []
        self.commits += 1

        def flush() -> None:
            self.machine.at(self.machine.now + self.costs.flush_s, lambda: self._sent(place, batch))

        self.machine.work("database", self.costs.commit + self.costs.row * len(batch), flush)

    def _sent(self, place: int, batch: list[float]) -> None:
        """The commit is on disk: its process, and all others, hear of it."""
        self._writing.popleft()
        if self._writing:
            self._commit()
        self._work(place, self.costs.write, lambda: self._written(place, batch))
        for other in range(len(self._pending)):
            if other != place:
                self._work(other, self.costs.notified, lambda: None)

    def _written(self, place: int, batch: list[float]) -> None:
        self._unanswered[place] = False
        other = (place + 1) % len(self._pending)
        for sent in batch:
            again = self.costs.again if other != place else 0.0
            self._work(other, self.costs.event + again, partial(self._show, sent))
        self._write(place)

    def _show(self, sent: float) -> None:
        self.delays.append(self.machine.now - sent)

    def _work(self, place: int, cost: float, then: Callable[[], None]) -> None:
        """Let a process work, which costs more where it has slept."""
        slept = self.machine.now - self._worked_at[place] > AWAKE_S

        def done() -> None:
            self._worked_at[place] = self.machine.now
            then()

        self._worked_at[place] = self.machine.now
        self.machine.work(f"process {place}", cost * (self.costs.cold if slept else 1), done)


def simulate(
    rate: float, processes: int, cores: int, costs: Costs = MEASURED, crowd: bool = False
) -> Result:
    """Let picks come at a rate, by chance, to all processes alike."""
    machine, chance = Machine(cores), Random(1)
    deployment, time = Deployment(machine, processes, costs), 0.0
    for number in range(SIMULATED_PICKS):
        time += chance.expovariate(rate)
        machine.at(time, partial(deployment.take, number % processes))
        if crowd:
            machine.at(time, partial(machine.work, "crowd", costs.crowd, lambda: None))
    machine.run()
    own = [spent for who, spent in machine.spent.items() if who.startswith("process")]
    delays = sorted(deployment.delays)
    return Result(
        1e6 * sum(own) / SIMULATED_PICKS,
        1e6 * machine.spent["database"] / SIMULATED_PICKS,
        SIMULATED_PICKS / deployment.commits,
        1e3 * delays[len(delays) // 2],
        1e3 * delays[int(0.99 * len(delays))],
        max(own) / machine.now,
    )


def main() -> None:
    """Compare with what was measured on two cores, and look at larger deployments."""
    for processes in (1, 2, 4):
        found = simulate(PRESSED_RATE, processes, 2, crowd=True)
        sys.stdout.write(f"{PRESSED_RATE} picks a second, {processes} processes: {_told(found)}\n")
    for matches, processes, cores in ((1_000, 1, 2), (10_000, 4, 6), (100_000, 24, 32)):
        found = simulate(2 * matches / THINKING_S, processes, cores, SLOWER_DISK)
        sys.stdout.write(
            f"{matches} matches, {processes} processes, {cores} cores: {_told(found)}\n"
        )


def _told(found: Result) -> str:
    return (
        f"{found.own_us:.0f} us and {found.database_us:.0f} us of PostgreSQL for a pick, "
        f"{found.picks_per_commit:.1f} picks for a commit, "
        f"{found.p50_ms:.1f} ms, {found.p99_ms:.1f} ms, busiest {found.busiest:.0%}"
    )


if __name__ == "__main__":
    main()
