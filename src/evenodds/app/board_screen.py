"""A screen with a board, a log and keys; a task follows what happens on it."""

import asyncio
from asyncio import CancelledError
from functools import partial
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Button, Footer, Static

from evenodds.app.background import written
from evenodds.app.drawing.board import BoardView
from evenodds.app.drawing.round import hand_over
from evenodds.app.pages import Write, write_rules
from evenodds.app.panels import TOO_SMALL, TextPanel
from evenodds.app.widgets import HISTORY, MAP, RULES, MatchLog, key_help
from evenodds.core.terms import Terms
from evenodds.table.table import Action, TableView

PICK: Final = "pick"
GO_ON: Final = "go on"
PRESS_ENTER: Final = "Press Enter to go on."
AGAIN: Final = "again"
REVIEW: Final = "review"


class BoardScreen(Screen[None]):
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
        Binding("h", f"command('{Action.HINT}')", "Hint"),
        Binding("m,e", f"command('{MAP}')", "Map"),
        Binding("r", f"command('{RULES}')", "Rules"),
        Binding("l", f"command('{HISTORY}')", "Picks", show=False),
        Binding("u", f"command('{Action.UNDO}')", "Undo"),
        Binding("x", f"command('{Action.RESIGN}')", "Resign", show=False),
        Binding("c", f"command('{Action.CLAIM}')", show=False),
        Binding("escape,q", "leave", "Leave"),
        Binding("question_mark", "help", "Help"),
    ]
    is_saved = False
    """Whether what is played here is kept when it is left."""
    alone = False
    """Whether the app ends with this screen."""

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        """The game on the board, and its rulings."""
        self.table: TableView | None = None
        """What the board shows."""
        self.board = BoardView(self._pick)
        self.match_log = MatchLog()
        self.farewell: list[str] = []
        self.exit_code = 0
        self.error: BaseException | None = None
        """Why the board was left by itself."""
        self.ended = False
        """Whether a match is over, and what follows is asked."""
        self.sent = False
        """Whether a pick was made that is not taken yet."""
        self.left = False
        self._prompt = ""
        self._line = self.last_typed = ""
        """The line of the status, while no digits are typed."""
        self._entered: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        """What the player does: a word, and of a pick the number."""
        self._asked_before = False
        """Whether somebody was asked for a pick, and may still have the keyboard."""

    def compose(self) -> ComposeResult:
        """Title, board beside log, status, what may follow a match, keys."""
        yield Static(id="title")
        yield Horizontal(self.board, self.match_log, id="middle")
        yield Static(id="status")
        leave = "Leave (Esc)" if self.alone else "Other games (Esc)"
        labels = {AGAIN: "Play again (p)", REVIEW: "Review (r)", "leave": leave}
        with Horizontal(id="end"):
            for id, label in labels.items():
                yield Button(label, id=id, action=f"screen.next('{id}')", compact=True)
        yield Footer(show_command_palette=False)
        yield Static(TOO_SMALL, id="too-small")

    def on_mount(self) -> None:
        """Begin to follow."""
        self.run_worker(self._follow_to_the_end(), group="follow")

    def on_unmount(self) -> None:
        """Leave with the screen."""
        self.leave()

    async def _follow_to_the_end(self) -> None:
        try:
            await self._follow()
        except CancelledError:
            raise
        except NoMatches:  # the app is left, and the board is gone
            return
        except BaseException as error:  # the app shows what is expected, and raises what is not
            self.error = error
        self.leave()
        self.pop_until_active()
        self.dismiss()

    async def _follow(self) -> None:
        """Follow what is played, to its end."""
        raise NotImplementedError

    @property
    def _commands(self) -> tuple[str, ...]:
        """What the keys do beside picking."""
        return (RULES,)

    @property
    def _goes_on(self) -> bool:
        """Whether nothing is asked here, and Enter goes on."""
        return self.table is not None and self.table.asked is None

    # What is shown

    def show(self, table: TableView, title: str, prompt: str) -> None:
        """Show a table, and what is asked."""
        before, self.table = self.table, table
        self.sent = False
        self.query_one("#title", Static).update(Text(title, no_wrap=True))
        self.board.show(table)
        moment = table.view.history, table.asked
        if before is None or (before.view.history, before.asked) != moment:
            self.workers.cancel_group(self, "position")
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
        self._line = line
        self._show_line(line)
        self.query_one("#status").set_class(warning, "warning")

    def _show_line(self, line: str) -> None:
        self.query_one("#status", Static).update(Text(line))

    def _show_typed(self) -> None:
        """Show digits that wait for more of them, unless picks are hidden."""
        if self.table and not self.table.hidden:
            self._show_line(self.board.typed_line or self._line)

    def open_page(self, title: str, write: Write, group: str = "panel") -> None:
        """Write a page in a thread, then open it."""
        self.run_worker(self._open_page(title, write), group=group, exclusive=True)

    async def _open_page(self, title: str, write: Write) -> None:
        app: Any = self.app
        try:
            page = await written(self, write, self.status)
        except Exception as error:  # the app shows what is expected, and raises what is not
            app.tell_error(error)
            return
        app.push_screen(TextPanel(title, page.content, page.legend))

    def on_screen_suspend(self) -> None:
        """Open no more panels: none comes late, over another screen."""
        for group in ("panel", "position"):
            self.workers.cancel_group(self, group)

    # What the player does

    def enter(self, word: str, number: int = 0) -> None:
        """Hand what the player does to the task."""
        self._entered.put_nowait((word, number))

    def on_key(self, event: Key) -> None:
        """Digits pick; where picks are hidden, or numbers are large, Enter follows."""
        if not self.table or self.table.asked is None or self.ended:
            return
        if not self.board.look.covered:
            self.board.type_key(event)
            self._show_typed()
        elif event.character and event.character.isdecimal():
            self.status("Press Enter first.", True)

    def _pick(self, number: int) -> None:
        self.last_typed, self.board.typed = self.board.typed, ""
        self._show_typed()
        if not self.sent:
            self.sent = True
            self.enter(PICK, number)

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
        elif number := self.board.chosen:
            self._pick(number)
        else:
            self.status("Choose one with the arrow keys, or type its number.", True)

    def action_go_on(self) -> None:
        """Look no longer at what is shown."""
        self.enter(GO_ON)

    def action_command(self, word: str) -> None:
        """Do what a key is for."""
        if word == RULES and self.table:
            self.open_page("Rules", partial(write_rules, self.terms.game, self.terms.rulings))

    def action_help(self) -> None:
        """Show the keys that do something now."""
        commands = () if self._goes_on else self._commands
        help = key_help(commands, None if self.ended else self.table, self.is_saved)
        self.app.push_screen(TextPanel("Keys", [Text(help)]))

    def action_leave(self) -> None:
        """Leave; nobody waits for what is computed."""
        self.leave()
        if self.is_current:
            self.dismiss()

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
            return self._goes_on and not self.ended
        if action == "command" and parameters[0] not in self._commands:
            return False
        return not (action in ("pick", "command") and (self.ended or self._goes_on))
