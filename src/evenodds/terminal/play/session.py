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
from evenodds.players.player import Player, Unavailable
from evenodds.players.registry import opponent, pick_timeout_s
from evenodds.solver import NotSolved
from evenodds.system.text import listed
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.commands import QuitMatch
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.model_log import ModelLog
from evenodds.terminal.progress import progress_bar
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile, resume_command

if TYPE_CHECKING:
    from random import Random

EXIT_FINISHED = 0
EXIT_INPUT_ENDED = 1
EXIT_PLAYER_UNAVAILABLE = 1
EXIT_INTERRUPTED = 130
DRAWS_TALLY_KEY = 0


class NextAction(Enum):
    """What comes after a match."""

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
    """How an evening is played, whatever the game."""

    plain: bool
    record: str | None
    seed: int | None
    strangers: tuple[str, ...] = ()
    """The programs and models that were named on the command line; no other is let in."""
    bot_seconds: float | None = None
    """What they have for a pick, if somebody said so."""


class Session:
    """The players at this keyboard, and how often each has won."""

    def __init__(self, manner: SessionOptions) -> None:
        self.manner = manner
        self.screen = Screen(manner.plain)
        self.keyboard = Keyboard(self.screen)
        self.tally: Counter[int] = Counter()
        self.people = (1, 2)
        """Who sits as Player 1 and Player 2; they may have changed places."""
        self.lively = self.keyboard.terminal and self.screen.terminal and not manner.plain
        """Whether there is somebody to ask what comes next."""

    @cached_property
    def chance(self) -> "Random":
        """Where coins and computers draw from; repeatable with a seed."""
        from random import Random

        return Random(self.manner.seed)

    def play(
        self, terms: Terms, left: tuple[Match, MatchFile] | None = None
    ) -> tuple[int, NextAction, Terms]:
        """Matches on these terms, seats swapped when asked, until something else is wanted.

        The first may be one that was left and is taken up again.
        """
        while True:
            match, slot = left or (Match(terms._replace(date=Date.today())), MatchFile())
            status = self.sit(match, slot, resumed=left is not None)
            left = None
            if status is not None or not self.lively:
                return status or EXIT_FINISHED, NextAction.QUIT, terms
            self._count(match)
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

    def sit(self, match: Match, slot: MatchFile, resumed: bool = False) -> int | None:
        """Play one match; the exit code when it was left, None when it came to its end."""
        players: dict[Seat, Player] = {}
        status: int | None = None
        talk = ModelLog(slot, self.screen)
        with self.keyboard.at_work():
            try:
                self._seat_opponents(match, players, talk)
                table = MatchLoop(
                    match, self.screen, self.keyboard, slot, players, dramatic=self.lively
                )
                status = self._attend(table, resumed)
                self._record(match)  # seeing players off may be cut short; this must not be
            finally:
                with ExitStack() as departures:  # the last is the first
                    departures.callback(slot.release)
                    departures.callback(talk.end, self.manner.record)
                    departures.callback(self._tell_faults, match)
                    for seat, player in players.items():
                        departures.callback(player.leave, match.view(seat))
        return status

    def _attend(self, table: MatchLoop, resumed: bool) -> int | None:
        """Play at a table; the exit code when it was left, None when the match came to its end."""
        status: int | None = None
        try:
            (table.recall if resumed else table.open)()
            table.play()
        except QuitMatch:
            status = EXIT_FINISHED
        except EOFError:
            status = EXIT_INPUT_ENDED
        except KeyboardInterrupt:
            status = EXIT_INTERRUPTED
        except Unavailable:
            status = EXIT_PLAYER_UNAVAILABLE
        finally:
            if status is not None:
                self._leave(table, status)
        return status

    def _seat_opponents(self, match: Match, players: dict[Seat, Player], talk: ModelLog) -> None:
        """Seat the computers; what they must know first is found out before play."""
        computers = {seat: match.terms.computer(seat) for seat in SEATS}
        if not any(computers.values()):
            return
        with progress_bar() as progress:
            for seat, name in computers.items():
                if name:
                    seconds = self._seconds_for(name)
                    players[seat] = opponent(
                        name,
                        match.terms,
                        seat,
                        self.chance,
                        progress,
                        seconds,
                        log_line=talk.keep,
                    )
        self._tell_faults(match)

    def _tell_faults(self, match: Match) -> None:
        """Say what a reader could not recall or keep."""
        if "reader" in match.terms.computers:
            from evenodds.players.reader.memory import SHARED_MEMORY

            self.screen.say(*SHARED_MEMORY.take_faults())

    def _seconds_for(self, name: str) -> float | None:
        """What an opponent has for a pick if it is a stranger whom somebody here has named."""
        named = name in self.manner.strangers
        return pick_timeout_s(name, self.manner.bot_seconds) if named else None

    def _leave(self, table: MatchLoop, status: int) -> None:
        untouched = not table.match.history and not any(table.match.view().chosen)
        if status == EXIT_FINISHED and untouched:
            table.slot.discard()
            self.screen.say("Nothing was played, so nothing is kept.")
            return
        if status == EXIT_INTERRUPTED:
            self.screen.say("")
        table.save()
        if table.saved:
            self.screen.say(
                f"The match is saved. Resume it with: {resume_command(table.slot.id, table.match)}"
            )

    def _record(self, match: Match) -> None:
        if self.manner.record is None:
            return
        from evenodds.terminal.storage import records

        try:
            records.append(self.manner.record, self._written(match))
        except OSError as error:
            self.screen.say(f"The match could not be recorded: {error.strerror or error}.")

    def _written(self, match: Match) -> str:
        """A match as it is recorded."""
        from evenodds.core import notation

        return notation.write(match)

    def _count(self, match: Match) -> None:
        """Add a match to the tally of the people who played it, and say how it stands."""
        result = match.result
        assert result is not None
        order = match.names.order
        drawn = result.outcome == Outcome.DRAW
        self.tally[
            DRAWS_TALLY_KEY if drawn else self.people[order.index(winner(result.outcome))]
        ] += 1
        score = zip(match.terms.players, self.people, strict=True)
        wins = ", ".join(f"{name} won {self.tally[person]}" for name, person in score)
        draws = f", draws {self.tally[DRAWS_TALLY_KEY]}" if self.tally[DRAWS_TALLY_KEY] else ""
        self.screen.say("", f"So far: {wins}{draws}.")

    def _review(self, match: Match) -> None:
        """What each pick of the match gave away; one line where that cannot be known."""
        from evenodds.terminal.reports import review  # with the solver: only when asked for

        try:
            with self.keyboard.at_work():
                found = review.review_with_progress(match)
        except NotSolved as error:
            self.screen.say(f"There is no review of this match: {error}.")
        except KeyboardInterrupt:
            self.screen.say("", "The review is left out.")
        else:
            self.screen.say("")
            review.show_review(found, self.screen)
            self.screen.say("")

    def _ask_next(self, *offered: NextAction) -> NextAction:
        """What comes next, of all that there is or of what is offered."""
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
            self.screen.say(f"Please answer {listed(meant, 'or')}.")
