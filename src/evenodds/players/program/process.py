"""The process of an external program: its process group, timeouts, output limits."""

import atexit
import fcntl
import os
import select
import selectors
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

MAX_LINE_BYTES: Final = 64 << 10
"""How many bytes a program may say without a line break."""
MAX_OUTPUT_BYTES: Final = 1 << 20
MAX_OUTPUT_LINES: Final = 1000
"""How much a program may say between one question and the next."""

TERMINATE_TIMEOUT_S: Final = 0.5
"""Seconds between asking a process group to end and ending it."""
LIVENESS_CHECK_INTERVAL_S: Final = 0.1
"""Seconds after which a silent program is looked after: it may have left its output to a child."""
CLOSED_STREAM_EXIT_TIMEOUT_S: Final = 2.0
"""Seconds in which a program has ended that closed its streams because it was about to."""
STARTUP_POLL_INTERVAL_S: Final = 0.002
"""Seconds between two looks at a program that is being started."""
READ_CHUNK_BYTES: Final = 64 << 10

SHELL: Final = "/bin/sh"
WATCHDOG_SCRIPT: Final = 'read -r _; sleep 1; kill -9 "-$1"'
"""What a watchman does: wait for the end of this process, however it comes, and end a group."""


class ProgramExited(Exception):
    """The program has ended, or has closed its input or its output."""


class ProgramTimeout(Exception):
    """The time was over before the program was done."""


class OutputLimitExceeded(Exception):
    """The program says more than anyone can mean."""


class ProgramProcess:
    """A program that was started, alone in a process group with whatever it starts itself.

    Its streams are read only while it is listened to, so there is no thread, and whatever was said
    before a question is known to have been said before it.
    """

    def __init__(self, command: Sequence[str], greeting: str, log: Callable[[bytes], bool]) -> None:
        """Start a command and greet it.

        The log takes what comes on standard error, and says whether it wants more.
        """
        self._log = log
        self._heard = bytearray()
        self._flow = OutputCounter()
        self._selector = selectors.DefaultSelector()
        self._child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C is not for it, and its children are known
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._input, self._output = self._child.stdin, self._child.stdout
        self._errors = self._child.stderr
        self._watchman = _start_watchdog(self._child.pid)
        atexit.register(self.stop)
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._greeted = 0
        """Bytes of the greeting that lie in its pipe until it reads them."""
        with suppress(BrokenPipeError):  # found out when its start is waited for
            self._greeted = self._input.write(greeting.encode()) or 0  # a fresh pipe takes it whole

    def comes_up(self, deadline: float) -> bool:
        """Whether the program begins to listen or to talk; False where it ends before it does.

        One that does neither until a moment comes is given the benefit of the doubt.
        """
        try:
            while not self._is_read() and time.monotonic() < deadline:
                if self._listen(time.monotonic() + STARTUP_POLL_INTERVAL_S):
                    return True
                if self._child.poll() is not None or self._is_deaf():
                    raise ProgramExited
        except ProgramExited:
            with suppress(subprocess.TimeoutExpired):  # it may only have closed a stream
                self._child.wait(CLOSED_STREAM_EXIT_TIMEOUT_S)
                return self._is_read()
        except OutputLimitExceeded:
            pass  # found out at the first question
        return True

    def _is_read(self) -> bool:
        """Whether the program has read any of its greeting; True where nobody can tell."""
        if not self._greeted:
            return False  # it was gone by then
        try:
            told = fcntl.ioctl(self._input.fileno(), termios.FIONREAD, struct.pack("i", 0))
        except OSError:
            return True
        return int(struct.unpack("i", told)[0]) < self._greeted

    def send(self, message: str, deadline: float) -> None:
        """Send a message; what the program said before it was sent is no answer to it."""
        if self._input.closed:
            raise ProgramExited
        rest = message.encode()
        self._selector.register(self._input, selectors.EVENT_WRITE)
        try:
            while True:
                while self._listen(0):
                    pass
                self._heard.clear()
                rest = rest[self._write(rest) :]
                if not rest:
                    break
                self._listen_in_time(deadline)
        finally:
            self._selector.unregister(self._input)
        self._flow = OutputCounter()

    def receive(self, deadline: float) -> bytes:
        """The next line that the program says."""
        while b"\n" not in self._heard:
            self._listen_in_time(deadline)
        line, _, rest = self._heard.partition(b"\n")
        self._heard = rest
        return bytes(line)

    def stop(self, deadline: float = 0.0) -> None:
        """Let the program end by itself until a moment comes, then end it and all it started."""
        atexit.unregister(self.stop)
        if self._input.closed:
            return
        try:
            self._input.close()
            self._await_end(deadline)
            self._ask_group_to_end()
        finally:  # also when somebody is too impatient for the above
            self._signal(signal.SIGKILL)
            _stop_watchdog(self._watchman)  # before the group's number can become another's
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(TERMINATE_TIMEOUT_S)
            while self._take_errors():
                pass
            self._selector.close()
            for stream in (self._input, self._output, self._errors):
                stream.close()

    def _listen_in_time(self, deadline: float) -> None:
        gone = self._child.poll() is not None or self._is_deaf()
        if self._listen(deadline):  # asked after that: its last words may still come
            return
        if gone:
            raise ProgramExited
        if time.monotonic() >= deadline:
            raise ProgramTimeout

    def _is_deaf(self) -> bool:
        """Whether nobody can hear what is sent any more."""
        ear = select.poll()
        ear.register(self._input, 0)
        return bool(ear.poll(0))

    def _listen(self, deadline: float) -> bool:
        """Wait for the program until a moment comes; whether it has said anything."""
        wait = min(max(0.0, deadline - time.monotonic()), LIVENESS_CHECK_INTERVAL_S)
        ready = [key.fileobj for key, _ in self._selector.select(wait)]
        if self._errors in ready:
            self._take_errors()
        if self._output not in ready:
            return False
        chunk = self._output.read(READ_CHUNK_BYTES)
        if not chunk:
            raise ProgramExited
        self._flow.add(chunk)
        self._heard += chunk
        return True

    def _write(self, data: bytes) -> int:
        """Write as much as the program's input takes now."""
        try:
            return self._input.write(data) or 0
        except BrokenPipeError:
            raise ProgramExited from None

    def _take_errors(self) -> bool:
        """Hand on what has come on standard error; whether there may be more to hand on."""
        chunk = self._errors.read(READ_CHUNK_BYTES)
        if chunk == b"" and self._errors in self._selector.get_map():
            self._selector.unregister(self._errors)
        return bool(chunk) and self._log(chunk)

    def _await_end(self, deadline: float) -> None:
        with suppress(ProgramExited, OutputLimitExceeded):
            while time.monotonic() < deadline:
                self._listen(deadline)
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(max(0.0, deadline - time.monotonic()))

    def _ask_group_to_end(self) -> None:
        deadline = time.monotonic() + TERMINATE_TIMEOUT_S
        self._signal(signal.SIGTERM)
        while self._signal(0) and time.monotonic() < deadline:
            self._child.poll()
            time.sleep(0.01)

    def _signal(self, number: int) -> bool:
        """Send a signal to the whole group; whether there was anyone to receive it."""
        try:
            os.killpg(self._child.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _start_watchdog(group: int) -> "subprocess.Popen[bytes] | None":
    """Somebody who ends a process group a second after this process has ended, even by kill -9."""
    try:
        return subprocess.Popen(
            [SHELL, "-c", WATCHDOG_SCRIPT, "watchman", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None


def _stop_watchdog(watchman: "subprocess.Popen[bytes] | None") -> None:
    if watchman is not None and watchman.stdin is not None:
        watchman.kill()
        watchman.wait()
        watchman.stdin.close()


class OutputCounter:
    """How much a program has said since it was last asked."""

    def __init__(self) -> None:
        self._bytes = self._lines = self._open = 0

    def add(self, chunk: bytes) -> None:
        """Count what was said; `OutputLimitExceeded` when it is too much."""
        lengths = [len(part) for part in chunk.split(b"\n")]
        lengths[0] += self._open
        self._open = lengths[-1]
        self._lines += len(lengths) - 1
        self._bytes += len(chunk)
        if (
            max(lengths) > MAX_LINE_BYTES
            or self._lines > MAX_OUTPUT_LINES
            or self._bytes > MAX_OUTPUT_BYTES
        ):
            raise OutputLimitExceeded
