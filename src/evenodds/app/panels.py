"""Panels over a screen: text to read, a question with yes or no, a line to type."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Label, Static

from evenodds.app.background import compute
from evenodds.app.pages import Page
from evenodds.system import EvenOddsError, Progress

ERROR_SHOWN_S: Final = 12
QUIET_S: Final = 1.0
"""How long a page may take before it is said that it is computed."""
CLOSE_KEYS: Final = "escape,enter,q,space,question_mark"
TOO_SMALL: Final = "This window is too small: please make it 60 by 20 or larger."


class TextPanel(ModalScreen[None]):
    """Text to read, with a legend that stays in sight; any of several keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(CLOSE_KEYS, "dismiss", "Close")]

    def __init__(self, title: str, content: list[RenderableType], legend: str = "") -> None:
        super().__init__()
        self.panel_title = title
        self.content = content
        self.legend = legend

    def compose(self) -> ComposeResult:
        """The text in a frame that scrolls."""
        box = VerticalScroll(Static(Group(*self.content), id="panel-text"), classes="panel")
        box.border_title = self.panel_title
        with box:
            if self.legend:
                legend = Static(Text(self.legend), id="legend")
                legend.border_title = "Columns of the table"
                yield legend

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one(VerticalScroll).focus()
        self.on_resize()

    def on_resize(self) -> None:
        """A text may need to be scrolled now, or no longer."""
        self.call_after_refresh(self._show_keys)

    def _show_keys(self) -> None:
        box = self.query_one(VerticalScroll)
        box.border_subtitle = f"{'↑↓ scroll, ' if box.max_scroll_y else ''}Esc closes"

    def on_click(self) -> None:
        """Close at a click."""
        self.dismiss()


class YesNoPanel(ModalScreen[bool]):
    """A question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes"),
        Binding("n,escape", "dismiss(False)", "No"),
        Binding("left,right", "app.focus_next", show=False),
        Binding("question_mark", "app.notify('Press y for yes, n or Esc for no.')", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question above two buttons."""
        with Vertical(classes="panel small"):
            yield Label(self.question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_mount(self) -> None:
        """Enter says no, unless yes is chosen."""
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take the answer."""
        self.dismiss(event.button.id == "yes")


class InputPanel(ModalScreen[bool]):
    """A question with a line to type; what is refused is told, and can be put right."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)", "Back")]

    def __init__(self, question: str, typed: str, take: Callable[[str], None]) -> None:
        super().__init__()
        self.question = question
        self.typed = typed
        self.take = take
        """Takes what is typed; an `EvenOddsError` refuses it."""

    def compose(self) -> ComposeResult:
        """The question above the line, and below it what is refused."""
        box = Vertical(classes="panel small")
        box.border_subtitle = "Enter takes it, Esc goes back"
        with box:
            yield Label(self.question, markup=False)
            yield Input(self.typed, compact=True, select_on_focus=not self.typed.isdecimal())
            yield Label("", id="refused", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close, unless it is refused."""
        try:
            self.take(event.value)
        except EvenOddsError as error:
            self.query_one("#refused", Label).update(error_line(error))
        else:
            self.dismiss(True)


def error_line(error: BaseException) -> str:
    """An error as a sentence."""
    return f"{str(error).rstrip('.')}."


def show_error(app: App[Any], error: BaseException) -> None:
    """Show an error in a line, for a while."""
    app.notify(error_line(error), severity="error", timeout=ERROR_SHOWN_S, markup=False)


Write = Callable[[Page, Progress], None]
"""Writes a page; work that takes long tells how far it is."""


async def written(
    screen: Screen[Any], title: str, write: Write, show: Callable[[str], object]
) -> TextPanel:
    """A panel with a page that is written in a thread; a page that takes a while is announced."""
    page = Page(screen.size.width)
    timer = screen.set_timer(QUIET_S, partial(show, "This is being computed."))
    try:
        await compute(partial(write, page), show)
    finally:
        timer.stop()
    return TextPanel(title, page.content, page.legend)


class PageOpener(Screen[Any]):
    """A screen that opens panels when their pages are written.

    A screen that is opened above it ends that, so no panel comes late.
    """

    def on_screen_suspend(self) -> None:
        """Open no more panels."""
        self.close_pages("panel")
        self.close_pages("position")

    def close_pages(self, group: str) -> None:
        """Give up the pages of a group that are being written."""
        self.workers.cancel_group(self, group)

    def open_page(self, title: str, write: Write, group: str = "panel") -> None:
        """Write a page in a thread, then open it."""
        self.run_worker(self._open(title, write), group=group, exclusive=True)

    async def _open(self, title: str, write: Write) -> None:
        app: Any = self.app
        try:
            panel = await written(self, title, write, self.show_progress)
        except Exception as error:  # the app shows what is expected, and raises what is not
            app.tell_error(error)
            return
        if self.is_current:
            app.push_screen(panel)

    def show_progress(self, line: str) -> None:
        """Show how far a page is."""
