"""Panels with a choice: an opponent for a new match, the settings."""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.settings import COLOURS, Settings
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import BUILT_IN_PROFILES

TWO_PEOPLE = "people"
"""The choice of two people at one keyboard."""


class ChoicePanel(ModalScreen[str]):
    """A list to choose from, beside a text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Back")]

    def __init__(
        self, title: str, options: list[tuple[str, str]], chosen: str = "", beside: str = ""
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
        with box:
            yield OptionList(*(Option(text, name) for name, text in self.options))
            if self.beside:
                with VerticalScroll(id="choice-text", can_focus=False):
                    yield Static(Text(self.beside))

    def on_mount(self) -> None:
        """Begin at what was chosen last."""
        names = [name for name, _ in self.options]
        choices = self.query_one(OptionList)
        choices.highlighted = names.index(self.chosen) if self.chosen in names else 0
        choices.focus()

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Take the choice."""
        self.dismiss(event.option_id)


def opponent_panel(game: AnyGame, settings: Settings) -> ChoicePanel:
    """Who plays a game: a person and a computer, or two people; with the rules beside it."""
    names = sorted(BUILT_IN_PROFILES, key=lambda name: not name.startswith("level:"))
    computers = [
        (name, f"{BUILT_IN_PROFILES[name].name}: {BUILT_IN_PROFILES[name].line}") for name in names
    ]
    people = (TWO_PEOPLE, "Two people at this keyboard")
    rules = "\n\n".join(game.words.rules(game.rulings())) or game.summary
    chosen = settings.opponent or TWO_PEOPLE
    return ChoicePanel(game.title, [people, *computers], chosen, rules)


def settings_panel(settings: Settings, chosen: str = "") -> ChoicePanel:
    """The settings; choosing one changes it."""
    options = [
        ("animation", f"Animation: {'on' if settings.animation else 'off'}"),
        ("colours", f"Colours: {settings.colours}"),
        ("done", "Done"),
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
