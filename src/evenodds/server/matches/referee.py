"""The referee: validates the actions of seats and decides which events follow."""

import time
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from math import ceil
from typing import Concatenate, ParamSpec

from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick, check_turn
from evenodds.core.record import VOID_REASON
from evenodds.core.vocabulary import PASS, SEATS, Seat, other
from evenodds.protocol import events
from evenodds.server.matches.event_writer import EventWriter, next_entry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import REVEAL, MatchState
from evenodds.server.storage import schema
from evenodds.server.storage.ledger_entries import LedgerEntry, Secret, WriteConflict

P = ParamSpec("P")


def decision(
    decide: Callable[Concatenate["Referee", MatchSession, P], Awaitable[LedgerEntry | None]],
) -> Callable[Concatenate["Referee", MatchSession, P], Awaitable[MatchState]]:
    """Have what a method decides written, after a seat that is overdue has lost."""

    @wraps(decide)
    async def decided(
        self: "Referee", session: MatchSession, /, *args: P.args, **kwargs: P.kwargs
    ) -> MatchState:
        # Before the decision, which takes the lock: it is not reentrant.
        await self.end_overdue(session)
        return await self.writer.decide(session, partial(decide, self, session, *args, **kwargs))

    return decided


class Referee:
    """Decides on picks, reveals, resignations, claims, take-backs and rematch offers.

    A decision returns the entry to write, or None. It runs under the session's lock, and again
    after a conflict with another process; so it changes nothing itself, and looks first whether the
    same request was decided before. `IllegalPick` says why an action is refused.
    """

    def __init__(self, writer: EventWriter, check_outages: Callable[[], Awaitable[None]]) -> None:
        self.writer = writer
        self._check_outages = check_outages
        """Called before anybody loses on time: the time of an outage counts for nobody."""

    async def end_overdue(self, session: MatchSession) -> MatchState:
        """End a match in which a seat is overdue; if both are, it is void."""
        state = session.state
        if not state.overdue(time.time()):
            return state
        await self._check_outages()

        async def decide() -> LedgerEntry | None:
            overdue = state.overdue(time.time())
            if not overdue:  # an outage has moved the deadline, or the pick came meanwhile
                return None
            return await self._ended(state, "time", overdue[0] if len(overdue) == 1 else None)

        return await self.writer.decide(session, decide)

    @decision
    async def pick(
        self, session: MatchSession, seat: Seat, round: int, number: int
    ) -> LedgerEntry | None:
        """Take a pick, idempotently; the last of a round plays it."""
        state = session.state
        if not state.sealed and await self._is_repeated(state, seat, round, (number, "")):
            return None
        state.check(seat, round)
        if state.sealed:
            raise IllegalPick("picks are sealed in this match: send a commitment, not a number")
        state.match.check(seat, number)
        if state.completes(seat):
            return await self._round_entry(state, seat, (number, ""))
        secret = Secret(state.id, round, seat, number, "")
        return next_entry(state, events.Picked(seat, round), secret=secret)

    @decision
    async def commit(
        self,
        session: MatchSession,
        seat: Seat,
        round: int,
        committed: str,
        secret: Secret | None = None,
    ) -> LedgerEntry | None:
        """Take the commitment of a sealed pick; a computer's secret is written with it."""
        state = session.state
        if state.commitment_of(seat, round) == committed:
            return None
        state.check(seat, round)
        if not state.sealed:
            raise IllegalPick("picks are not sealed in this match: send a number")
        return next_entry(state, events.Picked(seat, round, committed), secret=secret)

    @decision
    async def reveal(
        self, session: MatchSession, seat: Seat, round: int, shown: tuple[int, str] | None
    ) -> LedgerEntry | None:
        """Take a reveal, secret until both are in; one that does not fit the commitment loses.

        `shown` is None for a computer, whose secret is in the ledger.
        """
        state = session.state
        if shown and await self._is_repeated(state, seat, round, shown):
            return None
        if state.phase != REVEAL or round != state.match.round or seat in state.revealed:
            raise IllegalPick("there is nothing to reveal now")
        number, salt = shown or await self._secret(state, seat)
        if not state.fits_commitment(seat, number, salt):
            return await self._ended(state, "forfeit", seat, {seat: (number, salt)})
        if state.completes(seat):
            return await self._round_entry(state, seat, (number, salt))
        stored = seat in state.secret_picks
        secret = None if stored else Secret(state.id, round, seat, number, salt)
        return next_entry(state, events.Revealed(seat), secret=secret)

    @decision
    async def end(self, session: MatchSession, loser: Seat | None) -> LedgerEntry | None:
        """End a match that a seat resigns or, as void, one that nobody has joined."""
        state = session.state
        if state.over:
            raise IllegalPick(MATCH_OVER_MESSAGE)
        if loser is None and state.ready:
            raise IllegalPick("the match has begun; it can be resigned")
        return await self._ended(state, "resigned", loser)

    @decision
    async def claim(self, session: MatchSession, seat: Seat) -> LedgerEntry | None:
        """Win by the absence of the other player; with a clock the match ends by itself."""
        await self._check_outages()
        state = session.state
        if result := state.result:
            if (result.reason, result.loser) == ("time", other(seat)):
                return None
            raise IllegalPick(MATCH_OVER_MESSAGE)
        deadline = state.deadline if state.clock else state.absence_deadline(other(seat))
        if deadline is None or (not state.clock and session.connected()[other(seat)]):
            raise IllegalPick("no time is running out")
        left = deadline - time.time()
        if left >= 0:
            raise IllegalPick(f"the other has {ceil(left)} s left")
        if seat in state.waiting():
            raise IllegalPick("it is your turn, too: pick first")
        return await self._ended(state, "time", other(seat))

    @decision
    async def record_absence(
        self, session: MatchSession, seat: Seat, absent: bool
    ) -> LedgerEntry | None:
        """Record that a player is absent, or is back."""
        state = session.state
        if (seat in state.absent) == absent or (absent and seat not in state.waiting()):
            return None
        return next_entry(state, events.Absent(seat) if absent else events.Present(seat))

    @decision
    async def take_back(self, session: MatchSession, seat: Seat, round: int) -> LedgerEntry | None:
        """Undo the rounds since the seat's last pick, against a computer; ask a person for it."""
        state = session.state
        _check_round(state, seat, round)
        if state.takeback_asked == seat:
            return None
        if not state.can_take_back(seat):
            raise IllegalPick("there is nothing that can be taken back")
        if state.computers[other(seat)]:
            return _undone(state, seat)
        return next_entry(state, events.TakeBackAsked(seat))

    @decision
    async def answer_take_back(
        self, session: MatchSession, seat: Seat, round: int, accept: bool
    ) -> LedgerEntry | None:
        """Grant or refuse what the other player asks to take back."""
        state = session.state
        _check_round(state, seat, round)
        asking = other(seat)
        if state.takeback_asked != asking:
            raise IllegalPick("nobody asks to take back a pick")
        if accept:
            return _undone(state, asking)
        return next_entry(state, events.TakeBackRefused(asking))

    @decision
    async def offer_rematch(
        self, session: MatchSession, seat: Seat, stands: bool
    ) -> LedgerEntry | None:
        """Offer a rematch, or take the offer back."""
        state = session.state
        if not state.over:
            raise IllegalPick("the match is not over")
        if not state.ready:
            raise IllegalPick("you have no opponent yet")
        if (seat in state.offers) == stands or state.rematch:
            return None
        return next_entry(state, events.Offered(seat, stands))

    async def _round_entry(
        self, state: MatchState, seat: Seat, last: tuple[int, str]
    ) -> LedgerEntry:
        """The entry that completes a round with its last pick, and with it perhaps the match."""
        picks = {seat: last} | {
            each: await self._secret(state, each) for each in state.chosen - {seat}
        }
        (one, first_salt), (two, second_salt) = (picks.get(each, (PASS, "")) for each in SEATS)
        played = events.Played(state.match.round, (one, two), (first_salt, second_salt))
        return next_entry(
            state,
            played,
            completed_round=state.match.round if state.chosen else None,
            status=schema.OVER if state.match.ends_with(played.picks) else None,
        )

    async def _ended(
        self,
        state: MatchState,
        reason: str,
        loser: Seat | None,
        shown: dict[Seat, tuple[int, str]] | None = None,
    ) -> LedgerEntry:
        """The entry that ends a match, as void where nobody loses.

        A sealed round cut short keeps what was revealed in it.
        """
        revealed = {seat: await self._secret(state, seat) for seat in state.revealed}
        shown_picks = {str(seat): pick for seat, pick in (revealed | (shown or {})).items()}
        ended = events.Ended(VOID_REASON if loser is None else reason, loser, shown_picks)
        return next_entry(state, ended, status=schema.OVER, completed_round=state.match.round)

    async def _secret(self, state: MatchState, seat: Seat) -> tuple[int, str]:
        """A secret pick with its salt, from memory or from the ledger.

        `WriteConflict` where another process has completed the round, which deletes its secrets.
        """
        if seat not in state.secret_picks:
            state.secret_picks |= await self.writer.ledger.secrets(state.id, state.match.round)
        if seat not in state.secret_picks:
            raise WriteConflict
        return state.secret_picks[seat]

    async def _is_repeated(
        self, state: MatchState, seat: Seat, round: int, pick: tuple[int, str]
    ) -> bool:
        """Whether this very pick, or reveal, was taken already: clients repeat lost requests."""
        if 1 <= round < state.match.round:
            salt = state.seals[round - 1][seat].salt if state.sealed else ""
            return pick == (state.match.history[round - 1][seat], salt)
        if round == state.match.round and seat in (
            state.revealed if state.sealed else state.chosen
        ):
            return pick == await self._secret(state, seat)
        return False


def _check_round(state: MatchState, seat: Seat, round: int) -> None:
    """Refuse a request that was made in another round."""
    if round != state.match.round:
        check_turn(state.match, seat, round)


def _undone(state: MatchState, seat: Seat) -> LedgerEntry:
    """The entry that undoes the rounds since the last pick of a seat."""
    rounds = max(at for at, picks in enumerate(state.match.history) if picks[seat] != PASS)
    return next_entry(state, events.Undone(rounds), completed_round=state.match.round)
