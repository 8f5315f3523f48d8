"""A terminal session: matches at this keyboard, each saved and recorded."""

from contextlib import ExitStack
from datetime import date as Date
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.players.player import Player, Unavailable
from evenodds.players.registry import opponent, pick_timeout_s
from evenodds.system.errors import EXIT_INTERRUPTED
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.commands import QuitMatch
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.model_log import ModelLog
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile, saved_line

if TYPE_CHECKING:
    from random import Random

EXIT_FINISHED = 0
EXIT_INPUT_ENDED = 1
EXIT_PLAYER_UNAVAILABLE = 1


class SessionOptions(NamedTuple):
    """The options of a session, for all its matches."""

    record: str | None = None
    seed: int | None = None
    external_players: tuple[str, ...] = ()
    """Programs and models named on the command line; no others are allowed."""
    bot_seconds: float | None = None
    """Their time for a pick, if it was given."""
    pace_s: float | None = None
    """Seconds between two rounds of two computers, if given."""


class Session:
    """Matches at this keyboard."""

    pace_s = 0.0
    """Seconds between two rounds of two computers, unless the options say otherwise."""

    def __init__(
        self,
        options: SessionOptions,
        screen: Screen | None = None,
        keyboard: Keyboard | None = None,
    ) -> None:
        self.options = options
        self.screen = screen or Screen()
        self.keyboard = keyboard or Keyboard(self.screen)

    @cached_property
    def rng(self) -> "Random":
        """The random numbers of coin tosses and computers; repeatable with a seed."""
        from random import Random

        return Random(self.options.seed)

    def play(self, terms: Terms) -> int:
        """Play a match on these terms; the exit code."""
        return self.resume(Match(terms._replace(date=Date.today())), MatchFile(), resumed=False)

    def resume(self, match: Match, match_file: MatchFile, resumed: bool = True) -> int:
        """Play a saved match; the exit code."""
        return self.play_match(match, match_file, resumed) or EXIT_FINISHED

    def play_match(self, match: Match, match_file: MatchFile, resumed: bool = False) -> int | None:
        """Play one match; the exit code when it was left, None when it came to its end."""
        players: dict[Seat, Player] = {}
        exit_code: int | None = None
        model_log = ModelLog(match_file, self.screen)
        with self.keyboard.restoring_terminal():
            try:
                self._seat_opponents(match, players, model_log)
                loop = self._new_loop(match, match_file, players)
                loop.pace_s = self.pace_s if self.options.pace_s is None else self.options.pace_s
                exit_code = self._run_loop(loop, resumed)
                self._record(match)  # before `leave`, which Ctrl-C may cut short
            finally:
                with ExitStack() as cleanup:  # in reverse order, each even if another fails
                    cleanup.callback(match_file.release)
                    cleanup.callback(model_log.close, self.options.record)
                    cleanup.callback(self._show_memory_faults, match)
                    for seat, player in players.items():
                        cleanup.callback(player.leave, match.view(seat))
        return exit_code

    def _new_loop(
        self, match: Match, match_file: MatchFile, players: dict[Seat, Player]
    ) -> MatchLoop:
        """The loop of a match."""
        return MatchLoop(match, self.screen, self.keyboard, match_file, players)

    def _run_loop(self, loop: MatchLoop, resumed: bool) -> int | None:
        """Run a match loop; the exit code when it was left, None when the match ended."""
        exit_code: int | None = None
        unavailable = False
        try:
            (loop.show_resumed if resumed else loop.show_opening)()
            loop.play()
        except QuitMatch:
            exit_code = EXIT_FINISHED
        except EOFError:
            exit_code = EXIT_INPUT_ENDED
        except KeyboardInterrupt:
            exit_code = EXIT_INTERRUPTED
        except Unavailable:
            exit_code, unavailable = EXIT_PLAYER_UNAVAILABLE, True
        finally:
            if exit_code is not None:
                if exit_code == EXIT_INTERRUPTED:
                    self.screen.say("")
                self._show_left(loop, unavailable)
        return exit_code

    def _seat_opponents(
        self, match: Match, players: dict[Seat, Player], model_log: ModelLog
    ) -> None:
        """Create the computer players; games are solved before play."""
        computers = {seat: match.terms.computer(seat) for seat in SEATS}
        if not any(computers.values()):
            return
        with progress_bar() as progress:
            for seat, name in computers.items():
                if name:
                    seconds = self._pick_timeout_s(name)
                    players[seat] = opponent(
                        name,
                        match.terms,
                        seat,
                        self.rng,
                        progress,
                        seconds,
                        remembers=True,
                        log_line=model_log.append,
                    )
        self._show_memory_faults(match)

    def _show_memory_faults(self, match: Match) -> None:
        """Show read and write errors of the reader's memory."""
        if "reader" in match.terms.computers:
            from evenodds.players.reader.memory import SHARED_MEMORY

            self.screen.say(*SHARED_MEMORY.take_faults())

    def _pick_timeout_s(self, name: str) -> float | None:
        """The time for a pick of an external player that was named on the command line."""
        named = name in self.options.external_players
        return pick_timeout_s(name, self.options.bot_seconds) if named else None

    def _show_left(self, loop: MatchLoop, unavailable: bool) -> None:
        """Save a match that was left; one without a pick only where its opponent fails."""
        untouched = not loop.match.history and not any(loop.match.view().chosen)
        if untouched and not unavailable:
            loop.match_file.discard()
            self.screen.say("Nothing was played, so nothing is saved.")
            return
        loop.save()
        if loop.saved:
            self.screen.say(saved_line(loop.match_file.id, loop.match))

    def _record(self, match: Match) -> None:
        if self.options.record is None:
            return
        from evenodds.terminal.storage import records

        try:
            records.append(self.options.record, self._notation(match))
        except OSError as error:
            self.screen.say(f"The match could not be recorded: {error.strerror or error}.")

    def _notation(self, match: Match) -> str:
        """The match in notation, for the record file."""
        from evenodds.core import notation

        return notation.write(match)
