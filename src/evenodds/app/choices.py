"""Panels with a choice: an opponent for a new match, the settings."""

from typing import ClassVar, Final, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.panels import TextPanel
from evenodds.app.settings import COLOURS, Settings
from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core.terms import Terms
from evenodds.players.profiles import BUILT_IN_PROFILES
from evenodds.render.narration import describe_changed_rulings

TWO_PEOPLE: Final = "people"
"""The choice of two people at one keyboard."""
LIVELY: Final = "lively"
"""The choice of rulings under which picks matter."""
BY_THE_BOOK: Final = "book"
"""The choice of the rulings of the rule book, where others were chosen."""
RULINGS: Final = "rulings"
"""The choice of other rulings."""
TWO_PEOPLE_LINE: Final = "You and somebody beside you. Secret numbers are typed unseen."
ANIMATION_LINE: Final = "Off: cards turn over without animation, for slow connections."
CHOICE_HELP: Final = """\
Choose with the arrow keys and Enter, or with the mouse.
Left and right scroll the text beside the list.

Esc  go back
Ctrl+Q  leave the app
?  this help"""
COLOURS_LINE: Final = "For a dark or a light background; auto: as the terminal says."


class Choice(NamedTuple):
    """One of a list."""

    name: str
    label: str
    line: str = ""
    """What is said beside the list while the cursor is here."""


class ChoicePanel(ModalScreen[str]):
    """A list to choose from, beside a text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back"),
        Binding("question_mark", "help", "Help"),
        Binding("left", "read(-1)", show=False),
        Binding("right", "read(1)", show=False),
    ]

    def __init__(
        self, title: str, options: list[Choice], chosen: str = "", beside: str = ""
    ) -> None:
        super().__init__()
        self.panel_title = title
        self.options = options
        self.chosen = chosen
        self.beside = beside

    def compose(self) -> ComposeResult:
        """The list, and the text where there is one."""
        box = Horizontal(classes="panel choice")
        box.border_title = self.panel_title
        box.border_subtitle = "↑↓ and Enter, Esc goes back"
        box.set_class(not self.beside, "short")
        box.set_class(not (self.beside or any(option.line for option in self.options)), "alone")
        with box:
            yield OptionList(*(Option(option.label, option.name) for option in self.options))
            with VerticalScroll(id="choice-text", can_focus=False):
                yield Static()

    def on_mount(self) -> None:
        """Begin at what was chosen last."""
        names = [option.name for option in self.options]
        choices = self.query_one(OptionList)
        choices.highlighted = names.index(self.chosen) if self.chosen in names else 0
        choices.focus()

    @on(OptionList.OptionHighlighted)
    def describe(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the choice under the cursor is, and what holds for all."""
        line = self.options[event.option_index].line
        text = Text.assemble((line, "bold"), "\n\n" if line and self.beside else "", self.beside)
        self.query_one("#choice-text Static", Static).update(text)

    def action_read(self, pages: int) -> None:
        """Scroll the text, where it is longer than the panel."""
        text = self.query_one("#choice-text")
        text.scroll_relative(y=pages * text.size.height // 2, animate=False)

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(TextPanel("Keys", [Text(CHOICE_HELP)]))

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Take the choice."""
        self.dismiss(event.option_id)


def opponent_panel(terms: Terms, settings: Settings) -> ChoicePanel:
    """Who plays a game: a person and a computer, or two people; with the rules beside it."""
    levels_first = sorted(BUILT_IN_PROFILES.items(), key=lambda item: "level" not in item[0])
    computers = [Choice(name, shown.name, shown.line) for name, shown in levels_first]
    people = Choice(TWO_PEOPLE, "Two people", TWO_PEOPLE_LINE)
    options = [people, Choice(RULINGS, "Change the rules", _changed_line(terms))]
    if lively_variant(terms.game, terms.rulings) is not None:
        options.append(Choice(LIVELY, "Livelier rules", "Picks matter with these rules."))
    if terms.rulings != terms.game.rulings():
        options.append(Choice(BY_THE_BOOK, "By the book", "Undo all changes of the rules."))
    rules = [*decided_lines(terms), *terms.game.words.rules(terms.rulings)] or [terms.game.summary]
    chosen = settings.opponent or TWO_PEOPLE
    return ChoicePanel(terms.game.title, [*options, *computers], chosen, "\n\n".join(rules))


def _changed_line(terms: Terms) -> str:
    changed = describe_changed_rulings(terms.rulings)
    return (
        " ".join(f"{line}." for line in changed) or "By the book. Press Enter to change the rules."
    )


def settings_panel(settings: Settings, chosen: str = "") -> ChoicePanel:
    """The settings; choosing one changes it."""
    options = [
        Choice("animation", f"Animation: {'on' if settings.animation else 'off'}", ANIMATION_LINE),
        Choice("colours", f"Colours: {settings.colours}", COLOURS_LINE),
        Choice("done", "Done"),
    ]
    return ChoicePanel("Settings", options, chosen)


def changed_settings(settings: Settings, choice: str) -> Settings:
    """The settings after a choice in the panel."""
    if choice == "animation":
        return settings._replace(animation=not settings.animation)
    if choice == "colours":
        following = COLOURS[(COLOURS.index(settings.colours) + 1) % len(COLOURS)]
        return settings._replace(colours=following)
    return settings


def against(terms: Terms, opponent: str) -> Terms:
    """The terms of a match against a computer; without one, of two people."""
    return terms._replace(computers=("", opponent))
