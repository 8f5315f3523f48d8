"""The command in processes that have imported already what a server needs, which takes a second."""

import multiprocessing
import os
import subprocess
import sys
from multiprocessing.connection import Connection

from evenodds.cli import run
from tests.support.commands import UNMEASURED
from tests.support.paths import COMMAND

PREPARED = multiprocessing.get_context("forkserver")
IMPORTED = "evenodds.cli.entry evenodds.server.serve pydantic.main uvloop.loop uvicorn.loops.uvloop"
PREPARED.set_forkserver_preload([*IMPORTED.split(), __name__])


def can_fork(environment: dict[str, str]) -> bool:
    """Whether nothing is wanted that a process must know as it starts, as coverage is."""
    return "PYTHONPATH" not in environment and not any(map(os.environ.get, UNMEASURED))


class ForkedCommand:
    """What tests ask of `subprocess.Popen`."""

    def __init__(self, arguments: list[str], env: dict[str, str]) -> None:
        sys.audit("tests.forked")
        said, saying = PREPARED.Pipe(duplex=False)
        self._process = PREPARED.Process(target=_run, args=(saying, arguments, env), daemon=True)
        self._process.start()
        saying.close()
        self.stdout = os.fdopen(os.dup(said.fileno()))
        said.close()
        assert self._process.pid
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(COMMAND, timeout)
        return code

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


def _run(saying: Connection, arguments: list[str], env: dict[str, str]) -> None:
    for stream in (1, 2):
        os.dup2(saying.fileno(), stream)
    saying.close()
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [COMMAND, *arguments]
    run()
