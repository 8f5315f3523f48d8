"""The app: home, matches, puzzles and settings, each a screen."""

from collections.abc import Callable
from datetime import date as Date
from functools import partial
from random import Random
from typing import ClassVar

from rich.markdown import Markdown
from textual import on
from textual.app import App
from textual.binding import Binding, BindingType

from evenodds.app.choices import (
    TWO_PEOPLE,
    changed_settings,
    opponent_panel,
    settings_panel,
)
from evenodds.app.dialogs.dialog import Dialog, is_expected
from evenodds.app.dialogs.messages import DialogEnded, Post, Wanted
from evenodds.app.dialogs.sessions import LocalSession
from evenodds.app.home import HomeScreen
from evenodds.app.panels import TextPanel
from evenodds.app.settings import Settings, load_settings, save_settings
from evenodds.app.table_screen import TableScreen
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.terms import Terms, agree
from evenodds.players.profiles import profile
from evenodds.terminal.play.menu import TermsRequest
from evenodds.terminal.play.session import NextAction, SessionOptions
from evenodds.terminal.storage.matches import MatchFile, NoSavedMatch

EXIT_INTERRUPTED = 130


class EvenOddsApp(App[int]):
    """The full-screen game."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Even Odds"
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (80, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-short"), (24, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(
        self,
        options: SessionOptions,
        request: TermsRequest,
        first: Callable[["EvenOddsApp"], None] | None = None,
    ) -> None:
        super().__init__()
        self.session_options = options
        self.request = request
        self.first = first
        self.settings = load_settings()
        self.farewell: tuple[str, ...] = ()
        """What is said in the terminal when the app has closed."""
        self.failure: BaseException | None = None

    def on_mount(self) -> None:
        """Open home, and on it what was asked for."""
        self.use_settings()
        self.push_screen(HomeScreen())
        if self.first:
            self.first(self)

    def use_settings(self) -> None:
        """Take over the settings."""
        self.theme = "textual-dark" if self.settings.dark else "textual-light"
        self.animation_level = "full" if self.settings.animation else "none"

    def change_settings(self, settings: Settings) -> None:
        """Use and keep settings."""
        self.settings = settings
        self.use_settings()
        try:
            save_settings(settings)
        except OSError as error:
            self.notify(f"The settings cannot be kept: {error.strerror or error}.")

    @on(Wanted)
    def do(self, wanted: Wanted) -> None:
        """Do what a screen asks for."""
        match wanted.what:
            case "game":
                self.start_game(catalog.get(wanted.name))
            case "match":
                self.resume(wanted.name)
            case "daily":
                from evenodds.app.dialogs.training import daily_dialog

                self.open_table(partial(daily_dialog, Date.today()))
            case "train":
                self.train(agree(wanted.name), None)
            case "rules":
                self.show_rules(catalog.get(wanted.name))
            case "settings":
                self.open_settings()
            case "quit":
                self.action_leave()

    def start_game(self, game: AnyGame) -> None:
        """Ask who plays, then play."""
        terms = self.request.terms(game)
        if any(terms.computers):
            self.play(terms)
            return

        def begin(choice: str | None) -> None:
            if choice is None:
                return
            opponent = "" if choice == TWO_PEOPLE else choice
            self.change_settings(self.settings._replace(opponent=opponent))
            self.play(against(terms, opponent))

        self.push_screen(opponent_panel(game, self.settings), begin)

    def play(self, terms: Terms, saved: tuple[Match, MatchFile] | None = None) -> None:
        """Play matches on these terms; the first may be a saved one."""

        def dialog(post: Post) -> Dialog:
            session = LocalSession(self.session_options, post)

            def run() -> tuple[int, bool]:
                exit_code, following, _ = session.play(terms, saved)
                return exit_code, following is NextAction.OTHER

            return Dialog(session.screen, session.keyboard, run)

        self.open_table(dialog)

    def resume(self, id: str) -> None:
        """Go on with a saved match."""
        try:
            match_file = MatchFile(id)
            match, fault = match_file.load()
        except NoSavedMatch as error:
            self.notify(f"{error}.", severity="error")
            return
        if fault:
            self.notify(fault)
        self.play(match.terms, (match, match_file))

    def train(self, terms: Terms, seed: int | None) -> None:
        """Puzzles under some terms."""
        from evenodds.app.dialogs.training import training_dialog

        self.open_table(partial(training_dialog, terms, Random(seed)))

    def open_table(self, dialog: Callable[[Post], Dialog]) -> None:
        """Open the screen of a dialog."""
        table = TableScreen(dialog)

        def closed(ended: DialogEnded | None) -> None:
            self.farewell = table.dialog.screen.last_lines
            if ended is None or ended.error is None:
                return
            if not is_expected(ended.error):
                self.failure = ended.error
                self.exit()
            self.notify(f"{ended.error}.", severity="error", timeout=10)

        self.push_screen(table, closed)

    def show_rules(self, game: AnyGame) -> None:
        """Show the rule book of a game."""
        from evenodds.render.rulebook import rulebook_page

        self.push_screen(TextPanel("Rules", [Markdown(rulebook_page(game))]))

    def open_settings(self, chosen: str = "") -> None:
        """Open the settings, again after each change."""

        def change(choice: str | None) -> None:
            if choice and choice != "done":
                self.change_settings(changed_settings(self.settings, choice))
                self.open_settings(choice)

        self.push_screen(settings_panel(self.settings, chosen), change)

    def action_leave(self) -> None:
        """Leave the app; an open match is kept."""
        self._close(0)

    def action_interrupt(self) -> None:
        """Leave the app as Ctrl-C leaves a program."""
        self._close(EXIT_INTERRUPTED)

    def _close(self, exit_code: int) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.close_dialog(KeyboardInterrupt)
                self.farewell = screen.dialog.screen.last_lines
        self.exit(exit_code)


def against(terms: Terms, opponent: str) -> Terms:
    """The terms of a match of a person with a computer, which bears its display name."""
    if not opponent:
        return terms
    players = terms.players if terms.named else (terms.players[0], profile(opponent).name)
    return terms._replace(players=players, computers=("", opponent))


def run_app(
    options: SessionOptions,
    request: TermsRequest,
    first: Callable[[EvenOddsApp], None] | None = None,
) -> int:
    """Run the app; the exit code."""
    app = EvenOddsApp(options, request, first)
    exit_code = app.run()
    if app.failure is not None:
        raise app.failure
    for line in app.farewell:
        print(line)  # noqa: T201 - the app has closed
    return exit_code or app.return_code or 0
