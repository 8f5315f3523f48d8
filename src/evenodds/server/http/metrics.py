"""Metrics of a server process in the Prometheus format."""

from typing import Any

import prometheus_client as prometheus

from evenodds.server.matches.match_registry import MatchRegistry

prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counters and gauges of one process."""

    def __init__(self) -> None:
        self._collectors = shown = prometheus.CollectorRegistry()
        said = "Requests, by method and status."
        self._requests = prometheus.Counter(
            "evenodds_requests", said, ["method", "status"], registry=shown
        )
        said = "Seconds until an answer begins."
        self._seconds = prometheus.Histogram("evenodds_answer_seconds", said, registry=shown)
        said = "Matches held in memory."
        self._matches = prometheus.Gauge("evenodds_matches_in_memory", said, registry=shown)
        self._streams = prometheus.Gauge("evenodds_streams", "Streams being read.", registry=shown)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        """Count a response."""
        self._requests.labels(scope["method"], status).inc()
        self._seconds.observe(seconds)

    def text(self, registry: MatchRegistry) -> bytes:
        """The current values in the text format of Prometheus."""
        self._matches.set(len(registry.sessions))
        self._streams.set(registry.limits.streams.taken)
        return prometheus.generate_latest(self._collectors)
