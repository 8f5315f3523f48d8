"""Settings of the app, kept in a file: animation, colours, what was chosen and answered last."""

import json
import os
from typing import Final, NamedTuple

from evenodds.players.registry import DEFAULT_OPPONENT, is_built_in_player
from evenodds.system.files import replace_file
from evenodds.system.paths import data_folder, private_folder

SETTINGS_FILE: Final = "app.json"
COLOURS: Final = ("auto", "dark", "light")


class Settings(NamedTuple):
    """The settings. The fields are the keys of the file."""

    animation: bool = True
    colours: str = "auto"
    opponent: str = DEFAULT_OPPONENT
    """The opponent chosen last; empty for a person at the same keyboard."""

    daily: str = ""
    """The day whose puzzle was answered last."""
    daily_right: bool = False
    """Whether the first answer to it was right."""

    @property
    def dark(self) -> bool:
        """Whether the background is dark: as set, or as the terminal says, or else dark."""
        if self.colours != "auto":
            return self.colours == "dark"
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        return background not in ("7", "15")


def load_settings() -> Settings:
    """The settings; what cannot be read is left at its default."""
    try:
        data = json.loads((data_folder() / SETTINGS_FILE).read_text(encoding="utf-8"))
        settings = Settings(**data)
    except (OSError, ValueError, TypeError):
        return Settings()
    if not isinstance(settings.animation, bool):
        settings = settings._replace(animation=True)
    if not isinstance(settings.daily_right, bool):
        settings = settings._replace(daily_right=False)
    if settings.colours not in COLOURS:
        settings = settings._replace(colours="auto")
    if settings.opponent and not is_built_in_player(str(settings.opponent)):
        settings = settings._replace(opponent=DEFAULT_OPPONENT)
    return settings


def save_settings(settings: Settings) -> None:
    """Save the settings; `OSError` where that is not possible."""
    replace_file(private_folder() / SETTINGS_FILE, json.dumps(settings._asdict()) + "\n")
