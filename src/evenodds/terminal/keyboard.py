"""What is typed: a line at a time, unseen where a pick is secret, echoed where input is a pipe."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from evenodds.terminal.screen import Screen
from evenodds.text import brief

try:
    import termios
except ImportError:  # Windows has no terminal modes; getpass does it there
    termios = None  # type: ignore[assignment]


Handler = Callable[[int, FrameType | None], Any]


class Keyboard:
    """Standard input. On a terminal it can be read without anything showing on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.terminal = sys.stdin.isatty()
        self._echoes = True
        self._prompt = ""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed in answer to a prompt; EOFError when there is none.

        On a terminal an unseen line leaves no trace: nothing is echoed from now until the next
        visible question, so what is typed ahead stays unseen too. In a pipe the line is shown
        behind its prompt, so that the dialog reads as in the rule book.
        """
        if self.terminal and unseen and termios is None:
            return self._read_by_getpass(prompt)
        self._echo(not unseen)
        self._prompt = prompt
        self.screen.ask(prompt)
        line = sys.stdin.readline()
        if not line.endswith("\n") or unseen or not self.terminal:
            shown = "" if self.terminal else brief(line.strip())
            self.screen.say(shown)
        if not line:
            raise EOFError
        return line

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While a match is played: whatever ends it, the terminal shows again what is typed."""
        before = {
            number: signal.signal(number, handler) for number, handler in self._handlers().items()
        }
        try:
            yield
        finally:
            self._echo(True)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handlers(self) -> dict[int, Handler]:
        """A terminal comes back from a pause with its own modes.

        Being ended must put them right.
        """

        def woken(number: int, frame: FrameType | None) -> None:
            echoes, self._echoes = self._echoes, not self._echoes
            self._echo(echoes)
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
