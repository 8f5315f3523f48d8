"""A screen with a board, a log and keys; a task follows what happens on it."""

import asyncio
from asyncio import CancelledError
from functools import partial
from typing import ClassVar, Final, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.events import Key
from textual.widgets import Footer, Static

from evenodds.app.drawing.board import BoardView
from evenodds.app.drawing.round import hand_over
from evenodds.app.pages import write_rules
from evenodds.app.panels import TOO_SMALL, PageOpener, TextPanel
from evenodds.app.widgets import (
    AGAIN,
    HISTORY,
    MAP,
    REVIEW,
    RULES,
    MatchLog,
    NextBar,
    StatusLine,
    key_help,
)
from evenodds.core.terms import Terms
from evenodds.table.table import HINT, RESIGN, UNDO, TableView

PICK: Final = "pick"
GO_ON: Final = "go on"
PRESS_ENTER: Final = "Press Enter to go on."


class Entry(NamedTuple):
    """What the player does: a word, and of a pick the number."""

    word: str
    number: int = 0


class Left(NamedTuple):
    """How a board was left by itself: the exit code of a command, or an error."""

    exit_code: int = 0
    error: BaseException | None = None


class BoardScreen(PageOpener):
    """A board that something is played on. What it says at its end is for the terminal later."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "move(-1)", show=False),
        Binding("right,down", "move(1)", show=False),
        Binding("enter", "pick", "Pick"),
        Binding("enter", "go_on", "Go on"),
        Binding("enter", "next('')", show=False),
        Binding("p", f"next('{AGAIN}')", show=False),
        Binding("r", f"next('{REVIEW}')", "Review"),
        Binding("h", f"command('{HINT}')", "Hint"),
        Binding("m,e", f"command('{MAP}')", "Map"),
        Binding("r", f"command('{RULES}')", "Rules"),
        Binding("l", f"command('{HISTORY}')", "Picks", show=False),
        Binding("u", f"command('{UNDO}')", "Undo"),
        Binding("x", f"command('{RESIGN}')", "Resign", show=False),
        Binding("escape,q", "leave", "Leave"),
        Binding("question_mark", "help", "Help"),
    ]
    is_saved = False
    """Whether what is played here is kept when it is left."""

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        """The game on the board, and its rulings."""
        self.table: TableView | None = None
        """What the board shows."""
        self.match_log = MatchLog()
        self.farewell: list[str] = []
        self.ended = False
        """Whether a match is over, and what follows is asked."""
        self.sent = False
        """Whether a pick was made that is not taken yet."""
        self.left = False
        self._prompt = ""
        self._entered: asyncio.Queue[Entry] = asyncio.Queue()
        self._asked_before = False
        """Whether somebody was asked for a pick, and may still have the keyboard."""

    def compose(self) -> ComposeResult:
        """Title, board beside log, status, keys."""
        yield Static(id="title")
        with Horizontal(id="middle"):
            yield BoardView()
            yield self.match_log
        yield StatusLine()
        yield NextBar()
        yield Footer(show_command_palette=False)
        yield Static(TOO_SMALL, id="too-small")

    def on_mount(self) -> None:
        """Begin to follow."""
        self.board.animated = self.app.animation_level != "none"
        self.run_worker(self._follow_to_the_end(), group="follow")

    def on_unmount(self) -> None:
        """Leave with the screen."""
        self.leave()

    async def _follow_to_the_end(self) -> None:
        left = Left()
        try:
            await self.follow()
        except CancelledError:
            raise
        except NoMatches:  # the app is left, and the board is gone
            return
        except BaseException as error:  # the app shows what is expected, and raises what is not
            left = self.failed(error)
        self.leave()
        self.pop_until_active()
        self.dismiss(left)

    async def follow(self) -> None:
        """Follow what is played, to its end."""
        raise NotImplementedError

    def failed(self, error: BaseException) -> Left:
        """What becomes of an error."""
        return Left(error=error)

    @property
    def commands(self) -> tuple[str, ...]:
        """What the keys do beside picking."""
        return (RULES,)

    @property
    def goes_on(self) -> bool:
        """Whether nothing is asked here, and Enter goes on."""
        return self.table is not None and self.table.asked is None

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    @property
    def last_said(self) -> list[str]:
        """The end of the log."""
        return [line for line in self.match_log.lines if line][-3:]

    def show(self, table: TableView, title: str, prompt: str) -> None:
        """Show a table, and what is asked."""
        before, self.table = self.table, table
        self.sent = False
        self.query_one("#title", Static).update(Text(title, no_wrap=True))
        self.board.show(table)
        if before is None or before.moment != table.moment:
            self.board.typed = ""
            picked = bool(table.view.history or any(table.view.chosen))
            self._prompt = prompt
            self._set_cover(picked or self._asked_before)
        self._asked_before |= table.asked is not None
        self.refresh_bindings()

    def _set_cover(self, covered: bool) -> None:
        """Where picks are hidden, wait until the next person has the keyboard."""
        assert self.table is not None
        covered = covered and self.table.hidden and self.table.asked is not None
        self.board.update_look(covered=covered)
        self.status(hand_over(self.table) if covered else self._prompt)

    def say(self, *lines: str, notice: bool = False) -> None:
        """Add lines to the log; a notice, or whatever nobody has to answer, is the status, too."""
        self.match_log.add(lines)
        said = [line for line in lines if line]
        busy = self.table is None or (self.table.asked is None and self.table.view.result is None)
        if said and (notice or busy):
            self.status(said[-1])

    def status(self, line: str, warning: bool = False) -> None:
        """Show what is asked, or what is to be noticed."""
        self.query_one(StatusLine).show(line, warning)

    def enter(self, word: str, number: int = 0) -> None:
        """Hand what the player does to the task."""
        self._entered.put_nowait(Entry(word, number))

    def show_progress(self, line: str) -> None:
        """Show how far long work is."""
        self.status(line)

    def on_key(self, event: Key) -> None:
        """Digits pick; where picks are hidden, or numbers are large, Enter follows."""
        if not self.table or self.table.asked is None or self.ended:
            return
        if not self.board.look.covered:
            self.board.type_key(event)
            self._show_typed()
        elif event.character and event.character.isdecimal():
            self.status("Press Enter first.", True)

    def _show_typed(self) -> None:
        """Show digits that wait for more of them, unless picks are hidden."""
        if self.table and not self.table.hidden:
            self.query_one(StatusLine).show_typed(self.board.typed_line)

    def _pick(self, number: str) -> None:
        self.board.typed = ""
        self._show_typed()
        if not self.sent:
            self.sent = True
            self.enter(PICK, int(number))

    def on_board_view_picked(self, picked: BoardView.Picked) -> None:
        """Pick with the mouse or a key."""
        self._pick(picked.number)

    def action_move(self, steps: int) -> None:
        """Move along the choices."""
        if self.table and self.table.asked is not None and not self.table.hidden:
            self.board.type_text("")
            self._show_typed()
            self.board.move(steps)

    def action_pick(self) -> None:
        """Pick what is typed, or the number under the cursor."""
        if self.table is None or self.table.asked is None:
            return
        if self.board.look.covered:
            self._set_cover(False)
        elif self.board.typed or self.board.look.cursor:
            self._pick(self.board.typed or str(self.board.look.cursor))
        else:
            self.status("Type a number, or choose one with the arrow keys.", True)

    def action_go_on(self) -> None:
        """Look no longer at what is shown."""
        self.enter(GO_ON)

    def action_command(self, word: str) -> None:
        """Do what a key is for."""
        if word == RULES and self.table:
            self.open_page("Rules", partial(write_rules, self.terms.game, self.terms.rulings))

    def action_next(self, name: str) -> None:
        """Do what may follow a match."""

    def action_help(self) -> None:
        """Show the keys that do something now."""
        commands = () if self.goes_on else self.commands
        help = key_help(commands, None if self.ended else self.table, self.is_saved)
        self.app.push_screen(TextPanel("Keys", [Text(help)]))

    def action_leave(self) -> None:
        """Leave; nobody waits for what is computed."""
        self.leave()
        if self.is_current:
            self.dismiss(Left())

    def leave(self) -> None:
        """End what is followed."""
        if not self.left:
            self.left = True
            self.workers.cancel_node(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys that the footer shows: those that do something now."""
        if action == "next":
            return self.ended
        if action == "go_on":
            return self.goes_on and not self.ended
        if action == "command" and parameters[0] not in self.commands:
            return False
        return not (action in ("pick", "command") and (self.ended or self.goes_on))
