"""Line input from standard input: without echo for secret picks, echoed for pipes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol

from evenodds.system.text import brief
from evenodds.terminal.screen import Screen

try:
    import termios
except ImportError:  # Windows has no terminal modes; getpass does it there
    termios = None  # type: ignore[assignment]


SignalHandler = Callable[[int, FrameType | None], Any]


class InputInterrupter(Protocol):
    """What may call somebody away from the keyboard."""

    def fileno(self) -> int:
        """What can be read from when something has come."""

    def due(self) -> float | None:
        """Seconds until it may ring though nothing comes."""

    def rings(self) -> bool:
        """Take in what has come; whether it must be told now."""


class InputInterrupted(Exception):
    """The bell rang before a line was typed."""


class Keyboard:
    """Standard input. On a terminal it can be read without anything showing on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.terminal = sys.stdin.isatty()
        self._echoes = True
        self._prompt = ""
        """What is asked at the moment."""
        self._at_work = False
        self.bell: InputInterrupter | None = None
        """What is heeded on a terminal while a line is typed."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed in answer to a prompt; EOFError when there is none.

        `InputInterrupted` where something else happens first: what is typed so far stays.

        On a terminal an unseen line leaves no trace: nothing is echoed from now until the next
        visible question, so what is typed ahead stays unseen too. In a pipe the line is shown
        behind its prompt, so that the dialog reads as in the rule book.
        """
        if self.terminal and unseen and termios is None:
            return self._read_by_getpass(prompt)
        with self.at_work():
            self._echo(not unseen)
            self.screen.ask(prompt)
            line = self._answer(prompt)
        if not line.endswith("\n") or unseen or not self.terminal:
            shown = "" if self.terminal else brief(line.strip())
            self.screen.say(shown)
        if not line:
            raise EOFError
        return line

    def _answer(self, prompt: str) -> str:
        """The line typed behind a prompt, which is shown again after a pause."""
        self._prompt = prompt
        try:
            if self.bell and self._waits_for_both and self._rings_first(self.bell):
                raise InputInterrupted
            return sys.stdin.readline()
        finally:
            self._prompt = ""

    def overhear(self, bell: InputInterrupter) -> str:
        """A line typed while nothing is asked; none when the bell rings first.

        A pipe's lines are kept for what is asked.
        """
        self._echo(True)
        if self._rings_first(bell):
            return ""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    @property
    def _waits_for_both(self) -> bool:
        """Whether a line and the bell can be waited for at once; on Windows they cannot."""
        return self.terminal and os.name != "nt"

    def _rings_first(self, bell: InputInterrupter) -> bool:
        """Wait for the bell or a line, whichever comes first."""
        import select

        heeded: list[Any] = [bell, sys.stdin] if self._waits_for_both else [bell]
        while True:
            ready = select.select(heeded, [], [], bell.due())[0]
            if bell.rings():
                return True
            if sys.stdin in ready:
                return False

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While a match is played, or anything is asked.

        Whatever ends it, the terminal shows again what is typed.
        """
        if self._at_work:
            yield
            return
        before = {
            number: signal.signal(number, handler) for number, handler in self._handlers().items()
        }
        self._at_work = True
        try:
            yield
        finally:
            self._at_work = False
            self._echo(True)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handlers(self) -> dict[int, SignalHandler]:
        """A terminal comes back from a pause with its own modes.

        Being ended must put them right.
        """

        def woken(number: int, frame: FrameType | None) -> None:
            echoes, self._echoes = self._echoes, not self._echoes
            self._echo(echoes)
            if self._prompt:
                self.screen.ask(self._prompt)

        def ended(number: int, frame: FrameType | None) -> None:
            raise SystemExit(128 + number)

        named = {"SIGCONT": woken, "SIGTERM": ended, "SIGHUP": ended, "SIGQUIT": ended}
        return {
            getattr(signal, name): what for name, what in named.items() if hasattr(signal, name)
        }

    def _echo(self, on: bool) -> None:
        if termios is None or not self.terminal or on == self._echoes:
            return
        modes = termios.tcgetattr(sys.stdin)
        modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
        self._echoes = on

    def _read_by_getpass(self, prompt: str) -> str:
        from getpass import getpass

        return getpass(f"{prompt} ") + "\n"
