"""The screen of a match: its board, the log in the words of the rule book, and the keys."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Button, Footer, Static

from evenodds.app.dialogs import messages
from evenodds.app.dialogs.dialog import Dialog
from evenodds.app.dialogs.messages import DialogEnded, NextAction, Post, Table
from evenodds.app.drawing.board import BoardView
from evenodds.app.drawing.round import hand_over
from evenodds.app.panels import TOO_SMALL, TextPanel, YesNoPanel
from evenodds.app.widgets import MatchLog, NextBar, StatusLine, key_help


class TableScreen(Screen[DialogEnded]):
    """A dialog with a board."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "move(-1)", show=False),
        Binding("right,down", "move(1)", show=False),
        Binding("enter", "pick", "Pick"),
        Binding("enter", "go_on", "Go on"),
        Binding("enter", "next('')", show=False),
        Binding("p", "next('again')", show=False),
        Binding("r", "next('review')", "Review"),
        Binding("h", "command('hint')", "Hint"),
        Binding("m,e", "command('map')", "Map"),
        Binding("r", "command('rules')", "Rules"),
        Binding("l", "command('history')", "Picks", show=False),
        Binding("u", "command('undo')", "Undo"),
        Binding("x", "command('resign')", "Resign", show=False),
        Binding("escape,q", "leave", "Leave"),
        Binding("question_mark", "help", "Help"),
    ]

    def __init__(self, dialog: Callable[[Post], Dialog]) -> None:
        super().__init__()
        self.dialog = dialog(self.post_message)
        self.table: Table | None = None
        self.match_log = MatchLog()
        self._leaving = False
        self._asked_before = False
        """Whether somebody was asked for a pick, and may still have the keyboard."""
        self.ended = False
        """Whether a match is over, and what follows is asked."""
        self.sent = False
        """Whether a pick was typed that the dialog has not read yet."""

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
        """Start the dialog."""
        self.board.animated = self.app.animation_level != "none"
        self.dialog.start()

    def on_unmount(self) -> None:
        """End the dialog with the screen."""
        self.close_dialog()

    @property
    def last_said(self) -> list[str]:
        """The end of the log."""
        return [line for line in self.match_log.lines if line][-3:]

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    def on_resize(self) -> None:
        """Panels are as wide as the window allows."""
        self.dialog.screen.fit(self.size.width)

    # What the dialog says

    @on(messages.Shown)
    def show_table(self, shown: messages.Shown) -> None:
        """Draw the table, and say what is asked."""
        before, table = self.table, shown.table
        self.table = table
        self.sent = False
        self.query_one("#title", Static).update(Text(shown.title, no_wrap=True))
        self.board.show(table)
        if table.asked is not None and self.ended:
            self._clear_end()
        if before is None or before.moment != table.moment:
            self.board.typed = ""
            picked = bool(table.view.history or any(table.view.chosen))
            self._set_cover(picked or self._asked_before)
        self._asked_before |= table.asked is not None
        self.refresh_bindings()

    def _set_cover(self, covered: bool) -> None:
        """Where picks are hidden, wait until the next person has the keyboard."""
        assert self.table is not None
        covered = covered and self.table.hidden and self.table.asked is not None
        self.board.update_look(covered=covered)
        self._status(hand_over(self.table) if covered else self.table.prompt)

    @on(messages.Said)
    def say(self, said: messages.Said) -> None:
        """Add lines to the log."""
        if not said.refusal:
            self.match_log.add(said.lines)
        lines = [line for line in said.lines if line]
        busy = self.table is None or (self.table.asked is None and self.table.view.result is None)
        if lines and (said.notice or busy):
            self._status(lines[-1], said.refusal)

    @on(messages.Progressed)
    def show_progress(self, progressed: messages.Progressed) -> None:
        """Show how far a solution is, while somebody waits for it."""
        self._status(progressed.line)

    @on(messages.PanelFilled)
    def open_panel(self, filled: messages.PanelFilled) -> None:
        """Show the answer to a command, unless the match has been left meanwhile."""
        filled.stop()
        if not self._leaving:
            self.app.push_screen(TextPanel(filled.title, filled.content, filled.legend))

    @on(messages.Questioned)
    def ask(self, questioned: messages.Questioned) -> None:
        """Ask, and give the answer to the dialog."""
        if self._leaving:
            return

        def answer(yes: bool | None) -> None:
            self.dialog.keyboard.enter("y" if yes else "n")

        self.app.push_screen(YesNoPanel(questioned.question), answer)

    @on(messages.MatchEnded)
    def offer_next(self, ended: messages.MatchEnded) -> None:
        """Offer what may follow a match."""
        self.ended = True
        self.query_one(NextBar).offer(ended.offered)
        self.refresh_bindings()

    @on(DialogEnded)
    def finish(self, ended: DialogEnded) -> None:
        """Leave the screen when the dialog has ended by itself."""
        ended.stop()
        if self.is_current and not self._leaving:
            self.dismiss(ended)

    # What the player does

    def on_key(self, event: Key) -> None:
        """Digits pick; where picks are hidden, or numbers are large, Enter follows."""
        if not self.table or self.table.asked is None or self.ended:
            return
        if not self.board.look.covered:
            self.board.type_key(event)
            self._show_typed()
        elif event.character and event.character.isdecimal():
            self._status("Press Enter first.", True)

    def _show_typed(self) -> None:
        """Show digits that wait for more of them, unless picks are hidden."""
        if self.table and not self.table.hidden:
            self.query_one(StatusLine).show_typed(self.board.typed_line)

    def _pick(self, number: str) -> None:
        self.board.typed = ""
        self._show_typed()
        if not self.sent:
            self.sent = True
            self.dialog.keyboard.enter(number)

    def on_board_view_picked(self, picked: BoardView.Picked) -> None:
        """Pick with the mouse or a key."""
        self._pick(picked.number)

    def action_move(self, steps: int) -> None:
        """Move along the choices, or along what may follow."""
        if self.ended:
            (self.focus_next if steps > 0 else self.focus_previous)("#end Button")
        elif self.table and self.table.asked is not None and not self.table.hidden:
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
            self._status("Type a number, or choose one with the arrow keys.", True)

    def action_go_on(self) -> None:
        """Look no longer at what is shown."""
        self.dialog.keyboard.enter("")

    @property
    def _watching(self) -> bool:
        """Whether nothing is asked here, and Enter goes on."""
        table = self.table
        return bool(table and table.asked is None and not table.people) and not self.dialog.remote

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what follows a match."""
        self.action_next(event.button.name or "")

    def action_next(self, name: str) -> None:
        """Do what follows a match: review it, play again, leave; without a name, choose first."""
        if not name:
            self.action_move(1)
            return
        if name in (NextAction.OTHER.value, NextAction.QUIT.value):
            self.action_leave()
            return
        if name == NextAction.AGAIN.value and not self.dialog.remote:
            self.match_log.lines = []
            self._clear_end()
        self.dialog.keyboard.enter(name)

    def action_command(self, word: str) -> None:
        """Give a command to the dialog, where it reads one."""
        if self._listening:
            self.dialog.keyboard.enter(word)

    @property
    def _listening(self) -> bool:
        return self.table is not None and not self.ended and self.table.view.result is None

    def action_help(self) -> None:
        """Show the keys that do something now."""
        commands = () if self._watching else self.dialog.commands
        help = key_help(commands, None if self.ended else self.table)
        self.app.push_screen(TextPanel("Keys", [Text(help)]))

    def action_leave(self) -> None:
        """Leave the match; it is kept."""
        self.close_dialog()
        if self.is_current:
            self.dismiss(DialogEnded())

    def close_dialog(self) -> None:
        """End the dialog, which saves the match."""
        self._leaving = True
        self.dialog.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys that the footer shows: those that do something now."""
        if action == "next":
            return self.ended
        if action == "go_on":
            return self._watching and not self.ended
        if action == "command" and parameters[0] not in self.dialog.commands:
            return False
        return not (action in ("pick", "command") and (self.ended or self._watching))

    def _clear_end(self) -> None:
        self.ended = False
        self.query_one(NextBar).display = False
        self.set_focus(None)
        self.refresh_bindings()

    def _status(self, line: str, warning: bool = False) -> None:
        self.query_one(StatusLine).show(line, warning)
