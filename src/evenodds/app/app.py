"""The app: home, matches, puzzles and settings, each a screen.

Screens other than home are imported when they are opened: home does not wait for them.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from rich.theme import Theme
from textual import on
from textual.app import App
from textual.binding import Binding, BindingType

from evenodds.app.dialogs.messages import DailyAnswered, DialogEnded, PanelFilled, Post, Wanted
from evenodds.app.drawing.styles import PAGE_STYLES, board_styles
from evenodds.app.home import HomeScreen
from evenodds.app.panels import ERROR_SHOWN_S, TextPanel, show_error
from evenodds.app.settings import Settings, load_settings, save_settings
from evenodds.claims.fixed_outcome import lively_variant
from evenodds.coach.puzzles import puzzle_day
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.terms import Terms, agree
from evenodds.system.errors import EXIT_INTERRUPTED, EvenOddsError
from evenodds.terminal.play.session import SessionOptions
from evenodds.terminal.storage.matches import MatchFile, NoSavedMatch

if TYPE_CHECKING:
    from evenodds.app.dialogs.dialog import Dialog
    from evenodds.app.table_screen import TableScreen
    from evenodds.client.remote_match import RemoteMatch
    from evenodds.terminal.play.menu import TermsRequest


class EvenOddsApp(App[int]):
    """The full-screen game."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Even Odds"
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (80, "-wide"), (100, "-broad")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-short"), (24, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("ctrl+l", "repaint", show=False, priority=True),
    ]

    def __init__(
        self,
        options: SessionOptions,
        request: "TermsRequest",
        first: Callable[["EvenOddsApp"], None] | None = None,
    ) -> None:
        super().__init__()
        self.session_options = options
        self.request = request
        self.first = first
        self.settings, self._settings_fault = load_settings()
        self.table: TableScreen | None = None
        """The match or the puzzles that are open."""
        self.farewell: list[str] = []
        """What is said in the terminal when the app has closed."""
        self.failure: BaseException | None = None
        self.use_settings()

    def action_repaint(self) -> None:
        """Draw the screen again, where something else wrote on the terminal."""
        self.screen.refresh(layout=True)

    def action_suspend_process(self) -> None:
        """Suspend the whole job, for `make play` waits for the app; the terminal comes first.

        Textual's handler of SIGCONT may run late, after the end of the block: it would start the
        driver a second time, and two threads would read what is typed.
        """
        if sys.platform == "win32":
            return
        if os.getpgrp() == os.getsid(0):  # a job of no shell: nothing could continue it
            self.notify("There is no shell to go back to.")
            return
        with self.suspend():
            handler = signal.signal(signal.SIGCONT, signal.SIG_DFL)
            os.killpg(os.getpgrp(), signal.SIGSTOP)
            signal.signal(signal.SIGCONT, handler)

    def get_default_screen(self) -> HomeScreen:
        """Home is below all other screens."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Open what was asked for."""
        self._handle_signals()
        self.app_resume_signal.subscribe(self, lambda _: self.action_repaint())
        if self._settings_fault:
            self.notify(self._settings_fault, severity="warning", markup=False)
        if self.first:
            self.first(self)
        self.call_after_refresh(gc.enable)

    def _handle_signals(self) -> None:
        """Close as the dialog does when the process is told to end or the terminal goes."""
        if sys.platform != "win32":  # whose event loop has none
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, self._close, 128 + signal.SIGTERM)
            loop.add_signal_handler(signal.SIGHUP, self._hang_up, 128 + signal.SIGHUP)

    def _hang_up(self, exit_code: int) -> None:
        """Save and end at once: there is no terminal any more that could be restored."""
        self._close(exit_code)
        os._exit(exit_code)

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

    @on(Wanted)
    def do(self, wanted: Wanted) -> None:
        """Do what a screen asks for; a refusal is a line, as for a game whose rules are wrong."""
        try:
            self._do(wanted)
        except EvenOddsError as error:
            show_error(self, error)

    def _do(self, wanted: Wanted) -> None:
        match wanted.what:
            case "game":
                self.start_game(catalog.get(wanted.name))
            case "match":
                self.resume(wanted.name)
            case "matches":
                from evenodds.app.home_panels import open_matches

                open_matches(self)
            case "daily":
                from evenodds.app.dialogs.training import daily_dialog

                self.open_table(partial(daily_dialog, puzzle_day()))
            case "train":
                terms = agree(wanted.name)
                lively = lively_variant(terms.game, terms.rulings)  # the others have no puzzles
                if lively is not None:
                    terms = terms._replace(rulings=lively)
                self.train(terms, self.session_options.seed)
            case "rules" | "study":
                from evenodds.app.home_panels import open_report

                open_report(self, wanted.what, catalog.get(wanted.name))
            case "settings":
                from evenodds.app.home_panels import open_settings

                open_settings(self, self.settings, self.change_settings)
            case "quit":
                self.action_leave()

    def start_game(self, game: AnyGame) -> None:
        """Begin a game on the terms that were asked for; a named opponent plays one match."""
        request = self.request
        terms = request.terms(game)
        if any(terms.computers):
            self.request = request.for_later_games()
        self.offer(terms, request.first not in ("1", "2"))

    def offer(self, terms: Terms, coin: bool = True) -> None:
        """Ask who plays unless that is said, then play; a coin says who begins games of turns."""
        if any(terms.computers):
            self.play(terms, coin=coin)
            return

        from evenodds.app.choices import against
        from evenodds.app.match_setup import MatchSetup

        def start(chosen: Terms, opponent: str) -> None:
            self.change_settings(replace(self.settings, opponent=opponent))
            self.play(against(chosen, opponent), coin=coin)

        MatchSetup(self, self.settings, start).ask_opponent(terms)

    def play(
        self, terms: Terms, saved: tuple[Match, MatchFile] | None = None, coin: bool = False
    ) -> None:
        """Play matches on these terms; the first may be a saved one."""
        from evenodds.app.dialogs.sessions import local_dialog

        self.open_table(partial(local_dialog, self.session_options, terms, saved, coin))

    def join(self, remote: "RemoteMatch") -> None:
        """Play or watch a match on a server; the app ends with it."""
        from evenodds.app.dialogs.network import network_dialog

        self.open_table(partial(network_dialog, self.session_options, remote), alone=True)

    def resume(self, id: str) -> None:
        """Go on with a saved match."""
        try:
            match_file = MatchFile(id)
            match, fault = match_file.load()
        except NoSavedMatch as error:
            show_error(self, error)
            return
        if fault:
            self.notify(fault, markup=False)
        self.play(match.terms, (match, match_file))

    def train(self, terms: Terms, seed: int | None, alone: bool = False) -> None:
        """Puzzles under some terms; `alone`, the app ends with them."""
        from evenodds.app.dialogs.training import training_dialog

        self.open_table(partial(training_dialog, terms, Random(seed)), alone)

    def open_table(self, dialog: "Callable[[Post], Dialog]", alone: bool = False) -> None:
        """Open the screen of a dialog; `alone`, the app ends with it."""
        from evenodds.app.table_screen import TableScreen

        self.table = table = TableScreen(dialog)

        def closed(ended: DialogEnded | None) -> None:
            self.table = None
            self.farewell = table.dialog.screen.farewell
            if alone:
                self.failure = ended.error if ended else None
                self.exit(ended.exit_code if ended else 0)
            elif ended and ended.error:
                self.tell_error(ended)
            elif ended and ended.exit_code:
                said = "\n".join(table.last_said)
                self.notify(said, timeout=ERROR_SHOWN_S, markup=False)

        self.push_screen(table, closed)

    @on(DialogEnded)
    def tell_error(self, ended: DialogEnded) -> None:
        """Show why something failed; end with an error that nobody expects."""
        from evenodds.app.dialogs.dialog import is_expected

        if ended.error and is_expected(ended.error):
            show_error(self, ended.error)
        else:
            self.failure = ended.error
            self.exit(ended.exit_code)

    @on(DailyAnswered)
    def keep_daily(self, answered: DailyAnswered) -> None:
        """Keep the first answer of a day: home tells it."""
        if self.settings.daily != answered.day:
            daily = replace(self.settings, daily=answered.day, daily_right=answered.right)
            self.change_settings(daily)

    @on(PanelFilled)
    def open_panel(self, filled: PanelFilled) -> None:
        """Show what home was asked for, unless a match has been opened meanwhile."""
        if self.table is None:
            self.push_screen(TextPanel(filled.title, filled.content, filled.legend))

    def action_leave(self) -> None:
        """Leave the app; an open match is kept."""
        self._close(0)

    def action_interrupt(self) -> None:
        """Leave the app as Ctrl-C leaves a program; a match that is over was not interrupted."""
        over = self.table is not None and self.table.ended
        self._close(0 if over else EXIT_INTERRUPTED)

    def _close(self, exit_code: int) -> None:
        if self.table:
            self.table.close_dialog()
            self.farewell = self.table.dialog.screen.farewell
        self.exit(exit_code)
