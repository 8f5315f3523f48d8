"""Settings of the app, kept in a file: animation, colours, what was chosen and answered last."""

import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.players.registry import DEFAULT_OPPONENT, is_built_in_player
from evenodds.system.files import rename_damaged, replace_file
from evenodds.system.paths import data_folder, private_folder
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from pathlib import Path

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


def load_settings() -> tuple[Settings, str]:
    """The settings, and a line on what is not understood; that is left at its default."""
    path = data_folder() / SETTINGS_FILE
    try:
        data = _read(path)
    except OSError as error:
        return Settings(), f"The settings cannot be read: {error.strerror or error}."
    except ValueError:
        return Settings(), f"The settings are damaged, and the usual ones are used: {path}"
    known = {key: value for key, value in data.items() if _is_allowed(key, value)}
    ignored = ", ".join(f'"{shorten(key)}"' for key in data if key not in known)
    line = f"Not understood in {path}: {ignored}." if ignored else ""
    return Settings(**known), line


def save_settings(settings: Settings) -> None:
    """Save the settings, and keep what others have added; `OSError` where that is not possible."""
    path = private_folder() / SETTINGS_FILE
    try:
        data = _read(path)
    except ValueError:
        rename_damaged(path, path.with_name(f"{path.name}.damaged"))
        data = {}
    replace_file(path, json.dumps(data | settings._asdict()) + "\n")


def _read(path: "Path") -> dict[str, Any]:
    """What is in the file; `ValueError` where it is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    return data


def _is_allowed(key: str, value: object) -> bool:
    if key == "colours":
        return value in COLOURS
    if key == "opponent" and value:
        return isinstance(value, str) and is_built_in_player(value)
    return key in Settings._fields and type(value) is type(Settings._field_defaults[key])
