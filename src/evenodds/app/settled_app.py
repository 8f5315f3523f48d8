"""An app with settings: how it looks, and what was chosen last."""

from rich.theme import Theme
from textual.app import App

from evenodds.app.drawing.styles import PAGE_STYLES, board_styles
from evenodds.app.settings import Settings, load_settings, save_settings


class SettledApp(App[int]):
    """The app as its panels know it."""

    def __init__(self) -> None:
        super().__init__()
        self.settings, self.settings_fault = load_settings()
        self.use_settings()

    def use_settings(self) -> None:
        """Take over the settings."""
        dark = self.settings.dark
        self.theme = "textual-dark" if dark else "textual-light"
        self.console.push_theme(Theme(board_styles(dark) | PAGE_STYLES))
        self.animation_level = "full" if self.settings.animation else "none"
        self.set_class(not self.settings.animation, "-still")

    def change_settings(self, settings: Settings) -> None:
        """Use and keep settings."""
        self.settings = settings
        self.use_settings()
        try:
            save_settings(settings)
        except OSError as error:
            line = f"The settings cannot be kept: {error.strerror or error}."
            self.notify(line, markup=False)
