"""A second process that computes ahead: where it is started, and how it ends."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from evenodds.system import second_process as second
from tests.support.waiting import wait_until


@pytest.mark.processes
def test_it_is_started_once_and_ends_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_CORES", "2")
    second.start_second_process("wait", "time", "sleep(600)")
    assert not second._processes
    with second.second_process():
        for _ in range(2):
            second.start_second_process("wait", "time", "sleep(600)")
            second.start_second_process("end", "os", "_exit(3)")
        waiting, ending = second._processes.values()
        assert ending.wait() == 3
        assert waiting.poll() is None
    assert waiting.returncode is not None
    assert not second._processes


def test_there_is_none_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_CORES", "1")
    with second.second_process():
        second.start_second_process("wait", "time", "sleep(600)")
        assert not second._processes


@pytest.mark.processes
def test_it_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    program = (
        "import time; from evenodds.system import second_process as second; "
        "allowed = second.second_process(); allowed.__enter__(); "
        "second.start_second_process('wait', 'time', 'sleep(600)'); "
        f"open({str(told)!r}, 'w').write(f'{{second._processes[\"wait\"].pid}}.'); time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "EVENODDS_CORES": "2"}
    )
    wait_until(lambda: told.exists() and told.read_text().endswith("."))
    child = int(told.read_text().rstrip("."))
    parent.kill()
    parent.wait()

    def has_ended() -> bool:
        try:
            return bool(psutil.Process(child).status() == psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return True

    wait_until(has_ended)
