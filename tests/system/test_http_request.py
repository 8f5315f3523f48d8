"""Requests in a thread of their own."""

import signal
import sys
from threading import Thread

import pytest

from evenodds.system.http_request import leave_signals_to_main_thread


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_signals_come_to_the_main_thread_alone() -> None:
    """One that came to a thread of requests would not end the wait for the keyboard."""
    blocked: set[int] = set()

    def request() -> None:
        leave_signals_to_main_thread()
        blocked.update(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

    thread = Thread(target=request)
    thread.start()
    thread.join()
    assert {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT} <= blocked
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
