"""Limits by address: what is remembered of addresses stays small."""

from pathlib import Path

import pytest

from tests.support.attacks import open_streams
from tests.support.registries import RateLimited, TokenBuckets
from tests.support.servers import Pair, serving


def test_the_table_of_addresses_stays_small() -> None:
    buckets = TokenBuckets(per_second=0.001, capacity=10, max_buckets=50)
    for key in range(100):
        buckets.take(key)
    assert len(buckets._buckets) == 50
    for _ in range(9):
        buckets.take(99)
    with pytest.raises(RateLimited):
        buckets.take(99)


@pytest.mark.processes
def test_streams_leave_room_for_requests_and_for_other_addresses(home: Path) -> None:
    """Of 200 connections 150 may be streams; the oldest of the address with most give way."""
    with serving(home, files="300", EVENODDS_SERVER_STREAMS_PER_ADDRESS="1000") as server:
        path = Pair(server, "duel").path
        server.dismiss()
        greedy = open_streams(server, path, 170, addresses=1)
        others = open_streams(server, path, 30, addresses=3)
        assert "evenodds_streams 150.0" in server.client().get("/metrics").text
        assert greedy[0].answer().endswith(b"\r\n0\r\n\r\n")
        for stranger in others[1:3]:
            stranger.socket.setblocking(False)
            assert b"\r\n0\r\n\r\n" not in stranger.socket.recv(1 << 16)
        for stranger in (*greedy, *others):
            stranger.socket.close()
