"""Texts made harmless, addresses that are one network, requests in threads of their own."""

import os
import signal
import sys
from threading import Thread

import pytest

from evenodds.system.environment import core_limit
from evenodds.system.http_request import leave_signals_to_main_thread
from evenodds.system.network import network_of
from evenodds.system.text import sanitized


@pytest.mark.parametrize(
    "text", ["[red]x", "[[red]red]x", "[/]x", "[#fff on @x]x", "[a[b[c]d]e]x", "\x1bx", "\u2066x"]
)
def test_markup_is_stripped_however_it_is_nested(text: str) -> None:
    assert sanitized(text) == "x"
    assert sanitized("[1] a [2, 3] b]") == "[1] a [2, 3] b]"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_what_an_address_is_counted_as(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_all_cores_are_used_or_as_many_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVENODDS_CORES", raising=False)
    assert core_limit() == os.cpu_count()
    monkeypatch.setenv("EVENODDS_CORES", "61")
    assert core_limit() == 61


def test_signals_come_to_the_main_thread_alone() -> None:
    blocked: set[int] = set()

    def request() -> None:
        leave_signals_to_main_thread()
        blocked.update(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

    thread = Thread(target=request)
    thread.start()
    thread.join()
    assert {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT} <= blocked
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
