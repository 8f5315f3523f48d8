"""Registry of the matches that this process holds: open, join, look up, evict.

Whatever is in memory is written in the ledger, and can be read from there by any process.
"""

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick
from evenodds.core.terms import Terms, check_players
from evenodds.core.vocabulary import Seat, other
from evenodds.server.jobs.report_queue import ReportQueue
from evenodds.server.jobs.solve_queue import SolveQueue
from evenodds.server.limits import LimitReached, ServerLimits
from evenodds.server.matches.computers import Computers
from evenodds.server.matches.event_writer import event_of
from evenodds.server.matches.match_session import MatchSession, NotAuthorized
from evenodds.server.matches.match_state import MatchOptions, MatchState, opening
from evenodds.server.matches.outages import Outages
from evenodds.server.matches.referee import Referee
from evenodds.server.matches.tokens import hashed, new_id, new_token
from evenodds.server.settings import Settings
from evenodds.server.storage import schema
from evenodds.server.storage.events import Event, LedgerEntry, SeatCredential, WriteConflict
from evenodds.server.storage.ledger import Ledger

TAKEN: Final = "somebody has taken this seat already"


class MatchNotFound(LookupError):
    """There is no such match."""


class SeatGrant(NamedTuple):
    """What somebody who takes a seat gets: the match, a token, an invitation for the other."""

    match: str
    token: str
    seat: Seat
    invitation: str = ""


class MatchRegistry:
    """All tables that this process knows, with the referee and the computers."""

    def __init__(self, ledger: Ledger, settings: Settings, limits: ServerLimits) -> None:
        self.ledger = ledger
        self.settings = settings
        self.limits = limits
        self.outages = Outages(ledger.database)
        self.referee = Referee(ledger, self.note_outages)
        self.desk = SolveQueue()
        self.printer = ReportQueue()
        self.computers = Computers(self.referee, self.desk, settings.unwatched_seconds)
        self.tables: dict[str, MatchSession] = {}
        self.closing = False
        """Whether the server is about to stop: streams end."""
        self.tell_others: Callable[[MatchSession], None] = lambda table: None
        """Told when somebody comes or goes here; other processes want to know."""
        self.ask_others: Callable[[MatchSession], None] = lambda table: None
        """Asked for those who are there at other processes."""

    async def open(
        self, terms: Terms, sitting: MatchOptions, name: str, player: int, address: str
    ) -> SeatGrant:
        """Open a match on some terms for the one who opens it; `BadTerms` and the like refuse."""
        await self._check_count(address)
        names = list(terms.players)
        names[player - 1] = name or names[player - 1]
        terms = terms._replace(players=check_players(tuple(names)))
        people = [not computer for computer in terms.computers]
        one, two = (place == player - 1 or not person for place, person in enumerate(people))
        id, token = new_id(), new_token()
        invitation = new_token() if people[2 - player] else ""
        places = (
            [SeatCredential(id, hashed(token), terms.seat_of(player))] if people[player - 1] else []
        )
        if invitation:
            places.append(SeatCredential(id, hashed(invitation), terms.seat_of(3 - player), True))
        entry = _opened(id, opening(terms, sitting, (one, two)), places, address)
        await self.ledger.write(entry)
        self._seat(entry)
        seat = terms.seat_of(player)
        return SeatGrant(id, token if people[player - 1] else "", seat, invitation)

    async def _check_count(self, address: str) -> None:
        """`LimitReached` where there are too many matches, here or from one address."""
        if await self.ledger.count_open() >= self.settings.matches:
            raise LimitReached("there are as many matches here as there may be; come back later")
        if await self.ledger.count_open(address) >= self.settings.matches_per_address:
            raise LimitReached(
                "too many matches were opened from your address; end one of them first"
            )

    async def join(self, invitation: str, name: str, key: str = "") -> SeatGrant:
        """Take the seat that an invitation is for; the first who comes spends it.

        Whoever has taken it with a key gets it again with that key.
        """
        place = await self.ledger.invitation(hashed(invitation))
        if place is None:
            raise NotAuthorized("there is no such invitation")
        return await self._join(await self.table(place.match), name, key, place.hash)

    async def join_listed(self, id: str, name: str, key: str = "") -> SeatGrant:
        """Take the free seat of a match that is open to everyone, or one's own again."""
        return await self._join(await self.table(id), name, key)

    async def _join(self, table: MatchSession, name: str, key: str, hash: str = "") -> SeatGrant:
        try:
            return await self._take_seat(table, name, key or new_token(), hash)
        except NotAuthorized:  # unless it is theirs already, and they were not told
            seat = await self._seat_with(table, key) if key else None
            if seat is None:
                raise
            return SeatGrant(table.room.id, key, seat)

    async def _take_seat(self, table: MatchSession, name: str, token: str, hash: str) -> SeatGrant:
        async with table.lock:
            room, place = table.room, table.free_place()
            if not (hash or room.listed):
                raise NotAuthorized("this match is by invitation")
            if room.over:
                raise NotAuthorized(MATCH_OVER_MESSAGE)
            if place is None or (hash and place.hash != hash):
                raise NotAuthorized(TAKEN)
            player = room.terms.names.order.index(place.seat)
            names = list(room.terms.players)
            names[player] = name or names[player]
            check_players(tuple(names))
            taken = SeatCredential(room.id, hashed(token), place.seat)
            event = event_of(room, "joined", player=player + 1, name=names[player])
            due = event.at + room.clock if room.clock else None
            try:
                entry = LedgerEntry(room.id, [event], places=[taken], spent=place.hash, due=due)
                await self.referee.clerk.write(table, entry)
            except WriteConflict as conflict:  # the match may have been cancelled meanwhile
                ended = any(each.kind == "ended" for each in conflict.events)
                raise NotAuthorized(MATCH_OVER_MESSAGE if ended else TAKEN) from None
            table.places = [taken, *(each for each in table.places if each != place)]
        self.computers.let(table)
        return SeatGrant(room.id, token, place.seat)

    async def rematch(self, table: MatchSession, seat: Seat, address: str) -> str:
        """Offer a rematch or agree to one: the new match once both have, nothing until then."""
        room = await self.referee.offer(table, seat)
        rival = other(seat)
        if not room.rematch and (rival in room.offers or room.terms.computer(rival)):
            async with table.lock:
                if not room.rematch:
                    await self._check_count(address)
                    await self._open_rematch(table, address)
        return room.rematch

    async def _open_rematch(self, table: MatchSession, address: str) -> None:
        """The same people on the same terms, with the seats exchanged; their tokens stay good."""
        room, id = table.room, new_id()
        sitting = MatchOptions(room.clock, room.sealed, room.listed)
        data = opening(room.terms.swapped(), sitting, (True, True))
        places = [
            SeatCredential(id, place.hash, other(place.seat))
            for place in table.places
            if not place.invitation
        ]
        opened = _opened(id, data, places, address)
        try:
            follows = LedgerEntry(room.id, [event_of(room, "rematch", match=id)])
            await self.referee.clerk.write(table, follows, opened)
        except WriteConflict:  # the other has agreed at another process
            raise IllegalPick("the rematch is being opened; ask again") from None
        self._seat(opened)

    async def seat_of(self, id: str, token: str) -> Seat:
        """The seat in a match that a token is for."""
        seat = await self._seat_with(await self.table(id), token)
        if seat is None:
            raise NotAuthorized("this is not your seat")
        return seat

    async def _seat_with(self, table: MatchSession, token: str) -> Seat | None:
        """The seat that a token is for, taken here or at another process."""
        seat = table.seat_of(token)
        if seat is None and self.ledger.shared and not table.room.ready:
            await self.referee.clerk.refresh(table)
            seat = table.seat_of(token)
        return seat

    async def table(self, id: str, look: bool = True) -> MatchSession:
        """The table of a match; read from the ledger when this process does not hold it.

        Computers play where somebody looks; a line in a list is no look.
        """
        table = self.tables.get(id)
        if table is None:
            events = await self.ledger.events(id)
            if not events:
                raise MatchNotFound(f"there is no match {id}")
            room = self._room(id, events[0])
            for event in events[1:]:
                room.take(event)
            status, opener = await self.ledger.status(id)
            places = await self.ledger.places(id)
            table = MatchSession(room, places, opener, status == schema.ARCHIVED)
            table = self.tables.setdefault(id, table)
            self.ask_others(table)
        if look:
            table.used_at = time.monotonic()
            self.computers.let(table)
        return table

    def polled(self, table: MatchSession, seat: Seat) -> None:
        """Count a seat that has no stream, but asks now and then, as being there."""
        new = seat not in table.here()
        table.polled[seat] = time.monotonic()
        if new:
            self.presence_changed(table)

    def drop_polled(self) -> None:
        """Tell of those who ask no more."""
        for table in self.tables.values():
            if table.polled and table.drop_polled():
                self.presence_changed(table)

    def presence_changed(self, table: MatchSession) -> None:
        """Tell everyone that a player has come, or is gone."""
        self.tell_others(table)
        table.tell()

    async def beat(self) -> None:
        """Say that somebody serves here; clocks that stood still meanwhile are told anew."""
        if await self.outages.beat():
            for table in self.tables.values():
                table.tell()

    async def note_outages(self) -> None:
        """Learn of the time in which nobody served, if that may be news."""
        if self.outages.is_due():
            await self.beat()

    def close(self) -> None:
        """End all streams: nobody is left waiting when the server stops."""
        self.closing = True
        for table in self.tables.values():
            table.tell()

    def forget(self, idle: float) -> None:
        """Let go of tables that nobody has looked at for some seconds; the ledger has them."""
        before = time.monotonic() - idle
        for id, table in tuple(self.tables.items()):
            if not table.watchers and table.used_at < before and not table.lock.locked():
                del self.tables[id]

    async def stop(self) -> None:
        """Let no computer think any more."""
        await self.computers.stop()
        self.desk.close()
        await self.printer.stop()

    def _room(self, id: str, opened: Event) -> MatchState:
        return MatchState(id, opened, self.outages.lost, self.settings.absence_minutes * 60)

    def _seat(self, entry: LedgerEntry) -> None:
        """Put a match that was opened on a table of its own."""
        room = self._room(entry.match, entry.events[0])
        opener = entry.opened["opener"] if entry.opened else ""
        table = self.tables[entry.match] = MatchSession(room, list(entry.places), opener)
        self.computers.let(table)


def _opened(
    id: str, data: dict[str, Any], places: list[SeatCredential], address: str
) -> LedgerEntry:
    """What is written when a match is opened."""
    now = time.time()
    row = {
        "id": id,
        "game": data["game"],
        "listed": data["listed"],
        "opened": now,
        "touched": now,
        "status": schema.OPEN,
        "opener": address,
        "due": now + data["clock"] if data["clock"] and all(data["joined"]) else None,
    }
    return LedgerEntry(id, [Event(1, now, "opened", data)], opened=row, places=places)
