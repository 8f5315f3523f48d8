"""File locks between processes, released when the process ends.

Not `filelock`: on Unix it leaves its files behind, and its import takes longer than these lines.
"""

import os
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from evenodds.system.files import open_private


class LockHeld(OSError):
    """Another process holds the lock."""


class Lock(AbstractContextManager["Lock"]):
    """A held lock; `release`, or the end of a `with` block, gives it up and removes its file.

    `LockHeld` when another process holds it, unless we wait.
    """

    def __init__(self, path: Path, wait: bool = False) -> None:
        self.path = path
        while True:
            self._file = open_private(path)
            try:
                hold(self._file, wait)
            except OSError as error:
                os.close(self._file)
                raise LockHeld(f"{path} is held by another process") from error
            with suppress(FileNotFoundError):  # the last holder may have removed it meanwhile
                if os.path.samestat(os.fstat(self._file), os.stat(path)):
                    return
            os.close(self._file)

    def release(self) -> None:
        """Release the lock."""
        # Before it is closed: otherwise another process could lock a file that is then removed.
        with suppress(OSError):  # Windows does not remove an open file; an empty one may stay
            self.path.unlink()
        os.close(self._file)

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """Whether a process holds a lock; a file that was left by one that was killed is removed."""
    try:
        Lock(path).release()
    except OSError:
        return True
    return False


def hold(file: int, wait: bool = False) -> None:
    """Lock an open file until it is closed.

    OSError when another process has it and we do not wait.
    """
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                break
            except OSError:
                if not wait:  # which gives up after ten seconds
                    raise
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
