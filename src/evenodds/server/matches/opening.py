"""The opening of a match: which games can be, options, the first event and its ledger entry."""

import time
from functools import cache
from typing import NamedTuple

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.luck import new_seed
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms, agree, check_players
from evenodds.players.profiles import profile
from evenodds.protocol import events
from evenodds.protocol.messages import Flags
from evenodds.render.narration import goal_of
from evenodds.server.logs import LOG
from evenodds.server.storage import schema
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, SeatCredential


@cache
def offered_games() -> tuple[AnyGame, ...]:
    """The games that can be opened as their books have them; others are logged, once.

    A game of a package may be wrong in any way, and must take nothing down but itself.
    """
    return tuple(filter(is_valid, catalog.list_games()))


def is_valid(game: AnyGame) -> bool:
    """Whether a game can be opened; why not is logged."""
    try:
        agree(game)
        goal_of(game)
    except Exception as error:  # the game of a package may raise anything
        LOG.error("a game is refused", extra={"game": game.name, "why": str(error)})
        return False
    return True


class MatchOptions(NamedTuple):
    """Options of a server match besides its terms."""

    clock: int | None = None
    sealed: bool = False
    listed: bool = False


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


def with_name(terms: Terms, player: int, name: str) -> Terms:
    """The terms with the name of Player 1 or 2, where one is given; `BadTerms` refuses it."""
    names = list(terms.players)
    names[player - 1] = name or names[player - 1]
    return terms._replace(players=check_players(tuple(names)))


def name_computers(terms: Terms) -> Terms:
    """The terms with computers by their own names, unless both players would have the same."""
    pairs = zip(terms.players, terms.computers, strict=True)
    one, two = (profile(computer).name if computer else name for name, computer in pairs)
    return terms if one == two else terms._replace(players=(one, two))


def opening_entry(
    id: str,
    terms: Terms,
    options: MatchOptions,
    joined: Flags,
    credentials: list[SeatCredential],
    address: str,
) -> LedgerEntry:
    """The entry that opens a match."""
    now = time.time()
    event = events.Opened(
        game=terms.game.name,
        rulings=as_data(terms.rulings),
        players=terms.players,
        first=terms.first,
        repetition=terms.repetition,
        computers=terms.computers,
        **options._asdict(),
        joined=joined,
        seed=new_seed() if terms.game.chance else "",
    )
    row = {
        "id": id,
        "game": event.game,
        "listed": event.listed,
        "opened": now,
        "touched": now,
        "status": schema.OPEN,
        "opener": address,
        "due": now + event.clock if event.clock and all(joined) else None,
    }
    return LedgerEntry(id, Event(1, now, event), opened=row, credentials=credentials)
