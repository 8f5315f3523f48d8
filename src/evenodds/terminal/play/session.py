"""An evening at one keyboard: one match after another, with a tally, each kept and recorded."""

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
from evenodds.players.registry import opponent, seconds_for
from evenodds.solver import NotSolved
from evenodds.system.text import listed
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.commands import Quit
from evenodds.terminal.play.match_loop import Table
from evenodds.terminal.play.model_logs import Talk
from evenodds.terminal.progress import shown_progress
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import Slot, way_back

if TYPE_CHECKING:
    from random import Random

FINISHED = 0
INPUT_ENDED = 1
STUCK = 1
INTERRUPTED = 130
DRAWS = 0


class Next(Enum):
    """What comes after a match."""

    AGAIN = "again"
    SWAP = "swap"
    OTHER = "other game"
    REVIEW = "review"
    QUIT = "quit"


PHRASES: Final = {
    Next.AGAIN: "play again",
    Next.SWAP: "swap seats",
    Next.OTHER: "other game",
    Next.REVIEW: "review",
    Next.QUIT: "quit",
}


class Manner(NamedTuple):
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

    def __init__(self, manner: Manner) -> None:
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

    def play(self, terms: Terms, left: tuple[Match, Slot] | None = None) -> tuple[int, Next, Terms]:
        """Matches on these terms, seats swapped when asked, until something else is wanted.

        The first may be one that was left and is taken up again.
        """
        while True:
            match, slot = left or (Match(terms._replace(date=Date.today())), Slot())
            status = self.sit(match, slot, resumed=left is not None)
            left = None
            if status is not None or not self.lively:
                return status or FINISHED, Next.QUIT, terms
            self._count(match)
            following = self._ask_next()
            while following == Next.REVIEW:
                self._review(match)
                following = self._ask_next()
            if following in (Next.OTHER, Next.QUIT):
                return FINISHED, following, terms
            if following == Next.SWAP:
                terms = self._swap(terms)

    def _swap(self, terms: Terms) -> Terms:
        if terms.game.simultaneous:
            self.people = self.people[::-1]
        return terms.swapped()

    def sit(self, match: Match, slot: Slot, resumed: bool = False) -> int | None:
        """Play one match; the exit code when it was left, None when it came to its end."""
        players: dict[Seat, Player] = {}
        status: int | None = None
        talk = Talk(slot, self.screen)
        with self.keyboard.at_work():
            try:
                self._seat_opponents(match, players, talk)
                table = Table(
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

    def _attend(self, table: Table, resumed: bool) -> int | None:
        """Play at a table; the exit code when it was left, None when the match came to its end."""
        status: int | None = None
        try:
            (table.recall if resumed else table.open)()
            table.play()
        except Quit:
            status = FINISHED
        except EOFError:
            status = INPUT_ENDED
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Unavailable:
            status = STUCK
        finally:
            if status is not None:
                self._leave(table, status)
        return status

    def _seat_opponents(self, match: Match, players: dict[Seat, Player], talk: Talk) -> None:
        """Seat the computers; what they must know first is found out before play."""
        computers = {seat: match.terms.computer(seat) for seat in SEATS}
        if not any(computers.values()):
            return
        with shown_progress() as progress:
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
                        keep=talk.keep,
                    )
        self._tell_faults(match)

    def _tell_faults(self, match: Match) -> None:
        """Say what a reader could not recall or keep."""
        if "reader" in match.terms.computers:
            from evenodds.players.reader.memory import MEMORY

            self.screen.say(*MEMORY.faults())

    def _seconds_for(self, name: str) -> float | None:
        """What an opponent has for a pick if it is a stranger whom somebody here has named."""
        named = name in self.manner.strangers
        return seconds_for(name, self.manner.bot_seconds) if named else None

    def _leave(self, table: Table, status: int) -> None:
        untouched = not table.match.history and not any(table.match.view().chosen)
        if status == FINISHED and untouched:
            table.slot.discard()
            self.screen.say("Nothing was played, so nothing is kept.")
            return
        if status == INTERRUPTED:
            self.screen.say("")
        table.save()
        if table.saved:
            self.screen.say(
                f"The match is saved. Resume it with: {way_back(table.slot.id, table.match)}"
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
        self.tally[DRAWS if drawn else self.people[order.index(winner(result.outcome))]] += 1
        score = zip(match.terms.players, self.people, strict=True)
        wins = ", ".join(f"{name} won {self.tally[person]}" for name, person in score)
        draws = f", draws {self.tally[DRAWS]}" if self.tally[DRAWS] else ""
        self.screen.say("", f"So far: {wins}{draws}.")

    def _review(self, match: Match) -> None:
        """What each pick of the match gave away; one line where that cannot be known."""
        from evenodds.terminal.reports import review  # with the solver: only when asked for

        try:
            with self.keyboard.at_work():
                found = review.reviewed(match)
        except NotSolved as error:
            self.screen.say(f"There is no review of this match: {error}.")
        except KeyboardInterrupt:
            self.screen.say("", "The review is left out.")
        else:
            self.screen.say("")
            review.show_review(found, self.screen)
            self.screen.say("")

    def _ask_next(self, *offered: Next) -> Next:
        """What comes next, of all that there is or of what is offered."""
        choices = offered or tuple(Next)
        *phrases, last = (PHRASES[choice] for choice in choices)
        letters = "/".join(choice.value[0] for choice in choices)
        question = f"{', '.join(phrases).capitalize()}, or {last}? ({letters})"
        while True:
            try:
                answer = self.keyboard.read(question)
            except EOFError:
                return Next.QUIT
            words = answer.lower().split()
            for following in choices:
                if following.value.split()[0] in words or words == [following.value[0]]:
                    return following
            meant = [f"{choice.value[0]} ({choice.value})" for choice in choices]
            self.screen.say(f"Please answer {listed(meant, 'or')}.")
