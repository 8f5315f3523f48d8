"""The opening of a match: its options, its first event and the entry for the ledger."""

import time
from typing import NamedTuple

from evenodds.core import catalog
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms, agree
from evenodds.players.profiles import profile
from evenodds.protocol import events
from evenodds.protocol.match_view import Flags
from evenodds.server.storage import schema
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, SeatCredential


class MatchOptions(NamedTuple):
    """Options of a server match besides its terms."""

    clock: int | None = None
    sealed: bool = False
    listed: bool = False


def opening_event(terms: Terms, options: MatchOptions, joined: Flags) -> events.Opened:
    """The event that opens a match."""
    one, two = terms.players
    return events.Opened(
        game=terms.game.name,
        rulings=as_data(terms.rulings),
        players=(one, two),
        first=terms.first,
        repetition=terms.repetition,
        computers=terms.computers,
        **options._asdict(),
        joined=joined,
    )


def opened_terms(event: events.Opened) -> Terms:
    """The terms of the match that an event opens."""
    return agree(
        catalog.get(event.game),
        event.rulings,
        players=event.players,
        first=event.first,
        repetition=event.repetition,
        computers=event.computers,
    )


def name_computers(terms: Terms) -> Terms:
    """The terms with computers by their own names, unless both players would have the same."""
    pairs = zip(terms.players, terms.computers, strict=True)
    one, two = (profile(computer).name if computer else name for name, computer in pairs)
    return terms if one == two else terms._replace(players=(one, two))


def opening_entry(
    id: str, event: events.Opened, credentials: list[SeatCredential], address: str
) -> LedgerEntry:
    """The entry that opens a match."""
    now = time.time()
    row = {
        "id": id,
        "game": event.game,
        "listed": event.listed,
        "opened": now,
        "touched": now,
        "status": schema.OPEN,
        "opener": address,
        "due": now + event.clock if event.clock and all(event.joined) else None,
    }
    return LedgerEntry(id, Event(1, now, event), opened=row, credentials=credentials)
