"""The app: home, matches, puzzles and settings, each a screen.

Screens other than home are imported when they are opened: home does not wait for them.
"""

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType

from evenodds.app.home import HELP, HomeScreen, Wanted
from evenodds.app.panels import ERROR_SHOWN_S, TextPanel, errors_shown, show_error
from evenodds.app.settings import SettledApp
from evenodds.claims.fixed_outcome import livelier
from evenodds.coach.puzzles import puzzle_day
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.terms import Terms, agree
from evenodds.system import EXIT_INTERRUPTED, EvenOddsError
from evenodds.table.saved_matches import MatchFile
from evenodds.table.table import SessionOptions

if TYPE_CHECKING:
    from evenodds.app.board_screen import BoardScreen
    from evenodds.client.remote_match import RemoteMatch
    from evenodds.table.play_options import PlayOptions
    from evenodds.table.table import Table


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
        request: "PlayOptions",
        first: Callable[["EvenOddsApp"], None] | None = None,
    ) -> None:
        super().__init__()
        self.session_options = options
        self.request = request
        self.first = first
        self.table: BoardScreen | None = None
        """The match or the puzzles that are open."""
        self.farewells: dict[str, list[str]] = {}
        """What is said in the terminal when the app has closed, by its last line."""
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
    def _do_what_is_wanted(self, wanted: Wanted) -> None:
        self._begin(self._do(wanted.what, wanted.name))

    def _begin(self, wish: Coroutine[Any, Any, None]) -> None:
        """Do what is asked for, and no longer what was asked before: nothing opens late."""

        async def fulfil() -> None:
            with errors_shown(self):  # of a package the rules may be wrong, or its page missing
                await wish

        self.run_worker(fulfil(), exclusive=True)

    async def _do(self, what: str, name: str) -> None:
        from evenodds.app import home_panels

        match what:
            case "game":
                await self._start_game(name)
            case "match":
                await self._go_back(name)
            case "matches":
                await self._go_back(await home_panels.open_matches(self))
            case "settings":
                await home_panels.open_settings(self)
            case "join":
                from evenodds.app.match_setup import join_by_link

                self._sit_at(await join_by_link(self))
            case "daily" | "train":
                self._open_puzzles("" if what == "daily" else name)
            case "rules" | "study":
                await home_panels.open_report(self, what, catalog.get(name))
            case "keys":
                await self.push_screen_wait(TextPanel("Keys", [Text(HELP)]))
            case "quit":
                self.action_leave()

    async def _go_back(self, to: str) -> None:
        """Go back to a match by its ID, or by its link; to none without either."""
        if "/" in to:
            from evenodds.app.match_setup import enter
            from evenodds.client.address import address

            self._sit_at(await enter(self, address(to)))
        elif to:
            self.resume(to)

    def _say_later(self, said: list[str]) -> None:
        self.farewells |= {said[-1]: said} if said else {}

    def _say_no_more(self, of: str) -> None:
        """Somebody is back at a match, with this in what was said in leaving it."""
        self.farewells = {last: said for last, said in self.farewells.items() if of not in last}

    def _open_puzzles(self, name: str) -> None:
        """Open puzzles of a game, or without a name the puzzle of the day."""
        from evenodds.app.puzzle_screen import DailyScreen

        if name:  # games with little to decide have no puzzles
            self.train(livelier(agree(name)), self.session_options.seed)
        else:
            self.open_table(DailyScreen(puzzle_day()))

    async def _start_game(self, name: str) -> None:
        """Begin a game on the terms that were asked for, or against a level named behind it.

        A named opponent plays the first match only.
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
        self._begin(self._offer(terms, coin))

    async def _offer(self, terms: Terms, coin: bool) -> None:
        from evenodds.table.local import LocalTable

        tossed = coin and not terms.game.simultaneous
        if tossed:
            terms = terms._replace(first=self.session_options.rng.choice((1, 2)))
        chosen: Terms | RemoteMatch | None = terms
        if not any(terms.computers):
            from evenodds.app.match_setup import set_up_match

            chosen = await set_up_match(self, terms)
        if isinstance(chosen, Terms):
            self.sit(LocalTable(self.session_options, chosen), tossed)
        else:
            self._sit_at(chosen, tossed)

    def _sit_at(self, remote: "RemoteMatch | None", tossed: bool = False) -> None:
        if remote:
            from evenodds.table.remote import RemoteTable

            self._say_no_more(remote.address.link)
            self.sit(RemoteTable(self.session_options, remote), tossed)

    def go_on(self, match: Match, match_file: MatchFile) -> None:
        """Go on with a saved match."""
        from evenodds.table.local import LocalTable

        self.sit(LocalTable(self.session_options, match, match_file))

    def sit(self, table: "Table", tossed: bool = False, alone: bool = False) -> None:
        """Play or watch at a table; a coin may have said who begins. `alone`, the app ends then."""
        from evenodds.app.table_screen import TableScreen
        from evenodds.table.table import Series

        table.series = Series(self.settings.series)
        if tossed:
            table.tell_first("Coin toss")
        self.open_table(TableScreen(table), alone)

    def resume(self, id: str) -> None:
        """Go on with a saved match."""
        self._say_no_more(f"resume {id}")
        match_file = MatchFile(id)
        match, fault = match_file.load()
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
        table.alone = alone

        def closed(_: None) -> None:
            self.table = None
            self._say_later(table.farewell)
            if alone:
                self.failure = table.error
                self.exit(table.exit_code)
            elif table.error:
                self.tell_error(table.error)
            elif table.exit_code:
                said = [line for line in table.match_log.lines if line][-3:]
                self.notify("\n".join(said), timeout=ERROR_SHOWN_S, markup=False)

        self.push_screen(table, closed)

    def tell_error(self, error: BaseException) -> None:
        """Show why something failed; end with an error that nobody expects."""
        if isinstance(error, EvenOddsError | OSError):
            show_error(self, error)
        else:
            self.failure = error
            self.exit()

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
            self._say_later(self.table.farewell)
        self.exit(exit_code)


def run_app(
    options: SessionOptions,
    request: "PlayOptions",
    first: Callable[[EvenOddsApp], None] | None = None,
) -> int:
    """Run the app; the exit code."""
    for name in ("COLUMNS", "LINES"):  # Textual would take these for the size, whatever it becomes
        os.environ.pop(name, None)
    app = EvenOddsApp(options, request, first)
    exit_code = app.run()
    if app.failure is not None:
        raise app.failure
    for said in app.farewells.values():
        print(*said, sep="\n")  # noqa: T201 - the app has closed
    code = exit_code or app.return_code or 0
    others = set(threading.enumerate()) - {threading.main_thread()}
    if any(not thread.daemon for thread in others):
        sys.stdout.flush()
        os._exit(code)  # something is computed that nobody waits for; Python would wait
    return code
