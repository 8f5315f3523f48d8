"""Locks: held by one at a time, and lost with their holder."""

import errno
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from evenodds.system.locks import Lock, LockHeld, take_lock


@pytest.mark.processes
def test_a_lock_is_lost_with_its_process(tmp_path: Path) -> None:
    """However it ends; and a lock file that is left behind hinders nobody."""
    path = tmp_path / "lock"
    code = (
        "import sys, time; from pathlib import Path; from evenodds.system.locks import Lock;"
        f"lock = Lock(Path({str(path)!r})); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockHeld):
            Lock(path)
        holder.kill()
    assert path.exists()
    Lock(path).release()
    assert not path.exists()


def test_a_lock_is_never_held_twice(tmp_path: Path) -> None:
    inside: list[Lock] = []
    most: list[int] = []

    def visit(_: int) -> None:
        for _ in range(300):
            with suppress(LockHeld):
                lock = Lock(tmp_path / "lock")
                inside.append(lock)
                most.append(len(inside))
                inside.remove(lock)
                lock.release()

    with ThreadPoolExecutor(4) as crowd:
        list(crowd.map(visit, range(4)))
    assert set(most) == {1}


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    held = Lock(tmp_path / "lock")
    assert take_lock(held.path, 0.0) is None
    threading.Timer(0.1, held.release).start()
    found = take_lock(held.path, 300.0)
    assert found is not None
    found.release()
    (tmp_path / "file").touch()
    assert take_lock(tmp_path / "file" / "lock", 300.0) is None


def test_a_file_system_without_locks_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: int, wait: bool = False) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("evenodds.system.locks.hold", refuse)
    assert take_lock(tmp_path / "lock", 300.0) is None
