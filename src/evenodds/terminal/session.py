"""An evening at one keyboard: one match after another, with a tally, each kept and recorded."""

from collections import Counter
from datetime import date as Date
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from evenodds.match import Match
from evenodds.players import opponent
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.screen import Screen
from evenodds.terminal.store import Slot
from evenodds.terminal.table import Quit, Table
from evenodds.terms import Terms
from evenodds.vocabulary import SEATS, Outcome
from evenodds.words import winner

if TYPE_CHECKING:
    from random import Random

FINISHED = 0
INPUT_ENDED = 1
INTERRUPTED = 130


class Next(Enum):
    """What comes after a match."""

    AGAIN = "again"
    SWAP = "swap"
    OTHER = "other"
    QUIT = "quit"


class Manner(NamedTuple):
    """How an evening is played, whatever the game."""

    plain: bool
    record: str | None
    seed: int | None


class Session:
    """The players at this keyboard, and how often each has won."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.screen = Screen(manner.plain)
        self.keyboard = Keyboard(self.screen)
        self.tally: Counter[str] = Counter()
        self.lively = self.keyboard.terminal and self.screen.terminal and not manner.plain
        """Whether there is somebody to ask what comes next."""

    @cached_property
    def chance(self) -> "Random":
        """Where coins and computers draw from; repeatable with a seed."""
        from random import Random

        return Random(self.manner.seed)

    def play(self, terms: Terms) -> tuple[int, Next]:
        """Matches on these terms, seats swapped when asked, until something else is wanted."""
        while True:
            match = Match(terms._replace(date=Date.today()))
            status = self.sit(match, Slot())
            if status is not None:
                return status, Next.QUIT
            if not self.lively:
                return FINISHED, Next.QUIT
            following = self._ask_next(match)
            if following in (Next.OTHER, Next.QUIT):
                return FINISHED, following
            terms = terms.swapped() if following == Next.SWAP else terms

    def sit(self, match: Match, slot: Slot, resumed: bool = False) -> int | None:
        """Play one match; the exit code when it was left, None when it came to its end."""
        players = {
            seat: opponent(match.terms.computer(seat), self.chance)
            for seat in SEATS
            if match.terms.computer(seat)
        }
        table = Table(match, self.screen, self.keyboard, slot, players, plain=self.manner.plain)
        status: int | None = None
        try:
            with self.keyboard.at_work():
                (table.recall if resumed else table.open)()
                table.play()
        except Quit:
            status = FINISHED
        except EOFError:
            status = INPUT_ENDED
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:
            if status is not None:
                self._leave(table, status)
            slot.release()
        self._record(match)
        return status

    def _leave(self, table: Table, status: int) -> None:
        untouched = not table.match.history and not any(table.match.view().chosen)
        if status == FINISHED and untouched:
            table.slot.discard()
            self.screen.say("Nothing was played, so nothing is kept.")
            return
        if status == INTERRUPTED:
            self.screen.say("")
        table.save()
        if table.slot.id:
            self.screen.say(f"The match is saved. Resume it with: evenodds resume {table.slot.id}")

    def _record(self, match: Match) -> None:
        if self.manner.record is None:
            return
        from evenodds.terminal import records

        try:
            records.append(self.manner.record, match)
        except OSError as error:
            self.screen.say(f"The match could not be recorded: {error}.")

    def _ask_next(self, match: Match) -> Next:
        """Again, swapped, another game, or enough; with the tally so far."""
        result = match.result
        assert result is not None
        drawn = result.outcome == Outcome.DRAW
        self.tally["draws" if drawn else match.names[winner(result.outcome)]] += 1
        wins = ", ".join(f"{name} won {self.tally[name]}" for _, name in match.names.listed())
        draws = f", draws {self.tally['draws']}" if self.tally["draws"] else ""
        self.screen.say("", f"So far: {wins}{draws}.")
        while True:
            try:
                answer = self.keyboard.read(
                    "Play again, swap seats, other game, or quit? (a/s/o/q)"
                )
            except EOFError:
                return Next.QUIT
            for following in Next:
                if answer.strip().lower() in (following.value, following.value[0]):
                    return following
            self.screen.say("Please answer a (again), s (swap seats), o (other game) or q (quit).")
