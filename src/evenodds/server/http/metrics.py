"""Metrics of a server process in the Prometheus format.

Counted in plain numbers: the library's counters take a lock and cost ten times as much, with every
request.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from math import inf
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from evenodds.server.matches.match_registry import MatchRegistry

BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, inf)


class Metrics(Collector):
    """Counters and gauges of one process."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._answers = [0] * len(BUCKETS_S)
        """Answers by how long they took, for each bucket."""
        self._seconds = 0.0
        self._matches: MatchRegistry | None = None
        self._collectors = CollectorRegistry()
        self._collectors.register(self)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        """Count a response."""
        self._requests[scope["method"], status] += 1
        self._answers[bisect_left(BUCKETS_S, seconds)] += 1
        self._seconds += seconds

    def text(self, registry: MatchRegistry) -> bytes:
        """The current values in the text format of Prometheus."""
        self._matches = registry
        return generate_latest(self._collectors)

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        requests = CounterMetricFamily(
            "evenodds_requests", "Requests, by method and status.", labels=["method", "status"]
        )
        for (method, status), count in self._requests.items():
            requests.add_metric([method, str(status)], count)
        yield requests
        names = [*(str(float(bound)) for bound in BUCKETS_S[:-1]), "+Inf"]
        yield HistogramMetricFamily(
            "evenodds_answer_seconds",
            "Seconds until an answer begins.",
            buckets=list(zip(names, accumulate(self._answers), strict=True)),
            sum_value=self._seconds,
        )
        if self._matches is not None:
            held, streams = len(self._matches.sessions), self._matches.limits.streams.taken
            yield GaugeMetricFamily("evenodds_matches_in_memory", "Matches held in memory.", held)
            yield GaugeMetricFamily("evenodds_streams", "Streams being read.", streams)
