"""Locks: held by one at a time, and lost with their holder."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from evenodds.system.locks import Lock, LockHeld


@pytest.mark.processes
def test_a_lock_is_lost_with_its_process(tmp_path: Path) -> None:
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
