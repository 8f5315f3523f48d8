"""A player that is an external program, spoken to in lines of JSON.

`docs/protocol.md` specifies the messages, and what happens to a program that violates them.
"""

import json
import os
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evenodds.core.record import View, result_as_data, view_as_data
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, Seat
from evenodds.players.player import CannotPlay, Forfeit, Player, pick_timeout_message
from evenodds.players.program_process import SHELL, OutputLimitExceeded, ProgramProcess
from evenodds.system.files import open_private, private_folder
from evenodds.system.text import printable, shorten

PROTOCOL_VERSION: Final = 1
EXIT_TIMEOUT_S: Final = 1.0
"""Seconds that a program has to exit by itself when the match is over."""

MAX_LOG_BYTES: Final = 1 << 20
MAX_STDERR_TAIL_CHARACTERS: Final = 300
"""Characters of the last error output that are shown."""
MAX_LOG_FILES: Final = 50
"""The number of log files kept; the oldest are deleted."""
LOG_FULL_NOTICE: Final = b"\n(The log is full; what came after this was not kept.)\n"


class BadProgramAnswer(Exception):
    """A line that is no legal pick: what is wrong with it, and the line."""

    def __init__(self, problem: str, line: bytes) -> None:
        super().__init__(problem)
        self.line = line


class ProgramPlayer(Player):
    """A program in a seat; started at once, so that one that cannot be started is refused."""

    def __init__(
        self,
        command: str,
        terms: Terms,
        seat: Seat,
        seconds: float,
        exit_timeout_s: float = EXIT_TIMEOUT_S,
        shell: str = SHELL,
    ) -> None:
        self._terms = terms
        self._seat = seat
        self._seconds = seconds
        self._exit_timeout_s = exit_timeout_s
        self._shell = shell
        self._log = _StderrLog(str(SEAT_NAMES[seat]))
        self._restarted = False
        try:
            self._command = shlex.split(command)
            self._process = self._start_until_ready()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise CannotPlay(f"the program {shorten(command)} cannot be started: {why}") from None

    def pick(self, view: View) -> int:
        """The program's number; `Forfeit` on timeout, too much output, or two bad answers."""
        try:
            return self._answer(view, time.monotonic() + self._seconds)
        except TimeoutError:
            problem = pick_timeout_message(self._seconds)
        except OutputLimitExceeded:
            problem = "flooded its output"
        except BadProgramAnswer as error:
            shown = shorten(error.line.decode(errors="replace"))
            problem = f'was asked twice and gave no legal number; its last answer was "{shown}"'
        raise self._forfeit(problem)

    def leave(self, view: View) -> None:
        """Send the result, and stop the program with all processes that it started."""
        deadline = time.monotonic() + self._exit_timeout_s
        result = _line("result", result_as_data(view.result)) if view.result else ""
        try:
            with suppress(BrokenPipeError, OutputLimitExceeded, TimeoutError):
                self._process.send(result + _line("bye"), deadline)
        finally:
            self._process.stop(deadline)

    def _answer(self, view: View, deadline: float) -> int:
        """A legal number; after one bad answer the program is asked once more."""
        try:
            return self._ask(self._view_line(view), view, deadline)
        except BadProgramAnswer as error:
            problem = {"problem": str(error), "legal": list(view.choices)}
            return self._ask(_line("error", problem), view, deadline)

    def _ask(self, message: str, view: View, deadline: float) -> int:
        """The answer to a message; a program that crashes is restarted once and sent the view."""
        try:
            self._process.send(message, deadline)
            while True:
                answer = parse_answer(self._process.receive(deadline), self._terms, view)
                if answer is not None:
                    return answer
        except BrokenPipeError:
            self._start_again()
            return self._ask(self._view_line(view), view, deadline)

    def _view_line(self, view: View) -> str:
        return _line("view", view_as_data(view, self._terms.game.words))

    def _start_until_ready(self) -> ProgramProcess:
        """Start the program until it is ready; one that exits at once is started once more."""
        while True:
            started, ready = self._start(), False
            try:
                ready = started.wait_until_ready(time.monotonic() + self._seconds)
            finally:  # also after Ctrl-C
                if not ready:
                    started.stop()
            if ready:
                return started
            if self._restarted:
                last_line = self._log.last_line()
                words = f", with the words: {last_line}" if last_line else ""
                raise OSError(f"it ended at once{words}")
            self._restarted = True

    def _start(self) -> ProgramProcess:
        if sys.platform == "win32":
            raise OSError("programs can play on Linux and macOS only")
        hello = {
            "protocol": PROTOCOL_VERSION,
            "game": self._terms.game.name,
            "rulings": as_data(self._terms.rulings),
            "seat": SEAT_NAMES[self._seat],
            "players": [self._terms.names[seat] for seat in SEATS],
            "seconds": self._seconds,
        }
        return ProgramProcess(self._command, _line("hello", hello), self._log.write, self._shell)

    def _start_again(self) -> None:
        """Restart the program, once in a match."""
        self._process.stop()
        if self._restarted:
            raise self._forfeit("ended before its pick, and did so again after a new start")
        self._restarted = True
        try:
            self._process = self._start()
        except OSError as error:
            raise self._forfeit(f"ended and cannot be started again: {error.strerror}") from None

    def _forfeit(self, problem: str) -> Forfeit:
        """A forfeit with the path of the log, if there is one."""
        log = self._log.path
        return Forfeit(f"the program {problem}", f"its log is {printable(str(log))}" if log else "")


def parse_answer(line: bytes, terms: Terms, view: View) -> int | None:
    """The legal number in a line; None for an answer to another round."""
    assert view.seat is not None
    allowed = ", ".join(map(str, view.choices))
    try:
        answer = json.loads(line.decode())
    except (ValueError, RecursionError):
        answer = None
    is_pick = isinstance(answer, dict) and answer.get("type") == "pick"
    number = answer.get("number") if is_pick else None
    if type(number) is not int:  # not isinstance: a bool is an int
        shown = shorten(line.decode(errors="replace"))
        pattern = f'{{"type": "pick", "number": N}}, N being one of {allowed}'
        raise BadProgramAnswer(f"this is not a pick: {shown}; allowed: {pattern}", line)
    round = answer.get("round")
    if type(round) is int and round != view.round:
        return None
    if number not in view.choices:
        why = terms.game.words.refused(view.state, view.seat, number)
        raise BadProgramAnswer(f"{why}; allowed: {allowed}", line)
    return number


class _StderrLog:
    """The log file of a program's standard error, created with the first output."""

    def __init__(self, seat_name: str) -> None:
        self.path: Path | None = None
        self._seat_name = seat_name
        self._bytes_left = MAX_LOG_BYTES
        self._tail = b""

    def write(self, chunk: bytes) -> bool:
        """Append what fits; whether there is room for more. Write errors end the log silently."""
        self._tail = (self._tail + chunk)[-MAX_STDERR_TAIL_CHARACTERS:]
        if self._bytes_left < 0:
            return False
        fitting = chunk[: self._bytes_left]
        self._bytes_left -= len(chunk)
        try:
            path = self.path or self._new_path()
            with open(open_private(path), "wb") as log:
                log.write(fitting if self._bytes_left >= 0 else fitting + LOG_FULL_NOTICE)
            self.path = path
        except OSError:
            self._bytes_left = -1
        return self._bytes_left >= 0

    def last_line(self) -> str:
        lines = [line.strip() for line in self._tail.decode(errors="replace").splitlines()]
        return shorten(next(filter(None, reversed(lines)), ""), MAX_STDERR_TAIL_CHARACTERS)

    def _new_path(self) -> Path:
        """The path of a new log, after deleting the oldest ones."""
        folder = private_folder("programs")
        for old in sorted(folder.glob("[0-9]*-[0-9]*-*.log"))[: 1 - MAX_LOG_FILES]:
            with suppress(OSError):
                old.unlink()
        now = time.strftime("%Y-%m-%d-%H%M%S")
        return folder / f"{now}-{os.getpid()}-{self._seat_name}.log"


def _line(kind: str, data: dict[str, Any] | None = None) -> str:
    return json.dumps({"type": kind, **(data or {})}) + "\n"
