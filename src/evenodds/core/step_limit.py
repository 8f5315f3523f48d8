"""A limit for functions of other people: of the lines that they run, and of time.

Lines are counted by `sys.settrace`, in this thread and for this call alone. What takes for ever
within one line, or in compiled code, is not stopped.
"""

import os
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, TypeVar

from evenodds.system import EvenOddsError

T = TypeVar("T")
MAX_STEPS: Final = 2_000_000
"""Lines that one call may run; they take about a second."""
MAX_SECONDS: Final = 20.0
"""Time that one call may take, where its lines are slow."""


class NeverReturns(EvenOddsError):
    """A function that was stopped, and where it was then."""


class _Stopped(BaseException):
    """Passes every `except Exception` of the function that is stopped."""


def limited(
    function: Callable[..., T],
    *arguments: Any,
    steps: int = MAX_STEPS,
    seconds: float = MAX_SECONDS,
) -> T:
    """What a function returns; `NeverReturns` after so many lines or seconds."""
    left, end = steps, time.monotonic() + seconds

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or (left % 64 == 0 and time.monotonic() > end):
            code, after = frame.f_code, f"{steps:,} steps" if left < 0 else f"{seconds:g} seconds"
            place = f"{code.co_name}, line {frame.f_lineno} of {os.path.basename(code.co_filename)}"
            raise _Stopped(f"does not return: stopped after {after}, in {place}")
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    except _Stopped as stopped:
        raise NeverReturns(str(stopped)) from None
    finally:
        sys.settrace(before)
