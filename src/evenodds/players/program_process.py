"""The process of an external program: its process group, timeouts, output limits."""

import atexit
import os
import select
import selectors
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Final, cast

MAX_LINE_BYTES: Final = 64 << 10
MAX_OUTPUT_BYTES: Final = 1 << 20
MAX_OUTPUT_LINES: Final = 1000
"""The output that is allowed between one request and the next."""

TERMINATE_TIMEOUT_S: Final = 0.5
"""Seconds between SIGTERM and SIGKILL to the process group."""
LIVENESS_CHECK_INTERVAL_S: Final = 0.1
"""Seconds between checks that a silent program is alive: a child may hold its output open."""
CLOSED_STREAM_EXIT_TIMEOUT_S: Final = 2.0
"""Seconds in which a program that closed its streams on exit has ended."""
STARTUP_POLL_INTERVAL_S: Final = 0.002
"""Seconds between two checks of a program that is being started."""
READ_CHUNK_BYTES: Final = 64 << 10
SIGKILL: Final = 9
"""As `signal` has it, but on Windows."""
SHELL: Final = "/bin/sh"
WATCHDOG_SCRIPT: Final = 'read -r _; sleep 1; kill -9 "-$1"'
"""The watchdog: its standard input ends with this process, however that ends; then it kills."""


class OutputLimitExceeded(Exception):
    """The program wrote more than is allowed."""


class ProgramProcess:
    """A running program, in a process group of its own with all processes that it starts.

    Its streams are read only while a caller waits for it, without a thread. So output that came
    before a request is known to have come before it, and is no answer to it. `BrokenPipeError` says
    that the program has ended, or has closed its input or output; `TimeoutError`, that it is late.
    """

    def __init__(
        self,
        command: Sequence[str],
        greeting: str,
        log: Callable[[bytes], bool],
        shell: str = SHELL,
    ) -> None:
        """Start a command and send the greeting.

        `log` gets the standard error, and returns whether it takes more.
        """
        self._log = log
        self._buffer = bytearray()
        self._output_counter = OutputCounter()
        self._selector = selectors.DefaultSelector()
        self._child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C does not reach it, and killpg reaches its children
        )
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._streams = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)
        self._input, self._output, self._errors = self._streams
        self._watchdog = _start_watchdog(self._child.pid, shell)
        atexit.register(self.stop)
        for stream in self._streams:
            if sys.platform != "win32":  # where nothing starts a program
                os.set_blocking(stream.fileno(), False)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._greeting_bytes = 0
        """Bytes of the greeting in the pipe; fewer there later mean that it has read."""
        with suppress(BrokenPipeError):  # wait_until_ready reports it
            # Written as a whole: it fits into an empty pipe.
            self._greeting_bytes = self._input.write(greeting.encode()) or 0

    def wait_until_ready(self, deadline: float) -> bool:
        """Whether the program reads its input or writes; False where it exits before.

        True also for one that does neither before the deadline: it may be slow to start.
        """
        try:
            while not self._greeting_read() and time.monotonic() < deadline:
                if self._poll(time.monotonic() + STARTUP_POLL_INTERVAL_S):
                    return True
                if self._child.poll() is not None or self._input_closed():
                    raise BrokenPipeError
        except BrokenPipeError:
            with suppress(subprocess.TimeoutExpired):  # it may have closed a stream only
                self._child.wait(CLOSED_STREAM_EXIT_TIMEOUT_S)
                return self._greeting_read()
        except OutputLimitExceeded:
            pass  # reported at the first request
        return True

    def _greeting_read(self) -> bool:
        """Whether the program has read any of its greeting; True where that cannot be known."""
        if not self._greeting_bytes:
            return False  # it had exited by then
        if sys.platform == "win32":
            return True
        import fcntl
        import termios

        try:
            pending = fcntl.ioctl(self._input.fileno(), termios.FIONREAD, struct.pack("i", 0))
        except OSError:
            return True
        return int(struct.unpack("i", pending)[0]) < self._greeting_bytes

    def send(self, message: str, deadline: float) -> None:
        """Send a message; output from before it is discarded, since it cannot be the answer."""
        if self._input.closed:
            raise BrokenPipeError
        rest = message.encode()
        self._selector.register(self._input, selectors.EVENT_WRITE)
        try:
            while True:
                while self._poll(0):
                    pass
                self._buffer.clear()
                rest = rest[self._input.write(rest) or 0 :]
                if not rest:
                    break
                self._poll_before(deadline)
        finally:
            self._selector.unregister(self._input)
        self._output_counter = OutputCounter()

    def receive(self, deadline: float) -> bytes:
        """The next line of output."""
        while b"\n" not in self._buffer:
            self._poll_before(deadline)
        line, _, rest = self._buffer.partition(b"\n")
        self._buffer = rest
        return bytes(line)

    def stop(self, deadline: float = 0.0) -> None:
        """Let the program exit by itself until the deadline, then kill its process group."""
        atexit.unregister(self.stop)
        if self._input.closed:
            return
        try:
            self._input.close()
            with suppress(BrokenPipeError, OutputLimitExceeded):
                while time.monotonic() < deadline:
                    self._poll(deadline)
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(max(0.0, deadline - time.monotonic()))
            self._terminate_group()
        finally:  # also after a second Ctrl-C during the above
            self._signal(SIGKILL)
            if self._watchdog is not None:
                self._watchdog.kill()  # before the group ID can be reused
                self._watchdog.communicate()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(TERMINATE_TIMEOUT_S)
            while self._read_errors():
                pass
            self._selector.close()
            for stream in self._streams:
                stream.close()

    def _poll_before(self, deadline: float) -> None:
        gone = self._child.poll() is not None or self._input_closed()
        if self._poll(deadline):  # after the check: its last output may still come
            return
        if gone:
            raise BrokenPipeError
        if time.monotonic() >= deadline:
            raise TimeoutError

    def _input_closed(self) -> bool:
        """Whether the reading end of its standard input is closed."""
        if sys.platform == "win32":
            return False
        poller = select.poll()
        poller.register(self._input, 0)
        return bool(poller.poll(0))

    def _poll(self, deadline: float) -> bool:
        """Wait for output until the deadline; whether there was any."""
        wait = min(max(0.0, deadline - time.monotonic()), LIVENESS_CHECK_INTERVAL_S)
        ready = [key.fileobj for key, _ in self._selector.select(wait)]
        if self._errors in ready:
            self._read_errors()
        if self._output not in ready:
            return False
        chunk = self._output.read(READ_CHUNK_BYTES)
        if not chunk:
            raise BrokenPipeError
        self._output_counter.add(chunk)
        self._buffer += chunk
        return True

    def _read_errors(self) -> bool:
        """Pass standard error to the log; whether there may be more."""
        chunk = self._errors.read(READ_CHUNK_BYTES)
        if chunk == b"" and self._errors in self._selector.get_map():
            self._selector.unregister(self._errors)
        return bool(chunk) and self._log(chunk)

    def _terminate_group(self) -> None:
        deadline = time.monotonic() + TERMINATE_TIMEOUT_S
        self._signal(signal.SIGTERM)
        while self._signal(0) and time.monotonic() < deadline:
            self._child.poll()
            time.sleep(0.01)

    def _signal(self, number: int) -> bool:
        """Send a signal to the process group; whether any process of it is left."""
        if sys.platform == "win32":
            return False
        try:
            os.killpg(self._child.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _start_watchdog(group: int, shell: str) -> "subprocess.Popen[bytes] | None":
    """A process that kills a process group a second after this one has ended, even by kill -9."""
    with suppress(OSError):
        return subprocess.Popen(
            [shell, "-c", WATCHDOG_SCRIPT, "watchman", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    return None


class OutputCounter:
    """The output of a program since the last request."""

    def __init__(self) -> None:
        self._bytes = self._lines = self._line_bytes = 0

    def add(self, chunk: bytes) -> None:
        """Count output; `OutputLimitExceeded` when it is too much."""
        lengths = [len(part) for part in chunk.split(b"\n")]
        lengths[0] += self._line_bytes
        self._line_bytes = lengths[-1]
        self._lines += len(lengths) - 1
        self._bytes += len(chunk)
        much = self._lines > MAX_OUTPUT_LINES or self._bytes > MAX_OUTPUT_BYTES
        if much or max(lengths) > MAX_LINE_BYTES:
            raise OutputLimitExceeded
