"""How tests wait: for what is said or shown, never for a span of time.

Nothing may depend on the speed of the machine. A limit is there only so that what will never come
ends a run at all, and it is far beyond what a busy machine needs.
"""

import time
from collections.abc import Callable
from typing import Final

TIMEOUT_S: Final = 300
"""Seconds after which what is waited for will not come."""


def wait_until(
    true: Callable[[], object],
    timeout_s: float = TIMEOUT_S,
    *,
    shown: Callable[[], str] = lambda: "it does not come",
) -> None:
    """Wait until something is so; what is shown instead is the message of the failure."""
    end, pause_s = time.monotonic() + timeout_s, 0.005
    while not true():
        assert time.monotonic() < end, shown()
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 0.1)  # asking takes time from those who are asked
