"""A panel with a list: to choose one of it, to change values in it, to say yes or no."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.panels import InputPanel, TextPanel

T = TypeVar("T")
LIST_COLUMNS: Final = 21
"""The longest label of a list that stands beside its text, and not above it."""
DELETE: Final = "delete:"
"""Before the name of a choice: it is to be deleted."""
CHOICE_HELP: Final = """\
Choose with the arrow keys and Enter, or with the mouse.
Left and right change the value under the cursor, or scroll the text.
A number or a name can be typed: Enter or its first digit begins.

Esc  go back
Ctrl+Q  leave the app
?  this help"""


class Choice(NamedTuple):
    """One of a list; without a name, a heading in it."""

    name: str
    label: str
    line: str = ""
    """What is said of it while the cursor is here."""
    step: Callable[[int], object] | None = None
    """Changes its value by steps."""
    question: str = ""
    """What is asked when its value is typed; empty where that is not possible."""
    read: Callable[[str], object] | None = None
    """Changes its value to what is typed; an `EvenOddsError` refuses that."""
    typed: str = ""
    """What is there already then."""
    key: str = ""
    """The key that takes it."""


class Choices(NamedTuple):
    """What a panel offers, and a text for all of it."""

    options: list[Choice]
    text: str = ""


def stepped(values: Sequence[T], value: T, steps: int) -> T:
    """The value some steps after another one: after the last comes the first."""
    return values[(values.index(value) + steps) % len(values)]


class ChoicePanel(ModalScreen[str]):
    """A list beside or above a text. Whenever a value has changed, `offer` is asked again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back"),
        Binding("question_mark", "help", "Help"),
        Binding("left", "sideways(-1)", show=False),
        Binding("right", "sideways(1)", show=False),
        Binding("delete", "delete", show=False),
    ]

    def __init__(
        self, title: str, offer: Callable[[], Choices], chosen: str = "", deletes: bool = False
    ) -> None:
        super().__init__()
        self.panel_title = title
        self.offer = offer
        self.options, self.text = offer()
        self.chosen = chosen
        self.deletes = deletes
        """Whether a key asks to delete what is under the cursor: `DELETE` and its name."""

    def compose(self) -> ComposeResult:
        """The list, and the text where there is one."""
        box = Horizontal(classes="panel choice")
        box.border_title = Text(self.panel_title)
        box.set_class(any(len(option.label) > LIST_COLUMNS for option in self.options), "above")
        with box:
            listed = (Option(each.label, each.name or None, not each.name) for each in self.options)
            yield OptionList(*listed, markup=False)  # names of players are shown as they are
            with VerticalScroll(id="choice-text", can_focus=False):
                yield Static()

    def on_mount(self) -> None:
        """Begin at what was chosen last."""
        choices = self.query_one(OptionList)
        choices.action_first()
        for place, option in enumerate(self.options):
            if self.chosen and option.name == self.chosen:
                choices.highlighted = place
        choices.focus()

    @property
    def _highlighted(self) -> Choice:
        return self.options[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionHighlighted)
    def _describe(self) -> None:
        """Say what the choice under the cursor is, what holds for all, and which keys there are."""
        chosen = self._highlighted
        gap = "\n\n" if chosen.line and self.text else ""
        text = Text.assemble((chosen.line, "bold"), gap, self.text)
        self.query_one("#choice-text Static", Static).update(text)
        box = self.query_one(".choice")
        box.set_class(not self.text and not any(option.line for option in self.options), "alone")
        keys = "Enter to type" if chosen.question else "↑↓ and Enter"
        if chosen.step:
            keys = f"←→ change the value{' or type it' if chosen.question else ''}"
        delete = ", Delete deletes" if self.deletes else ""
        box.border_subtitle = f"{keys}{delete}, Esc goes back"

    def _offer_again(self) -> None:
        self.options, self.text = self.offer()
        for place, option in enumerate(self.options):
            self.query_one(OptionList).replace_option_prompt_at_index(place, option.label)
        self._describe()

    def on_key(self, key: Key) -> None:
        """A digit begins a number; a choice may have a key of its own."""
        typed, above = key.character or "", self.app.screen
        if isinstance(above, InputPanel):  # opened by the key before, which came with this one
            above.type_ahead(typed if typed.isprintable() else "")
        elif self._highlighted.step and typed.isdecimal():
            self._type(typed)
        elif taken := [option.name for option in self.options if option.key == typed != ""]:
            key.stop()  # what is below has keys of its own
            self.dismiss(taken[0])

    def _type(self, typed: str) -> None:
        """Ask for the value under the cursor, where it can be typed."""
        chosen = self._highlighted
        if chosen.question and chosen.read and self.is_current:
            panel = InputPanel(chosen.question, typed, chosen.read)
            self.app.push_screen(panel, lambda _: self._offer_again())

    def action_sideways(self, steps: int) -> None:
        """Change the value under the cursor, or scroll a text that is longer than the panel."""
        if self._highlighted.step:
            self._highlighted.step(steps)
            self._offer_again()
        else:
            text = self.query_one("#choice-text")
            text.scroll_relative(y=steps * text.size.height // 2, animate=False)

    def action_delete(self) -> None:
        """Ask to delete what is under the cursor."""
        if self.deletes:
            self.dismiss(f"{DELETE}{self._highlighted.name}")

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(TextPanel("Keys", [Text(CHOICE_HELP)]))

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        """Take the choice, or change its value."""
        chosen = self._highlighted
        if chosen.question:
            self._type(chosen.typed)
        elif chosen.step:
            self.action_sideways(1)
        else:
            self.dismiss(event.option_id)


async def confirms(app: App[Any], question: str) -> bool:
    """Ask a question; Enter says no, unless yes is chosen."""
    answers = [Choice("no", "No (n)", key="n"), Choice("yes", "Yes (y)", key="y")]
    panel = ChoicePanel("", lambda: Choices(answers, question))
    return await app.push_screen_wait(panel) == "yes"
