"""Line input from standard input: without echo for secret picks, echoed for pipes."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from evenodds.system.text import shorten
from evenodds.terminal.screen import Screen

Listen = Callable[[Any], bool]
"""Waits until something happens elsewhere (True), or a file can be read first."""


class InputInterrupted(Exception):
    """An event came before a line was typed."""


class Keyboard:
    """Standard input. On a terminal it can be read without anything showing on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.terminal = sys.stdin.isatty()
        self._echoes, self._restoring = True, False
        self._prompt = ""
        """The prompt on the screen, shown again after Ctrl-Z and fg."""
        self.listen: Listen | None = None
        """What may interrupt the input of a line on a terminal."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed in answer to a prompt; EOFError when there is none.

        `InputInterrupted` when an event comes first; what was typed so far is kept.

        On a terminal an unseen line leaves no trace: nothing is echoed from now until the next
        visible question, so what is typed ahead stays unseen too. In a pipe the line is shown
        behind its prompt, so that the dialog reads as in the rule book.
        """
        if self.terminal and unseen and sys.platform == "win32":
            from getpass import getpass

            return getpass(f"{prompt} ") + "\n"
        with self.restoring_terminal():
            self._echo(not unseen)
            self.screen.ask(prompt)
            self._prompt = prompt
            try:
                if self.listen and self._selectable and self.listen(self._selectable):
                    raise InputInterrupted
                line = sys.stdin.readline()
            finally:
                self._prompt = ""
        if not line.endswith("\n") or unseen or not self.terminal:
            self.screen.say("" if self.terminal else shorten(line.strip()))
        if not line:
            raise EOFError
        return line

    def read_unprompted(self, wait: Listen) -> str:
        """A line typed without a prompt; empty when something happens first.

        From a pipe nothing is read here: its lines are answers to prompts.
        """
        self._echo(True)
        if wait(self._selectable):
            return ""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    @property
    def _selectable(self) -> Any:
        """Standard input, where `select` can wait for it: on a terminal, and not on Windows."""
        return sys.stdin if self.terminal and sys.platform != "win32" else None

    @contextmanager
    def restoring_terminal(self) -> Iterator[None]:
        """Restore echo and signal handlers at the end, whatever ends the block.

        Reentrant: only the outermost block restores.
        """
        if self._restoring:
            yield
            return
        handlers = self._handlers().items()
        before = {number: signal.signal(number, handler) for number, handler in handlers}
        self._restoring = True
        try:
            yield
        finally:
            self._restoring = False
            self._echo(True)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handlers(self) -> dict[int, Callable[[int, Any], None]]:
        """Handlers that reapply the echo mode after SIGCONT, and exit cleanly on termination."""

        def resumed(number: int, frame: Any) -> None:
            # The shell has reset the modes: invert the cached one so that `_echo` sets it again.
            echoes, self._echoes = self._echoes, not self._echoes
            self._echo(echoes)
            if self._prompt:
                self.screen.ask(self._prompt)

        def terminated(number: int, frame: Any) -> None:
            raise SystemExit(128 + number)

        handlers = dict.fromkeys(("SIGTERM", "SIGHUP", "SIGQUIT"), terminated)
        handlers["SIGCONT"] = resumed
        known = [name for name in handlers if hasattr(signal, name)]  # Windows lacks some
        return {getattr(signal, name): handlers[name] for name in known}

    def _echo(self, on: bool) -> None:
        if sys.platform == "win32" or not self.terminal or on == self._echoes:
            return
        import termios

        modes = termios.tcgetattr(sys.stdin)
        modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO
        # TCSADRAIN, not TCSAFLUSH: lines typed ahead must not be lost.
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
        self._echoes = on
