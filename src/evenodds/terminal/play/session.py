"""A terminal session: consecutive matches with a tally, each saved and recorded."""

from collections import Counter
from contextlib import ExitStack
from datetime import date as Date
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEATS, Outcome, Seat
from evenodds.core.words import winner
from evenodds.figures.formatting import join_words
from evenodds.players.player import Player, Unavailable
from evenodds.players.profiles import names_for
from evenodds.players.registry import opponent, pick_timeout_s
from evenodds.solver import NotSolved
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.commands import QuitMatch
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.model_log import ModelLog
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile, resume_command

if TYPE_CHECKING:
    from random import Random

EXIT_FINISHED = 0
EXIT_INPUT_ENDED = 1
EXIT_PLAYER_UNAVAILABLE = 1
EXIT_INTERRUPTED = 130
DRAWS_TALLY_KEY = 0
DEFAULT_PACE_S: Final = 1.5
"""Seconds between two rounds of two computers on a terminal; in a pipe they do not wait."""


class NextAction(Enum):
    """What to do after a match."""

    AGAIN = "again"
    SWAP = "swap"
    OTHER = "other game"
    REVIEW = "review"
    QUIT = "quit"


NEXT_ACTION_PHRASES: Final = {
    NextAction.AGAIN: "play again",
    NextAction.SWAP: "swap seats",
    NextAction.OTHER: "other game",
    NextAction.REVIEW: "review",
    NextAction.QUIT: "quit",
}


class SessionOptions(NamedTuple):
    """The options of a session, for all its matches."""

    plain: bool
    record: str | None
    seed: int | None
    external_players: tuple[str, ...] = ()
    """Programs and models named on the command line; no others are allowed."""
    bot_seconds: float | None = None
    """Their time for a pick, if it was given."""
    pace_s: float | None = None
    """Seconds between two rounds of two computers, if given."""


class Session:
    """Consecutive matches at this keyboard, with a tally of wins."""

    def __init__(
        self,
        options: SessionOptions,
        screen: Screen | None = None,
        keyboard: Keyboard | None = None,
    ) -> None:
        self.options = options
        self.screen = screen or Screen(options.plain)
        self.keyboard = keyboard or Keyboard(self.screen)
        self.tally: Counter[int] = Counter()
        self.people = (1, 2)
        """The people who are Player 1 and Player 2; they may have swapped seats."""
        self.interactive = self.keyboard.terminal and self.screen.terminal and not options.plain
        """Whether input and output are a terminal: boards are drawn, and menus asked."""

    @cached_property
    def rng(self) -> "Random":
        """The random numbers of coin tosses and computers; repeatable with a seed."""
        from random import Random

        return Random(self.options.seed)

    def play(
        self, terms: Terms, saved: tuple[Match, MatchFile] | None = None
    ) -> tuple[int, NextAction, Terms]:
        """Play matches on these terms, seats swapped when asked, until the players want to stop.

        The first may be a saved one.
        """
        while True:
            match, match_file = saved or (Match(terms._replace(date=Date.today())), MatchFile())
            exit_code = self.play_match(match, match_file, resumed=saved is not None)
            saved = None
            if exit_code is not None or not self.interactive:
                return exit_code or EXIT_FINISHED, NextAction.QUIT, terms
            self._update_tally(match)
            following = self._ask_next()
            while following == NextAction.REVIEW:
                self._review(match)
                following = self._ask_next()
            if following in (NextAction.OTHER, NextAction.QUIT):
                return EXIT_FINISHED, following, terms
            if following == NextAction.SWAP:
                terms = self._swap(terms)

    def _swap(self, terms: Terms) -> Terms:
        if terms.game.simultaneous:
            self.people = self.people[::-1]
        return terms.swapped()

    def play_match(self, match: Match, match_file: MatchFile, resumed: bool = False) -> int | None:
        """Play one match; the exit code when it was left, None when it came to its end."""
        players: dict[Seat, Player] = {}
        exit_code: int | None = None
        model_log = ModelLog(match_file, self.screen)
        with self.keyboard.restoring_terminal():
            try:
                self._seat_opponents(match, players, model_log)
                loop = self._new_loop(match, match_file, players)
                usual = DEFAULT_PACE_S if self.interactive else 0.0
                loop.pace_s = usual if self.options.pace_s is None else self.options.pace_s
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
        return MatchLoop(
            match, self.screen, self.keyboard, match_file, players, interactive=self.interactive
        )

    def _run_loop(self, loop: MatchLoop, resumed: bool) -> int | None:
        """Run a match loop; the exit code when it was left, None when the match ended."""
        exit_code: int | None = None
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
            exit_code = EXIT_PLAYER_UNAVAILABLE
        finally:
            if exit_code is not None:
                self._show_left(loop, exit_code)
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

    def _show_left(self, loop: MatchLoop, exit_code: int) -> None:
        untouched = not loop.match.history and not any(loop.match.view().chosen)
        if exit_code == EXIT_FINISHED and untouched:
            loop.match_file.discard()
            self.screen.say("Nothing was played, so nothing is saved.")
            return
        if exit_code == EXIT_INTERRUPTED:
            self.screen.say("")
        loop.save()
        if loop.saved:
            command = resume_command(loop.match_file.id, loop.match)
            self.screen.say(f"The match is saved. Resume it with: {command}")

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

    def _update_tally(self, match: Match) -> None:
        """Add a match to the tally, and show it."""
        result = match.result
        assert result is not None
        names = names_for(match.terms)
        drawn = result.outcome == Outcome.DRAW
        self.tally[
            DRAWS_TALLY_KEY if drawn else self.people[names.order.index(winner(result.outcome))]
        ] += 1
        score = zip(map(names.inside, names.order), self.people, strict=True)
        wins = ", ".join(f"{name} won {self.tally[person]}" for name, person in score)
        draws = f", draws {self.tally[DRAWS_TALLY_KEY]}" if self.tally[DRAWS_TALLY_KEY] else ""
        self.screen.say("", f"So far: {wins}{draws}.")

    def _review(self, match: Match) -> None:
        """Show the review of a match; one line where it cannot be solved."""
        # With the solver: only when asked for.
        from evenodds.coach.review import review
        from evenodds.terminal.reports.review import show_review
        from evenodds.terminal.solving import solve_with_progress

        try:
            with self.keyboard.restoring_terminal():
                found = review(match, solve_with_progress(match.terms), names_for(match.terms))
        except NotSolved as error:
            self.screen.say(f"There is no review of this match: {error}.")
        except KeyboardInterrupt:
            self.screen.say("", "Review cancelled.")
        else:
            self.screen.say("")
            show_review(found, self.screen)
            self.screen.say("")

    def _ask_next(self, *offered: NextAction) -> NextAction:
        """Ask for the next action; all of them, or those offered."""
        choices = offered or tuple(NextAction)
        *phrases, last = (NEXT_ACTION_PHRASES[choice] for choice in choices)
        letters = "/".join(choice.value[0] for choice in choices)
        question = f"{', '.join(phrases).capitalize()}, or {last}? ({letters})"
        while True:
            try:
                answer = self.keyboard.read(question)
            except EOFError:
                return NextAction.QUIT
            words = answer.lower().split()
            for following in choices:
                if following.value.split()[0] in words or words == [following.value[0]]:
                    return following
            meant = [f"{choice.value[0]} ({choice.value})" for choice in choices]
            self.screen.say(f"Please answer {join_words(meant, 'or')}.")
