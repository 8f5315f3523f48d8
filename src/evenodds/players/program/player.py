"""A player that is an external program, spoken to in lines of JSON.

`docs/protocol.md` says what the lines hold, and what becomes of a program that breaks the rules.
"""

import json
import os
import shlex
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evenodds.core.match import Match
from evenodds.core.record import View
from evenodds.core.rulings import as_data
from evenodds.core.serialization import SEAT_NAMES, result_as_data, view_as_data
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, SEATS, Seat
from evenodds.players.player import CannotPlay, Forfeit, Player, pick_timeout_message
from evenodds.players.program.process import (
    OutputLimitExceeded,
    ProgramExited,
    ProgramProcess,
    ProgramTimeout,
)
from evenodds.system.files import open_private
from evenodds.system.paths import private_folder
from evenodds.system.text import brief, printable

PROTOCOL_VERSION: Final = 1
EXIT_TIMEOUT_S: Final = 1.0
"""Seconds that a program has to end by itself when the match is over."""

MAX_LOG_BYTES: Final = 1 << 20
MAX_STDERR_TAIL_CHARACTERS: Final = 300
"""Characters of what a program said last that are told."""
MAX_LOG_FILES: Final = 50
"""How many logs are kept."""
LOG_FULL_NOTICE: Final = b"\n(The log is full; what came after this was not kept.)\n"


class BadProgramAnswer(Exception):
    """A line that is no legal pick: what is wrong with it, and the line."""

    def __init__(self, problem: str, line: bytes) -> None:
        super().__init__(problem)
        self.line = line


class ProgramPlayer(Player):
    """A program in a seat; it is started at once, so that one that cannot be is refused."""

    def __init__(self, command: str, terms: Terms, seat: Seat, seconds: float) -> None:
        self._terms = terms
        self._seat = seat
        self._seconds = seconds
        self._log = StderrLog(str(SEAT_NAMES[seat]))
        self._crashed = False
        try:
            self._command = shlex.split(command)
            self._process = self._come()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise CannotPlay(f"the program {brief(command)} cannot be started: {why}") from None

    def pick(self, view: View) -> int:
        """The program's number; `Forfeit` when it has used up its time or our patience."""
        try:
            return self._answer(view, time.monotonic() + self._seconds)
        except ProgramTimeout:
            problem = pick_timeout_message(self._seconds)
        except OutputLimitExceeded:
            problem = "flooded its output"
        except BadProgramAnswer as error:
            said = brief(error.line.decode(errors="replace"))
            problem = f'was asked twice and gave no legal number; its last answer was "{said}"'
        raise self._forfeit(problem)

    def leave(self, view: View) -> None:
        """Tell the program how it ended, and see it off with all that it has started."""
        deadline = time.monotonic() + EXIT_TIMEOUT_S
        result = _line("result", result_as_data(view.result)) if view.result else ""
        try:
            with suppress(OutputLimitExceeded, ProgramExited, ProgramTimeout):
                self._process.send(result + _line("bye"), deadline)
        finally:
            self._process.stop(deadline)

    def _answer(self, view: View, deadline: float) -> int:
        """A legal number; one bad answer is explained, and asked once more."""
        try:
            return self._ask(_line("view", view_as_data(view)), view, deadline)
        except BadProgramAnswer as error:
            problem = {"problem": str(error), "legal": list(view.choices)}
            return self._ask(_line("error", problem), view, deadline)

    def _ask(self, message: str, view: View, deadline: float) -> int:
        """What the program answers; one that crashes is started once more and shown the view."""
        try:
            self._process.send(message, deadline)
            while True:
                line = self._process.receive(deadline)
                answer = self._read(line, view)
                if answer is not None:
                    return answer
        except ProgramExited:
            self._start_again()
            return self._ask(_line("view", view_as_data(view)), view, deadline)

    def _read(self, line: bytes, view: View) -> int | None:
        """The legal number in a line; nothing where the line answers another round's question."""
        allowed = ", ".join(map(str, view.choices))
        try:
            answer = json.loads(line.decode())
        except (ValueError, RecursionError):
            answer = None
        number = answer.get("number") if _is_pick(answer) else None
        if type(number) is not int:  # a bool is an int too, and no number
            said = brief(line.decode(errors="replace"))
            pattern = f'{{"type": "pick", "number": N}}, N being one of {allowed}'
            raise BadProgramAnswer(f"this is not a pick: {said}; allowed: {pattern}", line)
        round = answer.get("round")
        if type(round) is int and round != view.round:
            return None
        if number not in view.choices:
            why = self._terms.game.words.refusal(view.state, self._seat, number)
            raise BadProgramAnswer(f"{brief(number)} is {why}; allowed: {allowed}", line)
        return number

    def _come(self) -> ProgramProcess:
        """Start the program and see it come up; one that ends at once is started once more."""
        while True:
            process = self._start()
            try:
                if process.comes_up(time.monotonic() + self._seconds):
                    return process
            except BaseException:  # somebody will not wait for it
                process.stop()
                raise
            process.stop()
            if self._crashed:
                words = self._log.last_words()
                raise OSError(f"it ended at once{f', with the words: {words}' if words else ''}")
            self._crashed = True

    def _start(self) -> ProgramProcess:
        """Start the program and tell it what is played."""
        if os.name != "posix":  # pragma: no cover - only there
            raise OSError("programs can play on Linux and macOS only")
        hello = {
            "protocol": PROTOCOL_VERSION,
            "game": self._terms.game.name,
            "rulings": as_data(self._terms.rulings),
            "seat": SEAT_NAMES[self._seat],
            "players": [self._terms.names[seat] for seat in SEATS],
            "seconds": self._seconds,
        }
        return ProgramProcess(self._command, _line("hello", hello), self._log.take)

    def _start_again(self) -> None:
        """Start the program anew, once in a match."""
        self._process.stop()
        if self._crashed:
            raise self._forfeit("ended before its pick, and did so again after a new start")
        self._crashed = True
        try:
            self._process = self._start()
        except OSError as error:
            raise self._forfeit(f"ended and cannot be started again: {error.strerror}") from None

    def _forfeit(self, problem: str) -> Forfeit:
        """What the program did, and where to find what it said about it."""
        log = self._log.path
        where = f"its log is {printable(str(log))}" if log else ""
        return Forfeit(f"the program {problem}", where)


def check_start(command: str, terms: Terms, seconds: float) -> None:
    """`CannotPlay` where a program does not come up."""
    player = ProgramPlayer(command, terms, FIRST, seconds)
    player.leave(Match(terms).view(FIRST))


class StderrLog:
    """What a program says on standard error: a file for its user, made when there is something."""

    def __init__(self, owner: str) -> None:
        self.path: Path | None = None
        self._owner = owner
        self._room = MAX_LOG_BYTES
        self._end = b""

    def take(self, chunk: bytes) -> bool:
        """Keep what fits, or nothing where nothing can be kept; whether there is room for more."""
        self._end = (self._end + chunk)[-MAX_STDERR_TAIL_CHARACTERS:]
        if self._room < 0:
            return False
        kept = chunk[: self._room]
        self._room -= len(chunk)
        try:
            path = self.path or self._place()
            with open(open_private(path), "wb") as log:
                log.write(kept if self._room >= 0 else kept + LOG_FULL_NOTICE)
            self.path = path
        except OSError:
            self._room = -1
        return self._room >= 0

    def last_words(self) -> str:
        """The last line that says anything."""
        said = [line.strip() for line in self._end.decode(errors="replace").splitlines()]
        return brief(next(filter(None, reversed(said)), ""), MAX_STDERR_TAIL_CHARACTERS)

    def _place(self) -> Path:
        """A path for a new log; the oldest make room for it."""
        folder = private_folder("programs")
        for old in sorted(folder.glob("[0-9]*-[0-9]*-*.log"))[: 1 - MAX_LOG_FILES]:
            with suppress(OSError):
                old.unlink()
        now = time.strftime("%Y-%m-%d-%H%M%S")
        return folder / f"{now}-{os.getpid()}-{self._owner}.log"


def _is_pick(answer: Any) -> bool:
    return isinstance(answer, dict) and answer.get("type") == "pick"


def _line(kind: str, data: dict[str, Any] | None = None) -> str:
    """A message as the program gets it."""
    return json.dumps({"type": kind, **(data or {})}) + "\n"
