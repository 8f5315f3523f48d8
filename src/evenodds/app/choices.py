"""Panels with a choice: an opponent for a new match, the settings."""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from msgspec.structs import replace
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
LIVELY_NAME: Final = "Livelier rules"
BY_THE_BOOK: Final = "book"
"""The choice of the rulings of the rule book, where others were chosen."""
RULINGS: Final = "rulings"
"""The choice of other rulings."""
PLAY: Final = "play"
"""The choice that starts the match, which a key makes, too."""
TWO_PEOPLE_LINE: Final = "You and somebody beside you. Secret numbers are typed unseen."
ANIMATION_LINE: Final = "Off: cards turn over without animation, for slow connections."
CHOICE_HELP: Final = """\
Choose with the arrow keys and Enter, or with the mouse.
Left and right {}.

Esc  go back
Ctrl+Q  leave the app
?  this help"""
SCROLLS: Final = "scroll the text beside the list"
STEPS: Final = "change the value under the cursor"
COLOURS_LINE: Final = "For a dark or a light background; auto: as the terminal says."


class Choice(NamedTuple):
    """One of a list; without a name, a heading in it."""

    name: str
    label: str
    line: str = ""
    """What is said beside the list while the cursor is here."""


class Choices(NamedTuple):
    """What a panel offers, and a text for all of it."""

    options: list[Choice]
    text: str = ""


Step = Callable[[str, int], Choices]
"""Changes the value of a choice by steps, and returns what is offered then."""


class ChoicePanel(ModalScreen[str]):
    """A list to choose from, beside a text; or above it, where left and right change values."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back"),
        Binding("question_mark", "help", "Help"),
        Binding("left", "sideways(-1)", show=False),
        Binding("right", "sideways(1)", show=False),
        Binding("p", "play", show=False),
    ]

    def __init__(
        self, title: str, choices: Choices, chosen: str = "", step: Step | None = None
    ) -> None:
        super().__init__()
        self.panel_title = title
        self.options, self.text = choices
        self.chosen = chosen
        self.step = step

    def compose(self) -> ComposeResult:
        """The list, and the text where there is one."""
        box = Horizontal(classes="panel choice")
        box.border_title = Text(self.panel_title)
        keys = "↑↓ and Enter" if self.step is None else "←→ change a value"
        box.border_subtitle = f"{keys}, Esc goes back"
        box.set_class(self.step is not None, "above")
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

    @on(OptionList.OptionHighlighted)
    def describe(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the choice under the cursor is, and what holds for all."""
        self._show_text(self.options[event.option_index].line)

    def _show_text(self, line: str) -> None:
        text = Text.assemble((line, "bold"), "\n\n" if line and self.text else "", self.text)
        self.query_one("#choice-text Static", Static).update(text)
        said = self.text or any(option.line for option in self.options)
        self.query_one(".choice").set_class(not said, "alone")

    def action_sideways(self, steps: int) -> None:
        """Change the value under the cursor, or scroll a text that is longer than the panel."""
        choices = self.query_one(OptionList)
        if self.step is None:
            text = self.query_one("#choice-text")
            text.scroll_relative(y=steps * text.size.height // 2, animate=False)
        elif choices.highlighted is not None:
            chosen = self.options[choices.highlighted]
            self.options, self.text = self.step(chosen.name, steps)
            for place, option in enumerate(self.options):
                choices.replace_option_prompt_at_index(place, option.label)
            self._show_text(self.options[choices.highlighted].line)

    def action_play(self) -> None:
        """Start the match, where that is a choice."""
        if any(option.name == PLAY for option in self.options):
            self.dismiss(PLAY)

    def action_help(self) -> None:
        """Show the keys."""
        help = CHOICE_HELP.format(SCROLLS if self.step is None else STEPS)
        self.app.push_screen(TextPanel("Keys", [Text(help)]))

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Take the choice."""
        self.dismiss(event.option_id)


def opponent_panel(terms: Terms, settings: Settings) -> ChoicePanel:
    """The rules of a match, and who plays: a person and a computer, or two people."""
    changed = describe_changed_rulings(terms.rulings)
    rules = [
        Choice("", "Rules: changed" if changed else "Rules: by the book"),
        Choice(RULINGS, " Change the rules", "Numbers, limits and special rules, one by one."),
    ]
    if lively_variant(terms.game, terms.rulings) is not None:
        rules.append(Choice(LIVELY, f" {LIVELY_NAME}", "Picks matter with these rules."))
    if changed:
        rules.append(Choice(BY_THE_BOOK, " By the book", "Undo all changes of the rules."))
    levels_first = sorted(BUILT_IN_PROFILES.items(), key=lambda item: "level" not in item[0])
    players = [
        Choice("", "Who plays?"),
        Choice(TWO_PEOPLE, " Two people", TWO_PEOPLE_LINE),
        *(Choice(name, f" {shown.name}", shown.line) for name, shown in levels_first),
    ]
    about = [f"Changed: {'. '.join(changed)}."] if changed else []
    about += decided_lines(terms, f"choose {LIVELY_NAME}")
    about += terms.game.words.rules(terms.rulings) or [terms.game.summary]
    choices = Choices([*rules, *players], "\n\n".join(about))
    return ChoicePanel(terms.game.title, choices, settings.opponent or TWO_PEOPLE)


def settings_choices(settings: Settings) -> Choices:
    """The settings; choosing one changes it."""
    return Choices(
        [
            Choice(
                "animation", f"Animation: {'on' if settings.animation else 'off'}", ANIMATION_LINE
            ),
            Choice("colours", f"Colours: {settings.colours}", COLOURS_LINE),
            Choice("done", "Done"),
        ]
    )


def changed_settings(settings: Settings, choice: str, steps: int = 1) -> Settings:
    """The settings after a choice in the panel."""
    if choice == "animation":
        return replace(settings, animation=not settings.animation)
    if choice == "colours":
        following = COLOURS[(COLOURS.index(settings.colours) + steps) % len(COLOURS)]
        return replace(settings, colours=following)
    return settings


def against(terms: Terms, opponent: str) -> Terms:
    """The terms of a match against a computer; without one, of two people."""
    return terms._replace(computers=("", opponent))
