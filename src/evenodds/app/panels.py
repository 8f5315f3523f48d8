"""Panels over a screen: text to read, a line to type."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from evenodds.system import EvenOddsError

T = TypeVar("T")
ERROR_SHOWN_S: Final = 12
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


class InputPanel(ModalScreen[T]):
    """A question with a line to type; what is refused is told, and can be put right."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back")]

    def __init__(self, question: str, typed: str, read: Callable[[str], T]) -> None:
        super().__init__()
        self.question = question
        self.typed = typed
        self.read = read
        """Reads what is typed; an `EvenOddsError` refuses it."""

    def compose(self) -> ComposeResult:
        """The question above the line, and below it what is refused."""
        box = Vertical(classes="panel small")
        box.border_subtitle = "Enter takes it, Esc goes back"
        with box:
            yield Label(self.question, markup=False)
            yield Input(self.typed, compact=True, select_on_focus=not self.typed.isdecimal())
            yield Label("", id="refused", markup=False)

    def type_ahead(self, typed: str) -> None:
        """Add what was typed before the line was there to take it."""
        self.typed += typed
        for line in self.query(Input):
            line.value = self.typed

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close, unless it is refused."""
        try:
            self.dismiss(self.read(event.value))
        except EvenOddsError as error:
            self.query_one("#refused", Label).update(_error_line(error))


def _error_line(error: BaseException) -> str:
    return f"{str(error).rstrip('.')}."


@contextmanager
def errors_shown(app: App[Any]) -> Iterator[None]:
    """Show an error, and go on."""
    try:
        yield
    except (EvenOddsError, OSError) as error:
        show_error(app, error)


def show_error(app: App[Any], error: BaseException) -> None:
    """Show an error in a line, for a while."""
    app.notify(_error_line(error), severity="error", timeout=ERROR_SHOWN_S, markup=False)
