"""The lock of a kernel while a process compiles it: others wait, and load what it has compiled."""

from pathlib import Path
from typing import Final

from evenodds.system.locks import Lock, take_lock

MAX_COMPILE_WAIT_S: Final = 60.0
"""How long another process may take to compile a kernel before this one does so itself."""

_held: list[Lock] = []
"""The lock of the kernel that this process compiles: Numba compiles one at a time."""


def begin_compiling(path: Path) -> bool:
    """Take the lock of a kernel file, once no other process has it; False after a long wait."""
    end_compiling()
    lock = take_lock(path.with_name(f"{path.name}.lock"), MAX_COMPILE_WAIT_S)
    if lock is not None:
        _held.append(lock)
    return lock is not None


def end_compiling() -> None:
    """Release the lock: the kernel is cached, or does not compile."""
    while _held:
        _held.pop().release()
