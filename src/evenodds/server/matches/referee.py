"""The referee: validates the actions of seats and decides which events follow."""

import time
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any

from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick
from evenodds.core.record import VOID_REASON, MatchResult
from evenodds.core.seals import commitment
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Outcome, Seat, other
from evenodds.server.matches.event_writer import EventWriter, event_of
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import REVEAL, MatchState
from evenodds.server.storage import schema
from evenodds.server.storage.events import LedgerEntry, Secret, WriteConflict
from evenodds.server.storage.ledger import Ledger


class Referee:
    """Takes picks, reveals, resignations and claims."""

    def __init__(self, ledger: Ledger, note_outages: Callable[[], Awaitable[None]]) -> None:
        self.clerk = EventWriter(ledger)
        self._note_outages = note_outages
        """Called before anybody loses by the time: what nobody served counts for nobody."""

    async def pick(self, table: MatchSession, seat: Seat, round: int, number: int) -> MatchState:
        """Take a pick; the same pick sent twice is harmless. `IllegalPick` says why it is refused.

        The round is played when all its picks are in.
        """
        at = time.time()
        await self.end_late(table)

        async def decide(room: MatchState) -> LedgerEntry | None:
            if not room.sealed and await self._is_repeated(room, seat, round, (number, "")):
                return None
            room.check(seat, round, at)
            if room.sealed:
                raise IllegalPick("picks are sealed in this match: send a commitment, not a number")
            room.match.check(seat, number)
            if room.completes(seat):
                return await self._round_entry(room, seat, (number, ""))
            event = event_of(room, "picked", seat=seat, round=round)
            return LedgerEntry(room.id, [event], secret=Secret(room.id, round, seat, number, ""))

        return await self.clerk.decide(table, decide)

    async def commit(
        self,
        table: MatchSession,
        seat: Seat,
        round: int,
        promise: str,
        secret: Secret | None = None,
    ) -> MatchState:
        """Take the promise of a pick in a sealed match; a computer's pick is kept beside it."""
        at = time.time()
        await self.end_late(table)

        async def decide(room: MatchState) -> LedgerEntry | None:
            if _promised(room, seat, round) == promise:
                return None
            room.check(seat, round, at)
            if not room.sealed:
                raise IllegalPick("picks are not sealed in this match: send a number")
            event = event_of(room, "picked", seat=seat, round=round, commitment=promise)
            return LedgerEntry(room.id, [event], secret=secret)

        return await self.clerk.decide(table, decide)

    async def reveal(
        self, table: MatchSession, seat: Seat, round: int, shown: tuple[int, str] | None
    ) -> MatchState:
        """Take what opens a promise, held until both have come; what does not open it loses.

        A computer's is kept already, and not handed in.
        """
        at = time.time()
        await self.end_late(table)

        async def decide(room: MatchState) -> LedgerEntry | None:
            if shown and await self._is_repeated(room, seat, round, shown):
                return None
            room.check_time(seat, at)
            if room.phase != REVEAL or round != room.match.round or seat in room.revealed:
                raise IllegalPick("there is nothing to reveal now")
            number, salt = shown or await self._secret(room, seat)
            if not _opens(room, seat, number, salt):
                return await self._ended(room, "forfeit", seat, {seat: (number, salt)})
            if room.completes(seat):
                return await self._round_entry(room, seat, (number, salt))
            kept = seat in room.numbers
            secret = None if kept else Secret(room.id, round, seat, number, salt)
            return LedgerEntry(room.id, [event_of(room, "revealed", seat=seat)], secret=secret)

        return await self.clerk.decide(table, decide)

    async def end(self, table: MatchSession, reason: str, loser: Seat) -> MatchState:
        """End a match against a seat."""

        async def decide(room: MatchState) -> LedgerEntry | None:
            if room.over:
                raise IllegalPick(MATCH_OVER_MESSAGE)
            return await self._ended(room, reason, loser)

        return await self.clerk.decide(table, decide)

    async def cancel(self, table: MatchSession) -> MatchState:
        """Give up a match that nobody has joined."""

        async def decide(room: MatchState) -> LedgerEntry | None:
            if room.over:
                raise IllegalPick(MATCH_OVER_MESSAGE)
            if room.ready:
                raise IllegalPick("the match has begun; it can be resigned")
            return await self._ended(room, VOID_REASON, None)

        return await self.clerk.decide(table, decide)

    async def claim(self, table: MatchSession, seat: Seat) -> MatchState:
        """Win against somebody who was away for too long; a clock ends a match by itself."""
        await self._note_outages()
        await self.end_late(table)

        async def decide(room: MatchState) -> LedgerEntry | None:
            if room.over:
                if room.result == _lost_on_time(other(seat)):
                    return None
                raise IllegalPick(MATCH_OVER_MESSAGE)
            deadline = room.deadline if room.clock else room.absence(other(seat))
            if deadline is None or (not room.clock and table.connected()[other(seat)]):
                raise IllegalPick("nobody's time is running")
            left = deadline - time.time()
            if left >= 0:
                raise IllegalPick(f"the other has {ceil(left)} s left")
            if seat in room.waiting():
                raise IllegalPick("it is your turn, too: pick first")
            return await self._ended(room, "time", other(seat))

        return await self.clerk.decide(table, decide)

    async def end_late(self, table: MatchSession) -> MatchState:
        """End a match in which somebody is past their time; if both are, it is void."""
        if not table.room.late(time.time()):
            return table.room
        await self._note_outages()

        async def decide(room: MatchState) -> LedgerEntry | None:
            late = room.late(time.time())
            if not late:
                return None
            void = len(late) == len(SEATS)
            return await self._ended(
                room, VOID_REASON if void else "time", None if void else late[0]
            )

        return await self.clerk.decide(table, decide)

    async def note_absence(self, table: MatchSession, seat: Seat, absent: bool) -> MatchState:
        """Write down that a player is away, or is back."""

        async def decide(room: MatchState) -> LedgerEntry | None:
            if (seat in room.absent) == absent or (absent and seat not in room.waiting()):
                return None
            return LedgerEntry(
                room.id, [event_of(room, "absent" if absent else "present", seat=seat)]
            )

        return await self.clerk.decide(table, decide)

    async def take_back(self, table: MatchSession, seat: Seat, round: int) -> MatchState:
        """Go back to one's own last pick, against a computer."""

        async def decide(room: MatchState) -> LedgerEntry | None:
            if round != room.match.round:
                room.match.check_turn(seat, round)
            if not room.can_take_back(seat):
                raise IllegalPick("there is nothing that can be taken back")
            rounds = max(at for at, picks in enumerate(room.match.history) if picks[seat] != PASS)
            event = event_of(room, "undone", rounds=rounds)
            return LedgerEntry(room.id, [event], completed=room.match.round)

        return await self.clerk.decide(table, decide)

    async def offer(self, table: MatchSession, seat: Seat) -> MatchState:
        """Offer a rematch."""

        async def decide(room: MatchState) -> LedgerEntry | None:
            if not room.over:
                raise IllegalPick("the match is not over")
            if not room.ready:
                raise IllegalPick("nobody has sat down opposite")
            if seat in room.offers or room.rematch:
                return None
            return LedgerEntry(room.id, [event_of(room, "offered", seat=seat)])

        return await self.clerk.decide(table, decide)

    async def _round_entry(
        self, room: MatchState, seat: Seat, last: tuple[int, str]
    ) -> LedgerEntry:
        """What is written when the last pick of a round is known: the round, and maybe the end."""
        known = {seat: last} | {
            each: await self._secret(room, each) for each in room.chosen - {seat}
        }
        numbers, salts = zip(*(known.get(each, (PASS, "")) for each in SEATS), strict=True)
        told: dict[str, Any] = {"picks": numbers} | ({"salts": salts} if room.sealed else {})
        return LedgerEntry(
            room.id,
            [event_of(room, "played", round=room.match.round, **told)],
            completed=room.match.round if room.chosen else None,
            status=schema.OVER if room.match.ends_with(numbers) else None,
        )

    async def _ended(
        self,
        room: MatchState,
        reason: str,
        loser: Seat | None,
        shown: dict[Seat, tuple[int, str]] | None = None,
    ) -> LedgerEntry:
        """The end of a match; of a sealed round that is cut short with all that was shown in it."""
        held = {seat: await self._secret(room, seat) for seat in room.revealed}
        told = {str(seat): pick for seat, pick in (held | (shown or {})).items()}
        data: dict[str, Any] = {"reason": reason, "loser": loser}
        event = event_of(room, "ended", **data, **({"shown": told} if told else {}))
        return LedgerEntry(room.id, [event], status=schema.OVER, completed=room.match.round)

    async def _secret(self, room: MatchState, seat: Seat) -> tuple[int, str]:
        """A secret pick with its salt: held here, or written by another process.

        `WriteConflict` where another process has completed the round meanwhile: then it is gone.
        """
        if seat not in room.numbers:
            room.numbers |= await self.clerk.ledger.secrets(room.id, room.match.round)
        if seat not in room.numbers:
            raise WriteConflict
        return room.numbers[seat]

    async def _is_repeated(
        self, room: MatchState, seat: Seat, round: int, pick: tuple[int, str]
    ) -> bool:
        """Whether this very pick, or reveal, has been taken already."""
        if 1 <= round <= len(room.match.history):
            salt = room.seals[round - 1][seat].salt if room.sealed else ""
            return pick == (room.match.history[round - 1][seat], salt)
        if round == room.match.round and seat in (room.revealed if room.sealed else room.chosen):
            return pick == await self._secret(room, seat)
        return False


def _lost_on_time(seat: Seat) -> MatchResult:
    """The result of a match in which a seat ran out of time."""
    return MatchResult(Outcome.SECOND_WINS if seat == FIRST else Outcome.FIRST_WINS, "time", seat)


def _promised(room: MatchState, seat: Seat, round: int) -> str | None:
    """What a seat has promised for a round."""
    if room.sealed and 1 <= round <= len(room.seals):
        return room.seals[round - 1][seat].commitment
    return room.commitments.get(seat) if round == room.match.round else None


def _opens(room: MatchState, seat: Seat, number: int, salt: str) -> bool:
    """Whether a number and a salt are what was promised, and a pick that the rules allow."""
    promise = commitment(room.id, str(SEAT_NAMES[seat]), room.match.round, number, salt)
    if promise != room.commitments[seat]:
        return False
    try:
        room.match.check(seat, number)
    except IllegalPick:
        return False
    return True
