"""State of one match, folded from its event log and from nothing else.

A room changes only by `take`, which folds one event into it, so that any process that reads the
same events stands at the same position. The match is the only judge of rules.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick, Match
from evenodds.core.record import VOID_REASON, MatchResult, View
from evenodds.core.rulings import as_data
from evenodds.core.seals import Seal, UnplayedCommitment
from evenodds.core.terms import Terms, agree, check_players
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Seat, other
from evenodds.server.storage.events import Event

PICK, REVEAL = "pick", "reveal"
"""What a round waits for: picks or, where they are sealed, that they are shown."""


class MatchState:
    """A match, who sits there, which picks are in, and until when the others may come."""

    def __init__(
        self,
        id: str,
        opened: Event,
        lost: Callable[[float], float] = lambda since: 0.0,
        absence_s: float = 300.0,
    ) -> None:
        self.id = id
        self.seq = opened.seq
        self.terms = terms_of(opened.data)
        self.match = Match(self.terms)
        self.computers: Final = tuple(bool(self.terms.computer(seat)) for seat in SEATS)
        """Which seats are a computer's."""
        self.clock: int | None = opened.data["clock"]
        """Seconds for each pick, and for each reveal."""
        self.since = opened.at
        """When those who are waited for began to be."""
        self.lost = lost
        """How many seconds since a moment count on no clock, for nobody served."""
        self.absence_s = absence_s
        """Seconds after which a player who is away loses to a claim, where there is no clock."""
        self.absent: dict[Seat, float] = {}
        """Since when those who are waited for are away."""
        self.stage = 0
        """How often that has changed: with each round, and when picks are to be revealed."""
        self.sealed: bool = opened.data.get("sealed", False)
        self.listed: bool = opened.data["listed"]
        self.joined: list[bool] = list(opened.data["joined"])
        """Whether Player 1 and Player 2 have come; computers are always there."""
        self.chosen: set[Seat] = set()
        """The seats with a pick in this round."""
        self.commitments: dict[Seat, str] = {}
        """In a sealed match, what each of them has promised."""
        self.revealed: set[Seat] = set()
        self.seals: list[tuple[Seal, Seal]] = []
        """In a sealed match, the promises of each round and what opened them."""
        self.unplayed: tuple[UnplayedCommitment | None, UnplayedCommitment | None] = (None, None)
        """In a sealed match, the promises of a last round that did not come to be played."""
        self.numbers: dict[Seat, tuple[int, str]] = {}
        """Picks with their salts, as far as they came here; never told to anyone."""
        self.offers: set[Seat] = set()
        self.rematch = ""
        self.void = False
        self._asked = frozenset(self.match.waiting())
        """The seats that pick in this round."""
        self._waiting: tuple[Seat, ...] | None = None

    def take(self, event: Event) -> None:
        """Fold one event into the room."""
        assert event.seq == self.seq + 1, "events are folded in order"
        getattr(self, f"_{event.kind}")(event)
        self.seq = event.seq
        self._waiting = None

    @property
    def ready(self) -> bool:
        """Whether everyone has come."""
        return all(self.joined)

    @property
    def result(self) -> MatchResult | None:
        """How the match ended; a void match has ended for nobody."""
        return MatchResult(Outcome.DRAW, VOID_REASON) if self.void else self.match.result

    @property
    def cancelled(self) -> bool:
        """Whether the match was given up before everyone had come."""
        return self.void and not self.ready

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.result is not None

    @property
    def phase(self) -> str:
        """What the round waits for."""
        return REVEAL if self.sealed and self._asked <= self.chosen and not self.over else PICK

    @property
    def deadline(self) -> float | None:
        """When the time of those who are waited for is up, where there is a clock."""
        if not self.clock or not self._timed():
            return None
        return self.since + self.clock + self.lost(self.since)

    def absence(self, seat: Seat) -> float | None:
        """Until when a player who is away may come back; after that, the other may claim to win."""
        since = self.absent.get(seat)
        if since is None or seat not in self.waiting():
            return None
        return since + self.absence_s + self.lost(since)

    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose pick, or whose reveal, is still to come."""
        if self._waiting is None:
            done = self.revealed if self.phase == REVEAL else self.chosen
            asked = self._asked if self.ready and not self.over else ()
            self._waiting = tuple(seat for seat in SEATS if seat in asked and seat not in done)
        return self._waiting

    def late(self, now: float) -> tuple[Seat, ...]:
        """The seats that are past their time."""
        deadline = self.deadline
        return self._timed() if deadline is not None and now > deadline else ()

    def _timed(self) -> tuple[Seat, ...]:
        """The seats whose time runs: a computer that is late is late by no fault of its own."""
        return tuple(seat for seat in self.waiting() if not self.computers[seat])

    def can_take_back(self, seat: Seat | None) -> bool:
        """Whether a seat may take a pick back: against a computer, and where nothing is sealed."""
        if seat is None or self.over or self.sealed or not self.computers[other(seat)]:
            return False
        return any(picks[seat] != PASS for picks in self.match.history)

    def choices(self, seat: Seat | None) -> tuple[int, ...]:
        """The numbers that a seat may pick now."""
        if seat is None or self.phase == REVEAL or seat not in self.waiting():
            return ()
        return self.match.choices(seat)

    def view(self, seat: Seat | None) -> View:
        """What a seat, or a spectator, may see: that a pick is in, and never which."""
        view = self.match.view(seat)
        chosen = (SEATS[0] in self.chosen, SEATS[1] in self.chosen)
        return view._replace(chosen=chosen, choices=self.choices(seat), result=self.result)

    def check(self, seat: Seat, round: int, at: float) -> None:
        """Refuse whatever comes at the wrong time: `IllegalPick` says why."""
        self.check_time(seat, at)
        if self.void:
            raise IllegalPick(MATCH_OVER_MESSAGE)
        if not self.ready:
            raise IllegalPick("nobody sits opposite yet")
        self.match.check_turn(seat, round, self.chosen)

    def check_time(self, seat: Seat, at: float) -> None:
        """Refuse what came after the time of a seat was up."""
        if seat in self.late(at):
            raise IllegalPick("your time is up")

    def completes(self, seat: Seat) -> bool:
        """Whether the pick, or the reveal, of this seat is the last of the round."""
        return all(asked == seat for asked in self.waiting())

    def _joined(self, event: Event) -> None:
        place = event.data["player"] - 1
        self.joined[place] = True
        names = list(self.terms.players)
        names[place] = event.data["name"]
        self.terms = self.terms._replace(players=check_players(tuple(names)))
        self.match = Match(self.terms)
        self._begin_round(event)

    def _picked(self, event: Event) -> None:
        seat = event.data["seat"]
        self.chosen.add(seat)
        if self.sealed:
            self.commitments[seat] = event.data["commitment"]
            if self.phase == REVEAL:
                self._begin(event)

    def _absent(self, event: Event) -> None:
        self.absent[event.data["seat"]] = event.at

    def _present(self, event: Event) -> None:
        self.absent.pop(event.data["seat"], None)

    def _revealed(self, event: Event) -> None:
        self.revealed.add(event.data["seat"])

    def _played(self, event: Event) -> None:
        first, second = event.data["picks"]
        if self.sealed:
            promised = (self.commitments[seat] for seat in SEATS)
            one, two = map(Seal, promised, event.data["salts"])
            self.seals.append((one, two))
        self.match.play((first, second))
        self._begin_round(event)

    def _undone(self, event: Event) -> None:
        while len(self.match.history) > event.data["rounds"]:
            self.match.undo()
        self._begin_round(event)

    def _ended(self, event: Event) -> None:
        one, two = (self._left_by(seat, event) for seat in SEATS)
        self.unplayed = (one, two)
        if event.data["reason"] == VOID_REASON:
            self.void = True
        else:
            self.match.lose(event.data["loser"], event.data["reason"])
        self._begin_round(event)

    def _left_by(self, seat: Seat, ended: Event) -> UnplayedCommitment | None:
        """What a seat has promised in the round that the match ended in, and shown of it."""
        if seat not in self.commitments:
            return None
        number, salt = ended.data.get("shown", {}).get(str(seat), (None, ""))
        return UnplayedCommitment(self.commitments[seat], number, salt)

    def _offered(self, event: Event) -> None:
        self.offers.add(event.data["seat"])

    def _rematch(self, event: Event) -> None:
        self.rematch = event.data["match"]

    def _begin(self, event: Event) -> None:
        self.since = event.at
        self.stage += 1

    def _begin_round(self, event: Event) -> None:
        self._begin(event)
        self._asked = frozenset(self.match.waiting())
        for kept in (self.chosen, self.commitments, self.revealed, self.numbers, self.absent):
            kept.clear()


class MatchOptions(NamedTuple):
    """What is agreed on a server besides the terms of the match."""

    clock: int | None = None
    sealed: bool = False
    listed: bool = False


def opening(terms: Terms, sitting: MatchOptions, joined: tuple[bool, bool]) -> dict[str, Any]:
    """The event of opening a match on some terms; `terms_of` reads them there."""
    return {
        "game": terms.game.name,
        "rulings": as_data(terms.rulings),
        "players": terms.players,
        "first": terms.first,
        "repetition": terms.repetition,
        "computers": terms.computers,
        **sitting._asdict(),
        "joined": joined,
    }


def terms_of(data: dict[str, Any]) -> Terms:
    """The terms in an event of opening."""
    game = catalog.get(data["game"])
    one, two = data["players"]
    first, second = data["computers"]
    return agree(
        game,
        data["rulings"],
        players=(one, two),
        first=data["first"],
        repetition=data["repetition"],
        computers=(first, second),
    )
