"""A panel with a list: to choose one of it, or to change values in it."""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.panels import InputPanel, TextPanel

LIST_COLUMNS: Final = 21
"""The longest label of a list that stands beside its text, and not above it."""
PLAY: Final = "play"
"""The choice that a key makes, too: it starts a match."""
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
    steps: bool = False
    """Whether it has a value that changes by steps."""
    question: str = ""
    """What is asked when its value is typed; empty where that is not possible."""
    typed: str = ""
    """What is there already then."""


class Choices(NamedTuple):
    """What a panel offers, and a text for all of it."""

    options: list[Choice]
    text: str = ""


Change = Callable[[str, int | str], Choices]
"""Changes the value of a choice by steps, or to what is typed; returns what is offered then.

`EvenOddsError` refuses what is typed."""


class ChoicePanel(ModalScreen[str]):
    """A list beside or above a text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back"),
        Binding("question_mark", "help", "Help"),
        Binding("left", "sideways(-1)", show=False),
        Binding("right", "sideways(1)", show=False),
        Binding("p", "play", show=False),
        Binding("delete", "delete", show=False),
    ]

    def __init__(
        self,
        title: str,
        choices: Choices,
        chosen: str = "",
        change: Change | None = None,
        deletes: bool = False,
    ) -> None:
        super().__init__()
        self.panel_title = title
        self.options, self.text = choices
        self.chosen = chosen
        self.change = change
        self.deletes = deletes
        """Whether a key asks to delete what is under the cursor: `delete:NAME`."""

    def compose(self) -> ComposeResult:
        """The list, and the text where there is one."""
        box = Horizontal(classes="panel choice")
        box.border_title = Text(self.panel_title)
        box.set_class(any(len(option.label) > LIST_COLUMNS for option in self.options), "above")
        with box:
            yield OptionList(
                *(
                    Option(option.label, option.name or None, not option.name)
                    for option in self.options
                ),
                markup=False,  # names of players are shown as they are
            )
            with VerticalScroll(id="choice-text", can_focus=False):
                yield Static()

    def on_mount(self) -> None:
        """Begin at what was chosen last."""
        names = [option.name for option in self.options]
        choices = self.query_one(OptionList)
        if self.chosen and self.chosen in names:
            choices.highlighted = names.index(self.chosen)
        else:
            choices.action_first()
        choices.focus()

    @property
    def highlighted(self) -> Choice:
        """The choice under the cursor."""
        return self.options[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionHighlighted)
    def describe(self) -> None:
        """Say what the choice under the cursor is, what holds for all, and which keys there are."""
        _, _, line, steps, question, _ = self.highlighted
        text = Text.assemble((line, "bold"), "\n\n" if line and self.text else "", self.text)
        self.query_one("#choice-text Static", Static).update(text)
        box = self.query_one(".choice")
        box.set_class(not self.text and not any(option.line for option in self.options), "alone")
        keys = "←→ change the value" if steps else "Enter" if question else "↑↓ and Enter"
        typing = " or type it" if steps and question else " to type" if question else ""
        delete = ", Delete deletes" if self.deletes else ""
        box.border_subtitle = f"{keys}{typing}{delete}, Esc goes back"

    def change_value(self, how: int | str) -> None:
        """Change the value under the cursor."""
        assert self.change is not None
        self.options, self.text = self.change(self.highlighted.name, how)
        for place, option in enumerate(self.options):
            self.query_one(OptionList).replace_option_prompt_at_index(place, option.label)
        self.describe()

    def on_key(self, key: Key) -> None:
        """A digit begins a number."""
        chosen = self.highlighted
        if chosen.steps and chosen.question and (key.character or "").isdecimal():
            self.type_value(key.character or "")

    def type_value(self, typed: str) -> None:
        """Ask for the value under the cursor."""
        self.app.push_screen(InputPanel(self.highlighted.question, typed, self.change_value))

    def action_sideways(self, steps: int) -> None:
        """Change the value under the cursor, or scroll a text that is longer than the panel."""
        if self.highlighted.steps:
            self.change_value(steps)
        else:
            text = self.query_one("#choice-text")
            text.scroll_relative(y=steps * text.size.height // 2, animate=False)

    def action_play(self) -> None:
        """Start the match, where that is a choice."""
        if any(option.name == PLAY for option in self.options):
            self.dismiss(PLAY)

    def action_delete(self) -> None:
        """Ask to delete what is under the cursor."""
        if self.deletes:
            self.dismiss(f"delete:{self.highlighted.name}")

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(TextPanel("Keys", [Text(CHOICE_HELP)]))

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Take the choice, or change its value."""
        chosen = self.highlighted
        if chosen.question:
            self.type_value(chosen.typed)
        elif chosen.steps:
            self.change_value(1)
        else:
            self.dismiss(event.option_id)
