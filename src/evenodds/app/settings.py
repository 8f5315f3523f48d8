"""Settings of the app, kept in a file: animation, colours, what was chosen and answered last."""

import os
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace
from rich.theme import Theme
from textual.app import App

from evenodds.app.drawing.pieces import board_styles
from evenodds.core.terms import check_name, check_players
from evenodds.players.registry import DEFAULT_OPPONENT, is_built_in_player
from evenodds.system.files import data_folder, private_folder
from evenodds.system.json_store import JsonStore

SETTINGS_FILE: Final = "app.json"
Colours = Literal["auto", "dark", "light"]
COLOURS: Final[tuple[Colours, ...]] = get_args(Colours)
PAGE_STYLES: Final = {"markdown.h2": "bold underline", "markdown.code": "bold"}
"""Rules, as plain as the text around them."""


class Settings(Struct, frozen=True):
    """The settings. The fields are the keys of the file."""

    animation: bool = True
    colours: Colours = "auto"
    opponent: str = DEFAULT_OPPONENT
    """The opponent chosen last; empty for a person at the same keyboard."""

    daily: str = ""
    """The day whose puzzle was answered last."""
    daily_right: bool = False
    """Whether the first answer to it was right."""

    names: str = ""
    """What two people at this keyboard are called: `Ann, Bo`; empty for the names of the game."""
    name: str = ""
    """What the player is called on servers; empty for the name of the game."""
    series: Literal[1, 3, 5] = 1
    """Of how many matches most are to be won."""
    server: str = ""
    """The address of the server on which a match was opened last."""

    def __post_init__(self) -> None:
        if self.opponent and not is_built_in_player(self.opponent):
            raise ValueError("there is no such opponent")
        if self.name:
            check_name(self.name)
        if self.names:
            split_names(self.names)

    @property
    def dark(self) -> bool:
        """Whether the background is dark: as set, or as the terminal says, or else dark."""
        if self.colours != "auto":
            return self.colours == "dark"
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        return background not in ("7", "15")


def split_names(names: str) -> tuple[str, str]:
    """Two names from what is typed; `BadTerms` for anything else."""
    return check_players(tuple(names.split(",")))


def load_settings() -> tuple[Settings, str]:
    """The settings, and a line on what is not understood; that is left at its default."""
    found = _store().load()
    return found.value, found.note


def _store() -> JsonStore[Settings]:
    return JsonStore(data_folder() / SETTINGS_FILE, Settings)


class SettledApp(App[int]):
    """An app with settings, as its panels know it."""

    def __init__(self) -> None:
        super().__init__()
        self.settings, self.settings_fault = load_settings()
        self._use_settings()

    def _use_settings(self) -> None:
        dark = self.settings.dark
        self.theme = "textual-dark" if dark else "textual-light"
        self.console.push_theme(Theme(board_styles(dark) | PAGE_STYLES))
        self.animation_level = "full" if self.settings.animation else "none"
        self.set_class(not self.settings.animation, "-still")

    def change_settings(self, **changes: Any) -> None:
        """Change some settings, and keep them; what others have added to the file stays."""
        self.settings = replace(self.settings, **changes)
        self._use_settings()
        try:
            private_folder()
            _store().save(self.settings)
        except OSError as error:
            self.notify(f"The settings cannot be kept: {error.strerror or error}.", markup=False)
