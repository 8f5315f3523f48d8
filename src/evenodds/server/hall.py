"""The hall: every open match in memory, and all that may be done in one.

Whoever changes a room holds its lock, writes what happens to the ledger, and only then lets the
room take it and tells those who watch. What another process has written comes in by `refresh`.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

from evenodds import players
from evenodds.match import IllegalPick
from evenodds.record import View
from evenodds.server.ledger import Conflict, Entry, Event, Ledger
from evenodds.server.room import Room, terms_of
from evenodds.server.tokens import hashed, new_id, new_token
from evenodds.terms import Terms, check_players
from evenodds.vocabulary import SEATS, Seat

TRIES: Final = 5
"""How often something is decided anew when another process was faster."""


class NoMatch(LookupError):
    """There is no such match."""


class NotYours(PermissionError):
    """A seat, an invitation or an action that belongs to somebody else."""


class Opening(NamedTuple):
    """What somebody who opens a match gets: its name, their seat, an invitation for the other."""

    match: str
    token: str
    seat: Seat | None
    invitation: str


Watcher = Callable[[Room], None]


class Table:
    """A room with its lock, and those who watch it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.opponents: dict[Seat, players.Player] = {}

    def tell(self) -> None:
        """Let everyone who watches see how the room stands."""
        for watcher in tuple(self.watchers):
            watcher(self.room)


class Hall:
    """All tables that this process knows."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._tables: dict[str, Table] = {}
        self._thinking: set[asyncio.Task[None]] = set()

    async def open(self, data: dict[str, Any], name: str, player: int) -> Opening:
        """Open a match on some terms for the one who opens it; `BadTerms` and the like refuse."""
        names = list(data["players"])
        if name:
            names[player - 1] = name
        data = data | {"players": list(check_players(tuple(names)))}
        terms = terms_of(data)
        people = [not computer for computer in terms.computers]
        data["joined"] = [not person for person in people]
        if people[player - 1]:
            data["joined"][player - 1] = True
        id, token, invitation = new_id(), new_token(), new_token() if all(people) else ""
        opened = Event(1, time.time(), "opened", data)
        rows = [_seat(token, id, terms.seat_of(player), False)] if people[player - 1] else []
        if invitation:
            rows.append(_seat(invitation, id, terms.seat_of(3 - player), True))
        await self.ledger.write(Entry(id, [opened], opened=_match_row(id, opened), seats=rows))
        self._tables[id] = Table(Room(id, opened))
        self._let_computers(self._tables[id])
        seat = terms.seat_of(player) if people[player - 1] else None
        return Opening(id, token if people[player - 1] else "", seat, invitation)

    async def join(self, invitation: str, name: str) -> Opening:
        """Take the seat that an invitation is for; the first who comes spends it."""
        kept = await self.ledger.seat(hashed(invitation))
        if kept is None or not kept.invitation:
            raise NotYours("there is no such invitation")
        table = await self.table(kept.match)
        async with table.lock:
            room = table.room
            place = room.terms.names.order.index(kept.seat)
            if kept.spent or room.joined[place]:
                raise NotYours("somebody has taken this seat already")
            names = list(room.terms.players)
            names[place] = name or names[place]
            check_players(tuple(names))
            token = new_token()
            event = self._event(room, "joined", player=place + 1, name=names[place])
            entry = Entry(
                room.id,
                [event],
                seats=[_seat(token, room.id, kept.seat, False)],
                spent=[hashed(invitation)],
            )
            try:
                await self._write(table, entry)
            except Conflict:
                raise NotYours("somebody has taken this seat already") from None
        self._let_computers(table)
        return Opening(room.id, token, kept.seat, "")

    async def seat_of(self, match: str, token: str) -> Seat:
        """The seat in a match that a token is for."""
        kept = await self.ledger.seat(hashed(token)) if token else None
        if kept is None or kept.invitation or kept.match != match:
            raise NotYours("this is not your seat")
        return kept.seat

    async def table(self, id: str) -> Table:
        """The table of a match; read from the ledger when this process has not seen it."""
        table = self._tables.get(id)
        if table is None:
            events = await self.ledger.events(id)
            if not events:
                raise NoMatch(f"there is no match {id}")
            room = Room(id, events[0])
            for event in events[1:]:
                room.take(event)
            table = self._tables.setdefault(id, Table(room))
            self._let_computers(table)
        return table

    async def pick(self, id: str, seat: Seat, round: int, number: int) -> Room:
        """Take a pick; the same pick sent twice is harmless. `IllegalPick` says why it is refused.

        The round is played when all its picks are in.
        """
        table = await self.table(id)
        for _ in range(TRIES):
            async with table.lock:
                if await self._is_repeated(table.room, seat, round, number):
                    return table.room
                table.room.check(seat, number, round)
                try:
                    await self._write(table, await self._pick_entry(table.room, seat, number))
                except Conflict:
                    await self._refresh(table)
                    continue
                if seat in table.room.chosen:
                    table.room.numbers[seat] = number
            self._let_computers(table)
            return table.room
        raise IllegalPick("too much is happening in this match; try again")

    async def resign(self, id: str, seat: Seat) -> Room:
        """Give a match up."""
        return await self._end(id, "resigned", seat)

    async def refresh(self, id: str) -> None:
        """Take in what another process has written."""
        table = self._tables.get(id)
        if table is not None:
            async with table.lock:
                await self._refresh(table)
            self._let_computers(table)

    async def stop(self) -> None:
        """Wait until no computer is thinking any more."""
        for task in tuple(self._thinking):
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)

    async def _end(self, id: str, reason: str, loser: Seat) -> Room:
        table = await self.table(id)
        async with table.lock:
            if table.room.over:
                raise IllegalPick("the match is over")
            event = self._event(table.room, "ended", reason=reason, loser=loser)
            entry = Entry(id, [event], status="over", completed=table.room.match.round)
            await self._write(table, entry)
        return table.room

    async def _pick_entry(self, room: Room, seat: Seat, number: int) -> Entry:
        """What is written for a pick: that it is in, or the whole round when it is the last."""
        round = room.match.round
        if not room.completes(seat):
            secret = {"match": room.id, "round": round, "seat": seat, "number": number}
            event = self._event(room, "picked", seat=seat, round=round)
            return Entry(room.id, [event], secret=secret)
        numbers = {seat: number} | {other: await self._number(room, other) for other in room.chosen}
        picks = [numbers.get(each, 0) for each in SEATS]
        event = self._event(room, "played", round=round, picks=picks)
        status = "over" if room.match.ends_with((picks[0], picks[1])) else None
        completed = round if room.chosen else None
        return Entry(room.id, [event], completed=completed, status=status)

    async def _number(self, room: Room, seat: Seat) -> int:
        """A secret pick: held here, or written by another process."""
        if seat not in room.numbers:
            room.numbers |= await self.ledger.secrets(room.id, room.match.round)
        return room.numbers[seat]

    async def _is_repeated(self, room: Room, seat: Seat, round: int, number: int) -> bool:
        """Whether this very pick has been taken already."""
        if 1 <= round <= len(room.match.history):
            return room.match.history[round - 1][seat] == number
        if round == room.match.round and seat in room.chosen:
            return await self._number(room, seat) == number
        return False

    async def _write(self, table: Table, entry: Entry) -> None:
        """Put an entry on disk, then let the room take it, then tell of it."""
        await self.ledger.write(entry)
        for event in entry.events:
            table.room.take(event)
        table.tell()

    async def _refresh(self, table: Table) -> None:
        events = await self.ledger.events(table.room.id, table.room.seq)
        for event in events:
            table.room.take(event)
        if events:
            table.tell()

    def _event(self, room: Room, kind: str, **data: Any) -> Event:
        return Event(room.seq + 1, time.time(), kind, data)

    def _let_computers(self, table: Table) -> None:
        """Let the computers who are to pick do so, without keeping anyone waiting."""
        room = table.room
        waiting = [seat for seat in room.waiting() if room.terms.computer(seat)]
        if waiting:
            task = asyncio.create_task(self._think(table, waiting[0], room.match.round))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _think(self, table: Table, seat: Seat, round: int) -> None:
        """Let a computer pick; one that cannot go on loses, and the person is not left waiting."""
        room = table.room
        with suppress(IllegalPick):  # another process was faster, or the match has ended
            try:
                number = await asyncio.to_thread(
                    _computer_pick, table.opponents, room.terms, room.view(seat)
                )
            except (players.CannotPlay, players.Forfeit):
                await self._end(room.id, "forfeit", seat)
            else:
                await self.pick(room.id, seat, round, number)


def _computer_pick(seated: dict[Seat, players.Player], terms: Terms, view: View) -> int:
    """What a computer picks from what its seat sees; it is seated when it is first asked."""
    assert view.seat is not None
    if view.seat not in seated:
        name = terms.computer(view.seat)
        seated[view.seat] = players.opponent(name, terms, view.seat, Random())
    return seated[view.seat].pick(view)


def _seat(token: str, match: str, seat: Seat, invitation: bool) -> dict[str, Any]:
    return {
        "hash": hashed(token),
        "match": match,
        "seat": seat,
        "invitation": invitation,
        "spent": False,
    }


def _match_row(id: str, opened: Event) -> dict[str, Any]:
    return {
        "id": id,
        "game": opened.data["game"],
        "listed": opened.data["listed"],
        "opened": opened.at,
        "touched": opened.at,
        "status": "open",
    }
