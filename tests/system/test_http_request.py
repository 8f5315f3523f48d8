"""Requests in a thread of their own."""

import signal
import sys
from queue import SimpleQueue

import pytest

from evenodds.system.http_request import start_request_thread


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_signals_come_to_the_main_thread_alone() -> None:
    """One that came to a thread of requests would not end the wait for the keyboard."""
    blocked: SimpleQueue[set[int]] = SimpleQueue()
    start_request_thread(lambda: blocked.put(signal.pthread_sigmask(signal.SIG_BLOCK, ())), "test")
    assert {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT} <= blocked.get(timeout=60)
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
