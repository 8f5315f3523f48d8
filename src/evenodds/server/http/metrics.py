"""Metrics of a server process in the Prometheus format."""

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from evenodds.server.matches.match_registry import MatchRegistry


class Metrics:
    """Counters and gauges of one process."""

    def __init__(self) -> None:
        self._collectors = collectors = CollectorRegistry()
        self._requests = Counter(
            "evenodds_requests",
            "Requests, by method and status.",
            ["method", "status"],
            registry=collectors,
        )
        self._requests_by_kind: dict[tuple[str, int], Counter] = {}
        """Counters with their labels: finding one by its labels costs as much as ten counts."""
        self._seconds = Histogram(
            "evenodds_answer_seconds", "Seconds until an answer begins.", registry=collectors
        )
        self._matches = Gauge(
            "evenodds_matches_in_memory", "Matches held in memory.", registry=collectors
        )
        self._streams = Gauge("evenodds_streams", "Streams being read.", registry=collectors)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        """Count a response."""
        kind = scope["method"], status
        counter = self._requests_by_kind.get(kind)
        if counter is None:
            counter = self._requests_by_kind[kind] = self._requests.labels(*kind)
        counter.inc()
        self._seconds.observe(seconds)

    def text(self, registry: MatchRegistry) -> bytes:
        """The current values in the text format of Prometheus."""
        self._matches.set(len(registry.sessions))
        self._streams.set(registry.limits.open_streams)
        return generate_latest(self._collectors)
