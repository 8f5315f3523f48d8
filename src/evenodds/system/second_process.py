"""A second process that computes ahead what this one will then find in the cache.

Commands allow it, for they may use all cores. Where none can be started, or it fails, this process
computes everything itself.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

from evenodds.system.environment import core_limit

PROGRAM: Final = "from evenodds.system.second_process import end_with_parent; end_with_parent(); "

_is_allowed = False
_processes: "dict[str, subprocess.Popen[bytes]]" = {}


@contextmanager
def second_process() -> Iterator[None]:
    """Allow a second process for what is done here; it is killed at the end."""
    global _is_allowed
    _is_allowed = core_limit() > 1
    try:
        yield
    finally:
        _is_allowed = False
        for process in _processes.values():
            with process:
                process.kill()
        _processes.clear()


def can_start_second_process(purpose: str) -> bool:
    """Whether one is allowed here, and none was started for that purpose."""
    return _is_allowed and purpose not in _processes


def start_second_process(purpose: str, module: str, call: str) -> None:
    """Start a second process that imports a module and calls a function of it, once a purpose."""
    if not can_start_second_process(purpose):
        return
    with suppress(OSError):
        _processes[purpose] = subprocess.Popen(
            [sys.executable, "-P", "-c", f"{PROGRAM}import {module}; {module}.{call}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must reach the parent only
        )


def end_with_parent() -> None:
    """End this process when its parent ends, which closes the standard input."""

    def end_with_input() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    Thread(target=end_with_input, daemon=True).start()
