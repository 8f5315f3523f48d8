"""The app: home, matches, puzzles and settings, each a screen.

Screens other than home are imported when they are opened: home does not wait for them.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType

from evenodds.app.home import HELP, HomeScreen
from evenodds.app.messages import DailyAnswered, Wanted
from evenodds.app.panels import ERROR_SHOWN_S, TextPanel, show_error
from evenodds.app.settled_app import SettledApp
from evenodds.claims.fixed_outcome import livelier
from evenodds.coach.puzzles import puzzle_day
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.terms import Terms, agree
from evenodds.system import EXIT_INTERRUPTED, EvenOddsError
from evenodds.table.saved_matches import MatchFile, NoSavedMatch
from evenodds.table.table import SessionOptions

if TYPE_CHECKING:
    from evenodds.app.board_screen import BoardScreen, Left
    from evenodds.client.remote_match import RemoteMatch
    from evenodds.table.table import Table
    from evenodds.terminal.play.menu import TermsRequest


class EvenOddsApp(SettledApp):
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
        self.table: BoardScreen | None = None
        """The match or the puzzles that are open."""
        self.farewell: list[str] = []
        """What is said in the terminal when the app has closed."""
        self.failure: BaseException | None = None

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
        if self.settings_fault:
            self.notify(self.settings_fault, severity="warning", markup=False)
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

    @on(Wanted)
    def do(self, wanted: Wanted) -> None:
        """Do what a screen asks for."""
        self.begin(self._do(wanted))

    def begin(self, wish: Coroutine[Any, Any, None]) -> None:
        """Do what is asked for, and no longer what was asked before: nothing opens late."""
        self.run_worker(self._fulfil(wish), exclusive=True)

    async def _fulfil(self, wish: Coroutine[Any, Any, None]) -> None:
        """Do what is asked for; a refusal is a line, as for a game whose rules are wrong."""
        try:
            await wish
        except (EvenOddsError, OSError) as error:  # the page of a package may be missing
            show_error(self, error)

    async def _do(self, wanted: Wanted) -> None:
        from evenodds.app import home_panels

        match wanted.what:
            case "game":
                await self._start_game(wanted.name)
            case "match":
                self.resume(wanted.name)
            case "matches":
                await home_panels.open_matches(self)
            case "settings":
                await home_panels.open_settings(self)
            case "join":
                await self._join_by_link()
            case "daily" | "train":
                self._open_puzzles(wanted)
            case "rules" | "study":
                await home_panels.open_report(self, wanted.what, catalog.get(wanted.name))
            case "keys":
                await self.push_screen_wait(TextPanel("Keys", [Text(HELP)]))
            case "quit":
                self.action_leave()

    def _open_puzzles(self, wanted: Wanted) -> None:
        """Open the puzzle of the day, or puzzles of a game."""
        if wanted.what == "daily":
            from evenodds.app.puzzle_screen import DailyScreen

            self.open_table(DailyScreen(puzzle_day()))
            return
        terms = livelier(agree(wanted.name))  # the others have no puzzles
        self.train(terms, self.session_options.seed)

    async def _start_game(self, name: str) -> None:
        """Begin a game on the terms that were asked for, or against a level named behind it.

        A named opponent plays one match.
        """
        name, _, level = name.partition(" ")
        request = self.request
        terms = request.terms(catalog.get(name))
        if level:
            terms = terms._replace(computers=("", level))
        elif any(terms.computers):
            self.request = request.for_later_games()
        await self._offer(terms, request.first not in ("1", "2"))

    def offer(self, terms: Terms, coin: bool = True) -> None:
        """Ask who plays unless that is said, then play; a coin says who begins games of turns."""
        self.begin(self._offer(terms, coin))

    async def _offer(self, terms: Terms, coin: bool) -> None:
        from evenodds.app.match_setup import set_up_match

        if any(terms.computers):
            self.play(terms, coin=coin)
            return
        chosen = await set_up_match(self, terms)
        if isinstance(chosen, Terms):
            self.play(chosen, coin=coin, series=self.settings.series)
        elif chosen:
            self._sit_at(chosen)

    async def _join_by_link(self) -> None:
        from evenodds.app.servers import join

        if remote := await join(self):
            self._sit_at(remote)

    def _sit_at(self, remote: "RemoteMatch") -> None:
        from evenodds.table.remote import RemoteTable

        self.sit(RemoteTable(self.session_options, remote))

    def play(self, terms: Terms, coin: bool = False, series: int = 1) -> None:
        """Play matches on these terms, of which most of a series are to be won.

        A coin says who begins games of turns.
        """
        from evenodds.table.local import LocalTable
        from evenodds.table.series import Series

        tossed = coin and not terms.game.simultaneous
        if tossed:
            terms = terms._replace(first=self.session_options.rng.choice((1, 2)))
        table = LocalTable(self.session_options, terms, series=Series(series))
        if tossed:
            table.tell_first("Coin toss")
        self.sit(table)

    def go_on(self, match: Match, match_file: MatchFile) -> None:
        """Go on with a saved match."""
        from evenodds.table.local import LocalTable

        self.sit(LocalTable(self.session_options, match, match_file))

    def sit(self, table: "Table", alone: bool = False) -> None:
        """Play or watch at a table; `alone`, the app ends with it."""
        from evenodds.app.table_screen import TableScreen

        self.open_table(TableScreen(table, alone), alone)

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
        self.go_on(match, match_file)

    def train(self, terms: Terms, seed: int | None, alone: bool = False) -> None:
        """Puzzles under some terms; `alone`, the app ends with them."""
        from evenodds.app.puzzle_screen import PuzzleScreen

        self.open_table(PuzzleScreen(terms, seed), alone)

    def open_table(self, table: "BoardScreen", alone: bool = False) -> None:
        """Open a match or puzzles; `alone`, the app ends with them."""
        self.table = table

        def closed(left: "Left | None") -> None:
            self.table = None
            self.farewell = table.farewell
            exit_code, error = left or (0, None)
            if alone:
                self.failure = error
                self.exit(exit_code)
            elif error:
                self.tell_error(error)
            elif exit_code:
                self.notify("\n".join(table.last_said), timeout=ERROR_SHOWN_S, markup=False)

        self.push_screen(table, closed)

    def tell_error(self, error: BaseException) -> None:
        """Show why something failed; end with an error that nobody expects."""
        if isinstance(error, EvenOddsError | OSError):
            show_error(self, error)
        else:
            self.failure = error
            self.exit()

    @on(DailyAnswered)
    def keep_daily(self, answered: DailyAnswered) -> None:
        """Keep the first answer of a day: home tells it."""
        if self.settings.daily != answered.day:
            daily = replace(self.settings, daily=answered.day, daily_right=answered.right)
            self.change_settings(daily)

    def action_leave(self) -> None:
        """Leave the app; an open match is kept."""
        self._close(0)

    def action_interrupt(self) -> None:
        """Leave the app as Ctrl-C leaves a program; a match that is over was not interrupted."""
        over = self.table is not None and self.table.ended
        self._close(0 if over else EXIT_INTERRUPTED)

    def _close(self, exit_code: int) -> None:
        if self.table:
            self.table.leave()
            self.farewell = self.table.farewell
        self.exit(exit_code)
