"""The command in a process of its own, forked from one that has imported it already.

To import the command and the server takes longer than most tests need them for. One process for
each worker of the tests has done so, and forks a process for each command: that has arguments, an
environment, streams and signals of its own, and ends like any other. What a test says of the start
itself it says of the program.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

COMMAND: Final = str(Path(sys.executable).with_name("evenodds"))
LIMIT: Final = "prlimit"
LIMITED: Final = 2
"""A program that starts another with fewer files, `--nofile=300`, and where it names that."""
MEASURED: Final = "COVERAGE_PROCESS_CONFIG"
"""A variable that has coverage measured in every process that is started, and in no other."""
IMPORTED: Final = (
    "evenodds.cli.entry",
    "evenodds.cli.play",
    "evenodds.cli.serve",
    "evenodds.server.serve",
    "evenodds.engine.solve",
    "evenodds.table.remote",
    "litestar.plugins.pydantic",
    "uvicorn.lifespan.on",
    "uvloop",
)
MAX_REQUEST_BYTES: Final = 1 << 17
READ_LATE: Final = ("EVENODDS_", "PYTEST_", "TERM", "COLUMNS", "LINES", "NO_COLOR")
"""How the names of variables begin that nothing reads before the command runs."""


@cache
def _forker() -> tuple[socket.socket, dict[str, str]]:
    """The process that forks, with its environment; it ends when nobody can ask it any more."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = dict(os.environ)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=Path(__file__).parents[2],
            env=environment,
            pass_fds=[theirs.fileno()],
        )
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours, environment


def start(
    arguments: list[str], environment: dict[str, str], **given: Any
) -> "subprocess.Popen[Any]":
    """Start a program: forked, where it is the command and begins as the one that forks did."""
    is_ours = arguments[LIMITED if arguments[0] == LIMIT else 0] == COMMAND
    forks = sys.platform == "linux" and is_ours and MEASURED not in os.environ
    kind = Forked if forks and _begins_alike(environment) else subprocess.Popen
    return kind(arguments, env=environment, **given)


def _begins_alike(environment: dict[str, str]) -> bool:
    """Whether nothing that is read before the command runs differs from the process that forks."""
    known = _forker()[1]
    names = (name for name in known | environment if not name.startswith(READ_LATE))
    return all(known.get(name, "") == environment.get(name, "") for name in names)


class Forked(subprocess.Popen[Any]):
    """A process that was forked: a child of another, which tells how it has ended."""

    def _execute_child(self, args: list[str], *given: Any) -> None:
        environment, pipes = given[5], given[9:15]
        stdin, _, _, stdout, _, stderr = pipes
        sys.audit("subprocess.Popen", args[0], args, None, environment)
        streams = [own if fd == -1 else fd for own, fd in enumerate((stdin, stdout, stderr))]
        self._told, telling = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with telling:
            request = json.dumps([args, environment, os.getcwd()]).encode()
            socket.send_fds(_forker()[0], [request], [*streams, telling.fileno()])
        self.pid = int(self._told.recv(20))
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def poll(self) -> int | None:
        return self._exit_code(0)

    def wait(self, timeout: float | None = None) -> int:
        if self._exit_code(timeout) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self.returncode

    def _exit_code(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            self._told.settimeout(timeout)
            try:
                self.returncode = int(self._told.recv(20))
            except (BlockingIOError, TimeoutError):
                return None
            self._told.close()
        return self.returncode


def main(control: socket.socket) -> None:
    for name in IMPORTED:
        import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    children = 0
    while True:
        request, fds, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, 4)
        while children and os.waitpid(-1, os.WNOHANG)[0]:
            children -= 1
        if not request:
            return
        if not os.fork():
            break
        children += 1
        for fd in fds:
            os.close(fd)
    control.close()
    *streams, told = fds
    pid = os.fork()
    if pid:
        _tell(pid, told, streams)
    os.close(told)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _run(json.loads(request), streams)


def _tell(pid: int, told: int, streams: list[int]) -> NoReturn:
    """Tell of a process, and how it has ended; it is killed when nobody can be told any more."""
    for fd in streams:
        os.close(fd)
    os.write(told, str(pid).encode())
    with suppress(OSError):  # without descriptors of processes it outlives a test that is killed
        ended = os.pidfd_open(pid)
        if ended not in select.select([ended, told], [], [])[0]:  # the other end is closed
            os.kill(pid, signal.SIGKILL)
    with suppress(BrokenPipeError):
        os.write(told, str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
    os._exit(0)


def _run(request: Any, streams: list[int]) -> NoReturn:
    import resource

    from evenodds.cli import run

    sys.argv, environment, folder = request
    if sys.argv[0] == LIMIT:
        files = int(sys.argv[1].rpartition("=")[2])
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        del sys.argv[:LIMITED]
    for own, (fd, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(fd, own)
        os.close(fd)
        before = getattr(sys, name)
        how = {"encoding": before.encoding, "errors": before.errors, "closefd": False}
        after = open(own, before.mode, 1 if name == "stderr" else -1, **how)  # noqa: SIM115
        setattr(sys, name, after)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    try:
        run()
    except SystemExit as end:  # as Python does, but for taking all modules apart
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(int(end.code or 0))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
