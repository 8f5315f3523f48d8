"""The interface of a table: one match as those who play or watch here meet it.

A front shows `view` and `events`, calls what a player does, and lets the others act by `advance`.
It does not know where the match is held.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.record import VOID_REASONS, MatchResult, View
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, Seat
from evenodds.core.words import Names, Words, winner
from evenodds.players.profiles import names_for_reader, profile
from evenodds.render.narration import tell_luck
from evenodds.system import EvenOddsError, Progress

if TYPE_CHECKING:
    from random import Random


class Action(StrEnum):
    """What can be done at a table beside picking."""

    HINT = "hint"
    UNDO = "undo"
    RESIGN = "resign"
    QUIT = "quit"
    CLAIM = "claim"


ACTIONS: Final = {
    Action.HINT: "what to pick here, and why",
    Action.UNDO: "take back a pick; another person is asked first",
    Action.RESIGN: "give up this match",
    Action.QUIT: "leave; you can come back to the match",
    Action.CLAIM: "win, once the other was away for too long",
}
"""What each is for."""


@dataclass(frozen=True)
class SessionOptions:
    """The options of a command that plays, for all its matches."""

    record: str | None = None
    seed: int | None = None
    external_players: tuple[str, ...] = ()
    """Programs and models named on the command line; no others are allowed."""
    bot_seconds: float | None = None
    """Their time for a pick, if it was given."""
    pace_s: float | None = None
    """Seconds between two rounds of two computers, if given."""

    @cached_property
    def rng(self) -> "Random":
        """The random numbers of coin tosses and computers; repeatable with a seed."""
        from random import Random

        return Random(self.seed)


class RoundPlayed(NamedTuple):
    """A round is complete."""

    before: Any
    picks: Pair
    after: Any
    luck: tuple[str, ...] = ()
    """What was drawn after it, and who leads then."""


class TakenBack(NamedTuple):
    """Rounds, or a pick, were taken back."""


class Ended(NamedTuple):
    """The match is over; what comes after this event is said after its result."""


class Notice(NamedTuple):
    """Lines to be said: of presence, clock, connection, files, computers."""

    lines: tuple[str, ...]


Event = RoundPlayed | TakenBack | Ended | Notice


class Refused(EvenOddsError):
    """What was asked for is not possible now; the message is a sentence."""


class TableView(NamedTuple):
    """A match as everybody at this keyboard may see it; no pick in it is hidden."""

    view: View
    before: Any = None
    """The position before the last round."""
    near: Seat = FIRST
    """The seat of the player here, or of Player 1."""
    asked: Seat | None = None
    """The seat that is to pick here."""
    hidden: bool = False
    """Whether picks are typed unseen, because two people share the keyboard."""
    people: tuple[Seat, ...] = ()
    """The seats that are played here."""
    labels: tuple[str, str] = ("", "")
    """What is said beside the names, by seat: which computer it is."""
    luck: tuple[str, ...] = ()
    """What was drawn last, and who leads."""

    @property
    def words(self) -> Words[Any]:
        """The words of its game."""
        return catalog.get(self.view.game).words


class Series:
    """The matches of the same players one after the other: who has won how many of them."""

    def __init__(self, length: int = 1) -> None:
        self.length = length
        """Of so many matches most are to be won; then the count begins anew."""
        self._matches: Counter[str | bool] = Counter()
        """By winner: seats change from match to match, and so may what an opponent is called."""

    def count(self, result: MatchResult, names: Names) -> list[str]:
        """Count a match that is over; how it stands from the second on, and who wins the series."""
        keys = {
            seat: seat == names.you if names.you is not None else name
            for seat, name in names.listed()
        }
        won = None if result.outcome == Outcome.DRAW else winner(result.outcome)
        if result.reason not in VOID_REASONS:
            self._matches["" if won is None else keys[won]] += 1
        if self._matches.total() < 2:
            return []
        counts = [f"{name} {self._matches[keys[seat]]}" for seat, name in names.listed()]
        counts += [f"draws {self._matches['']}"] * ("" in self._matches)
        said = [f"Matches won: {', '.join(counts)}."]
        if won is not None and self._matches[keys[won]] > self.length // 2 > 0:
            said.append(f"{names.does(won, 'win', 'wins')} the best of {self.length}.")
            self._matches.clear()
        return said


class Table(ABC):
    """A table. Its methods may block, and are called from one thread at a time.

    `leave` and `wake` may be called meanwhile: what another thread waits for is given up.
    """

    actions: tuple[Action, ...]
    """Those that do something here."""
    paced = False
    """Whether rounds come as fast as this machine plays: people need time to follow."""
    searches = False
    """Whether a computer plays otherwise than its profile says, and that was told."""
    resumed = False
    """Whether the match had begun before."""

    def __init__(
        self,
        options: SessionOptions,
        match: Match,
        people: tuple[Seat, ...],
        series: Series | None = None,
    ) -> None:
        self.options = options
        self.match = match
        """What was played, replayed by the rules of this machine; for a front to read."""
        self.people = people
        """The seats that are played here; none where two computers or others are watched."""
        self.series = series or Series()
        """This match and those before, of the same players."""
        self._events: list[Event] = []
        self._faults: set[str] = set()
        """What could not be saved, as it was told."""

    @property
    def asked(self) -> Seat | None:
        """The seat that is to pick here now: people pick before computers."""
        return next((seat for seat in self.waiting if seat in self.people), None)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose picks are missing, here or elsewhere."""
        return self.match.waiting()

    @property
    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round."""
        return self.match.view().chosen

    @property
    def hidden(self) -> bool:
        """Whether picks are typed unseen: two people share the keyboard, and both pick at once."""
        return len(self.people) == 2 and self.match.game.simultaneous

    @property
    def names(self) -> Names:
        """What the players are called to those here: "You" where one person plays here."""
        terms, people = self.match.terms, self.people
        return terms.names if len(people) == 2 else names_for_reader(terms, *people or (None,))

    @property
    def view(self) -> TableView:
        """What is seen here now."""
        match, names, asked = self.match, self.names, self.asked
        return TableView(
            match.view(asked)._replace(chosen=self.chosen, names=names),
            match.states[-2] if match.history else None,
            self.people[0] if len(self.people) == 1 else names.order[0],
            asked,
            self.hidden,
            self.people,
            (self._label(FIRST), self._label(SECOND)),
            self.luck,
        )

    @property
    def luck(self) -> tuple[str, ...]:
        """What was drawn after the last round, or before the first, and who leads."""
        return tuple(tell_luck(self.match, names=self.names))

    def _label(self, seat: Seat) -> str:
        computer = self.match.terms.computer(seat)
        name = profile(computer).name if computer else ""
        return "" if self.names[seat].startswith(name) else name

    def events(self) -> Iterator[Event]:
        """What has happened since the last call, and what happens while that is told."""
        while self._events:
            yield self._events.pop(0)

    def tell_first(self, why: str) -> None:
        """Say who begins, and why."""
        goes = self.names.sentence(FIRST, "you go", f"{self.names[FIRST]} goes")
        self._tell(f"{why}: {goes} first.", "")

    def _tell(self, *lines: str) -> None:
        if lines:
            self._events.append(Notice(lines))

    @contextmanager
    def _telling_faults(self, sentence: str) -> Iterator[None]:
        """Say why something cannot be saved, once for each reason; play goes on."""
        try:
            yield
        except OSError as error:
            said = sentence.format(error.strerror or error)
            if said not in self._faults:
                self._faults.add(said)
                self._tell(said)

    def _tell_round(self) -> None:
        before, after = self.match.states[-2:]
        self._events.append(RoundPlayed(before, self.match.history[-1], after, self.luck))

    def _conclude(self) -> None:
        """Tell and count a match that is over; record it, also one that is left."""
        if self.match.result:
            self._events.append(Ended())
            self._tell(*self.series.count(self.match.result, self.names))
        if self.options.record is not None:
            from evenodds.table import records

            with self._telling_faults("The match could not be recorded: {}."):
                records.append(self.options.record, self._notation())

    def _notation(self) -> str:
        from evenodds.core import notation

        return notation.write(self.match)

    @abstractmethod
    def start(self, progress: Progress) -> None:
        """Get ready: computers that play by the solution wait for it."""

    @abstractmethod
    def advance(self, source: Any = None) -> bool:
        """Let the others act until something happens: True, and the events say what.

        False where nothing can happen, `wake` was called, or a file (`source`) can be read first.
        """

    def listen(self, source: Any = None) -> bool:
        """As `advance`, while somebody here is asked: only what comes from elsewhere happens."""
        return False

    def wake(self) -> None:  # noqa: B027 - most tables have nothing to interrupt
        """Let `advance` return early."""

    @abstractmethod
    def pick(self, seat: Seat, number: int) -> None:
        """Pick a number; `IllegalPick` says why it is refused."""

    def consenting(self, seat: Seat) -> Seat | None:
        """The seat here that must agree before a seat may take back; `Refused` with nothing to."""
        return None

    @abstractmethod
    def take_back(self, seat: Seat) -> None:
        """Take back the last pick of a seat; of a person elsewhere it is asked, or granted."""

    @abstractmethod
    def resign(self, seat: Seat) -> None:
        """Give up the match."""

    def claim(self) -> None:
        """Claim the win over somebody who is away for too long."""
        raise Refused("There is nothing to claim.")

    @abstractmethod
    def rematch(self) -> "Table | None":
        """The next match of the same players; None while the other has not agreed."""

    @abstractmethod
    def leave(self) -> list[str]:
        """Leave the table for good; how to come back to an open match."""
