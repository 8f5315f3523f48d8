"""Metrics of a server process in the Prometheus format."""

from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from evenodds.server.matches.match_registry import MatchRegistry

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counters and gauges of one process."""

    def __init__(self) -> None:
        self._collectors = shown = CollectorRegistry()
        said = "Requests, by method and status."
        self._requests = Counter("evenodds_requests", said, ["method", "status"], registry=shown)
        said = "Seconds until an answer begins."
        self._seconds = Histogram("evenodds_answer_seconds", said, registry=shown)
        said = "Matches held in memory."
        self._matches = Gauge("evenodds_matches_in_memory", said, registry=shown)
        self._streams = Gauge("evenodds_streams", "Streams being read.", registry=shown)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        """Count a response."""
        self._requests.labels(scope["method"], status).inc()
        self._seconds.observe(seconds)

    def text(self, registry: MatchRegistry) -> bytes:
        """The current values in the text format of Prometheus."""
        self._matches.set(len(registry.sessions))
        self._streams.set(registry.limits.streams.taken)
        return generate_latest(self._collectors)
