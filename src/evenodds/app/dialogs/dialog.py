"""The dialog of a match in a thread: its keyboard and screen, connected to a screen of the app.

The thread reads lines, as it would from a terminal; the app types them. What the thread says
arrives at the app as messages. A pick that is not revealed is only in the line that was typed.
"""

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from evenodds.app.dialogs.messages import (
    DialogEnded,
    PanelFilled,
    Post,
    Progressed,
    Questioned,
    Said,
)
from evenodds.core.board import Board
from evenodds.system.errors import EvenOddsError
from evenodds.terminal.keyboard import InputInterrupted, InputInterrupter, Keyboard
from evenodds.terminal.play.commands import QuitMatch
from evenodds.terminal.progress_bar import REPORT_TO
from evenodds.terminal.screen import Screen, fit_board

PANEL_COLUMNS: Final = 72
PANEL_FRAME_COLUMNS: Final = 6
REPORT_INTERVAL_S: Final = 0.3
LEAVE_TIMEOUT_S: Final = 2.0
"""How long a dialog is waited for when a match is left; every pick is saved before that."""
LEAVE_STEP_S: Final = 0.1
"""How long, where it computes."""


class DialogScreen(Screen):
    """The screen of a dialog: lines go to the log, or while a panel is filled, into it."""

    how_to_change_rulings = 'before a match: press Enter on a game, then "Change the rules"'

    def __init__(self, post: Post) -> None:
        super().__init__()
        self.post = post
        self._panel_columns = PANEL_COLUMNS
        self.farewell: list[str] = []
        """What is said in the terminal later: how to go on with the match."""
        self.leaving = False
        self.computing = self.cancelled = False
        self._panel: list[RenderableType] | None = None
        self._legend = ""
        self._notice = self._refusal = False
        self._reported_at = time.monotonic()

    @property
    def columns(self) -> int:
        """The width of a panel."""
        return self._panel_columns

    def fit(self, window_columns: int) -> None:
        """Fit panels into a window."""
        self._panel_columns = min(PANEL_COLUMNS, window_columns - PANEL_FRAME_COLUMNS)

    def say(self, *lines: str) -> None:
        """Add lines to the log or to the panel."""
        if self._panel is not None:
            self._panel += [Text(line) for line in lines]
            return
        if self.leaving:
            self.farewell += [line for line in lines if line not in self.farewell]
        self.post(Said(lines, self._notice, self._refusal))

    def say_legend(self, text: str) -> None:
        """Keep a legend in sight below the panel."""
        self._legend = text

    def leave(self) -> None:
        """Keep what is said from now on for the farewell."""
        self.leaving = True

    def draw(self, board: Board) -> None:
        """Draw into the panel; outside of one the board is on the table already."""
        if self._panel is not None:
            self._panel += [Text.assemble(*line) for line in fit_board(board, self.columns - 1)]

    def show_page(self, markdown: str) -> None:
        """Put a page into the panel."""
        from rich.markdown import Markdown  # slow to load

        self.print(Markdown(markdown))

    def print(self, drawn: RenderableType, width: int = 0) -> None:
        """Put what rich draws into the panel."""
        if self._panel is not None:
            self._panel.append(drawn)

    @contextmanager
    def long_work(self) -> Iterator[Callable[[str, int, int], None]]:
        """Work that whoever leaves does not wait for."""
        self.computing = True
        try:
            yield self._report
        finally:
            self.computing = False

    def _report(self, stage: str, done: int, total: int) -> None:
        """Show the progress of a solution, a few times a second; give it up when it is left."""
        if self.cancelled:
            self.leave()
            raise QuitMatch
        now = time.monotonic()
        if now > self._reported_at + REPORT_INTERVAL_S:
            self._reported_at = now
            verb, _, counted = stage.partition(" ")
            of = f" of {total:,}" if total else ""
            self.post(Progressed(f"{verb.capitalize()}: {done:,}{of} {counted}"))

    @contextmanager
    def panel(self, title: str) -> Iterator[None]:
        """Fill a panel with all that is said meanwhile; an error opens none."""
        self._panel, self._legend = [], ""
        try:
            yield
        finally:
            content, self._panel = self._panel, None
        self.post(PanelFilled(title, content, self._legend))

    @contextmanager
    def status(self, refusal: bool = False) -> Iterator[None]:
        """Show what is said meanwhile in the status line."""
        self._notice, self._refusal = True, refusal
        try:
            yield
        finally:
            self._notice = self._refusal = False


class DialogKeyboard(Keyboard):
    """The keyboard of a dialog: lines that the app types."""

    screen: DialogScreen

    def __init__(self, screen: DialogScreen) -> None:
        self.screen = screen
        self.terminal = True
        self.interrupter = None
        self.picking = False
        """Whether the next line that is read is a pick, which `Shown` has asked for."""
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._closed = False
        self._wake_reader, self._wake_writer = socket.socketpair()
        for end in (self._wake_reader, self._wake_writer):
            end.setblocking(False)

    def enter(self, line: str) -> None:
        """Enter a line: called by the app."""
        self._lines.put(line)
        self._wake()

    def close(self) -> None:
        """Leave the dialog as soon as it reads again: called by the app."""
        self._closed = True
        self._wake()

    def read(self, prompt: str, unseen: bool = False) -> str:
        """A line in answer to a question, or a pick."""
        if not self.picking:
            self.screen.post(Questioned(prompt))
        self.picking = False
        line = self.next_line(self.interrupter)
        if line is None:
            raise InputInterrupted
        return line

    def read_unprompted(self, interrupter: InputInterrupter) -> str:
        """A line, or nothing when the interrupter comes first."""
        return self.next_line(interrupter) or ""

    def next_line(
        self, interrupter: InputInterrupter | None = None, timeout_s: float | None = None
    ) -> str | None:
        """The next line; None when something else comes first."""
        while True:
            if self._closed:
                self.screen.leave()
                raise QuitMatch
            with suppress(Empty):
                return self._lines.get_nowait()
            sources: list[Any] = [self._wake_reader, *([interrupter] if interrupter else [])]
            limit = interrupter.timeout_s() if interrupter else timeout_s
            ready = select.select(sources, [], [], limit)[0]
            if self._wake_reader in ready:
                self._wake_reader.recv(4096)
            if interrupter and interrupter.poll():
                return None
            if not ready and timeout_s is not None:
                return None

    @contextmanager
    def restoring_terminal(self) -> Iterator[None]:
        """Nothing: the app restores the terminal."""
        yield

    def release(self) -> None:
        """Close the sockets: nothing reads any more."""
        self._wake_reader.close()
        self._wake_writer.close()

    def _wake(self) -> None:
        with suppress(OSError):
            self._wake_writer.send(b".")


class Dialog:
    """What a table screen runs: a dialog with its keyboard and its screen."""

    def __init__(
        self,
        screen: DialogScreen,
        keyboard: DialogKeyboard,
        run: Callable[[], int],
        commands: tuple[str, ...] = ("rules", "hint", "map", "history", "undo", "resign"),
        remote: bool = False,
    ) -> None:
        self.screen = screen
        self.keyboard = keyboard
        self.run = run
        self.commands = commands
        self.remote = remote
        """Whether the match is on a server."""
        self._thread = Thread(target=self._run_and_report, daemon=True)

    def start(self) -> None:
        """Run the dialog in a thread; its exit code is posted."""
        self._thread.start()

    def close(self) -> None:
        """End the dialog, which saves the match."""
        self.screen.cancelled = True
        self.keyboard.close()
        end = time.monotonic() + LEAVE_TIMEOUT_S
        while self._thread.is_alive():
            self._thread.join(LEAVE_STEP_S)
            if self.screen.computing or time.monotonic() > end:
                break

    def _run_and_report(self) -> None:
        exit_code, error = 0, None
        REPORT_TO.set(self.screen.long_work)
        try:
            exit_code = self.run()
        except QuitMatch:
            pass
        except BaseException as failure:  # the app shows what is expected, and raises what is not
            error = failure
        self.keyboard.release()
        self.screen.post(DialogEnded(exit_code, error))


def is_expected(error: BaseException) -> bool:
    """Whether an error is one to be shown in a line."""
    return isinstance(error, EvenOddsError | OSError)
