"""State of one match, folded from its event log and from nothing else.

A state changes only by `apply`, so that all processes that read the same events have the same
state. Rules are checked by `core.match.Match` alone.
"""

from collections.abc import Callable
from typing import Final, Literal

from evenodds.core import luck
from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick, Match, annul, check_turn
from evenodds.core.notation.seals import Seal, UnplayedCommitment, commitment
from evenodds.core.record import CANCELLED_REASON, VOID_REASON, VOID_REASONS, MatchResult, View
from evenodds.core.vocabulary import PASS, SEAT_NAMES, SEATS, Seat, other
from evenodds.protocol import events
from evenodds.server.matches.opening import opened_terms, with_name
from evenodds.server.storage.ledger_entries import Event

PICK: Final = "pick"
REVEAL: Final = "reveal"
"""Phases of a round; the second only where picks are sealed."""


class MatchState:
    """A match with its players, the picks of the round, and its deadlines."""

    def __init__(
        self,
        id: str,
        opened: Event,
        outage_seconds_since: Callable[[float], float] = lambda since: 0.0,
        absence_s: float = 300.0,
    ) -> None:
        event = opened.content
        assert isinstance(event, events.Opened), "the first event opens the match"
        self.id = id
        self.seq = opened.seq
        self.picked_last: Seat | None = None
        """The seat of the last event, where that is a pick which does not complete the round."""
        self.terms = opened_terms(event)
        self.seed: Final = event.seed
        """What all draws follow from; shown to nobody before the match is over."""
        self.match = Match(self.terms, seed=event.seed)
        self.computers: Final = tuple(bool(self.terms.computer(seat)) for seat in SEATS)
        """Which seats are played by a computer."""
        self.clock: int | None = event.clock
        """Seconds for each pick, and for each reveal."""
        self.waiting_since = opened.at
        """When the clock of the waiting seats was last restarted."""
        self._outage_seconds_since = outage_seconds_since
        """Seconds of outage since a moment; they count on no clock."""
        self.absence_s = absence_s
        """Seconds of absence after which the other player may claim a win; used without a clock."""
        self.absent: dict[Seat, float] = {}
        """Since when seats that are waited for are absent."""
        self.stage = 0
        """Counts restarts of the clock: it changes with each round and each reveal phase."""
        self.sealed = event.sealed
        self.listed = event.listed
        self.joined = list(event.joined)
        """Whether Player 1 and Player 2 have joined; computers always have."""
        self.chosen: set[Seat] = set()
        """The seats with a pick in this round."""
        self.commitments: dict[Seat, str] = {}
        """In a sealed match, the commitment of each of them."""
        self.revealed: set[Seat] = set()
        self.seals: list[tuple[Seal, Seal]] = []
        """In a sealed match, commitments and salts of each round."""
        self.unplayed: tuple[UnplayedCommitment | None, UnplayedCommitment | None] = (None, None)
        """In a sealed match, the commitments of a last round that was not played."""
        self.secret_picks: dict[Seat, tuple[int, str]] = {}
        """Picks and salts of this round, as far as this process knows them; never in a view."""
        self.takeback_asked: Seat | None = None
        """The seat that asks to take back its last pick; the next pick ends the request."""
        self.takeback_refused: set[Seat] = set()
        """The seats whose request was refused in this round."""
        self.offers: set[Seat] = set()
        self.rematch = ""
        self._dice_commitment = luck.commitment(id, self.seed) if self.seed else ""
        self._picking = frozenset(self.match.waiting())
        """The seats that pick in this round."""
        self._waiting: tuple[Seat, ...] | None = None

    def apply(self, event: Event) -> None:
        """Fold one event into the state."""
        # No await in here: readers on the event loop see the state before or after an event.
        assert event.seq == self.seq + 1, "events are folded in order"
        self.picked_last = None
        match event.content:
            case events.Joined() | events.Played() | events.Undone() | events.Ended() as change:
                self._change_match(change)
                self._begin_round(event.at)
            case events.Picked() as picked:
                self._take_pick(picked, event.at)
            case events.Revealed(seat):
                self.revealed.add(seat)
            case events.TakeBackAsked(seat):
                self.takeback_asked = seat
            case events.TakeBackRefused(seat):
                self.takeback_asked = None
                self.takeback_refused.add(seat)
            case events.Absent(seat):
                self.absent[seat] = event.at
            case events.Present(seat):
                self.absent.pop(seat, None)
            case events.Offered(seat, stands):
                self.offers = self.offers | {seat} if stands else self.offers - {seat}
            case events.RematchOpened(id):
                self.rematch = id
        self.seq = event.seq
        self._waiting = None

    @property
    def ready(self) -> bool:
        """Whether both players have joined."""
        return all(self.joined)

    @property
    def result(self) -> MatchResult | None:
        """How the match ended; a cancelled match is void as well, and its record says which."""
        result = self.match.result
        if result is not None and result.reason in VOID_REASONS:
            return result._replace(reason=VOID_REASON)
        return result

    @property
    def over(self) -> bool:
        """Whether the match has a result."""
        return self.result is not None

    @property
    def dice(self) -> luck.Dice | None:
        """The commitment to the seed of the draws, with the seed once the match is over."""
        if not self.seed:
            return None
        return luck.Dice(self.id, self._dice_commitment, self.seed if self.over else "")

    @property
    def phase(self) -> Literal["pick", "reveal"]:
        """`PICK` or `REVEAL`."""
        return REVEAL if self.sealed and self._picking <= self.chosen and not self.over else PICK

    @property
    def deadline(self) -> float | None:
        """When the waiting seats are overdue, where there is a clock."""
        if not self.clock or not self._on_clock():
            return None
        return self.waiting_since + self.clock + self._outage_seconds_since(self.waiting_since)

    def absence_deadline(self, seat: Seat) -> float | None:
        """Until when an absent player may return; then the other may claim the win."""
        since = self.absent.get(seat)
        if since is None or seat not in self.waiting():
            return None
        return since + self.absence_s + self._outage_seconds_since(since)

    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose pick, or whose reveal, is missing."""
        if self._waiting is None:
            done = self.revealed if self.phase == REVEAL else self.chosen
            asked = self._picking - done if self.ready and not self.over else ()
            self._waiting = tuple(sorted(asked))
        return self._waiting

    def overdue(self, now: float) -> tuple[Seat, ...]:
        """The seats whose deadline has passed."""
        deadline = self.deadline if self.clock else None
        return self._on_clock() if deadline is not None and now > deadline else ()

    def _on_clock(self) -> tuple[Seat, ...]:
        """The seats whose clock runs. A computer has none: its delays are the server's fault."""
        return tuple(seat for seat in self.waiting() if not self.computers[seat])

    def can_take_back(self, seat: Seat | None) -> bool:
        """Whether a seat may take a pick back, or ask another person for it.

        A computer always agrees. A person is asked in games of turns, once a round: whoever has
        seen a secret number does not pick against it again.
        """
        if seat is None or self.over or self.sealed:
            return False
        if not self.computers[other(seat)]:
            asked = self.takeback_asked is not None or seat in self.takeback_refused
            if asked or self.terms.game.simultaneous:
                return False
        return any(picks[seat] != PASS for picks in self.match.history)

    def choices(self, seat: Seat | None) -> tuple[int, ...]:
        """The numbers that a seat may pick now."""
        if seat is None or self.phase == REVEAL or seat not in self.waiting():
            return ()
        return self.match.choices(seat)

    def view(self, seat: Seat | None) -> View:
        """What a seat, or a spectator, may see: that a pick was made, and never which."""
        view = self.match.view(seat)
        chosen = (SEATS[0] in self.chosen, SEATS[1] in self.chosen)
        return view._replace(chosen=chosen, choices=self.choices(seat), result=self.result)

    def check(self, seat: Seat, round: int) -> None:
        """Refuse an action out of turn: `IllegalPick` says why."""
        if self.over:
            raise IllegalPick(MATCH_OVER_MESSAGE)
        if not self.ready:
            raise IllegalPick("you have no opponent yet")
        check_turn(self.match, seat, round, self.chosen)

    def completes(self, seat: Seat) -> bool:
        """Whether the pick, or the reveal, of this seat is the last of the round."""
        return self.waiting() in ((), (seat,))

    def commitment_of(self, seat: Seat, round: int) -> str | None:
        """The commitment of a seat for a round."""
        if self.sealed and 1 <= round <= len(self.seals):
            return self.seals[round - 1][seat].commitment
        return self.commitments.get(seat) if round == self.match.round else None

    def fits_commitment(self, seat: Seat, number: int, salt: str) -> bool:
        """Whether a number and a salt fit the commitment, and the rules allow the number."""
        committed = commitment(self.id, str(SEAT_NAMES[seat]), self.match.round, number, salt)
        if committed != self.commitments[seat]:
            return False
        try:
            self.match.check(seat, number)
        except IllegalPick:
            return False
        return True

    def _change_match(self, event: events.RoundEvent) -> None:
        match event:
            case events.Joined(player, name):
                self.joined[player - 1] = True
                self.terms = with_name(self.terms, player, name)
                # Nothing has been played before both have joined.
                self.match = Match(self.terms, seed=self.seed)
            case events.Played(_, picks, salts):
                if self.sealed:
                    one, two = (Seal(self.commitments[seat], salts[seat]) for seat in SEATS)
                    self.seals.append((one, two))
                self.match.play(picks)
            case events.Undone(rounds):
                while len(self.match.history) > rounds:
                    self.match.undo()
            case events.Ended(reason, loser):
                first, second = (self._unplayed_commitment(seat, event) for seat in SEATS)
                self.unplayed = (first, second)
                if loser is not None:
                    self.match.lose(loser, reason)
                else:
                    annul(self.match, VOID_REASON if self.ready else CANCELLED_REASON)

    def _take_pick(self, event: events.Picked, at: float) -> None:
        # The event does not hold the number, which stays in the table of secrets until the round is
        # played: events are shown to everyone.
        self.chosen.add(event.seat)
        self.picked_last = event.seat
        if self.sealed:
            self.commitments[event.seat] = event.commitment
            if self.phase == REVEAL:
                self._restart_clock(at)

    def _unplayed_commitment(self, seat: Seat, ended: events.Ended) -> UnplayedCommitment | None:
        """A seat's commitment in the round that the match ended in, and what it revealed."""
        if seat not in self.commitments:
            return None
        number, salt = ended.shown.get(str(seat), (None, ""))
        return UnplayedCommitment(self.commitments[seat], number, salt)

    def _restart_clock(self, at: float) -> None:
        self.waiting_since = at
        self.stage += 1

    def _begin_round(self, at: float) -> None:
        self._restart_clock(at)
        self._picking = frozenset(self.match.waiting())
        self.takeback_asked = None
        # Absence counts only for seats that are waited for, so it is recorded anew in each round.
        for collection in (
            self.chosen,
            self.commitments,
            self.revealed,
            self.secret_picks,
            self.takeback_refused,
            self.absent,
        ):
            collection.clear()
