"""What the network hears of a match: a seat's view as data, with its words and its board."""

import time
from typing import Any, Final, cast

import msgspec

from evenodds.public import SEAT_NAMES, result_as_data, state_as_data, view_as_data
from evenodds.rulings import as_data
from evenodds.server.room import VOID, Room
from evenodds.server.shapes import MatchView, Summary
from evenodds.server.table import Table
from evenodds.vocabulary import SEATS, Seat
from evenodds.words import Board

ENCODER: Final = msgspec.json.Encoder()


def table_as_data(table: Table, seat: Seat | None) -> MatchView:
    """A match as a seat, or a spectator, sees it."""
    room = table.room
    view, names = room.view(seat), room.match.names
    words = room.terms.game.words
    told: Any = _public(table) | {
        "seat": SEAT_NAMES[seat],
        "connected": table.connected(),
        "legal": list(view.choices),
        "prompt": words.prompt(view.state, seat, view.choices, names)
        if seat is not None and view.choices
        else "",
        "takeback": room.can_take_back(seat),
        "now": time.time(),
    }
    return cast(MatchView, told)


def encoded(table: Table, seat: Seat | None) -> bytes:
    """The same as JSON; kept until something changes, where no clock runs."""
    if table.room.clock is not None:
        return ENCODER.encode(table_as_data(table, seat))
    key = (table.room.seq, tuple(table.connected()))
    if table.kept_key != key:
        table.kept_key, table.kept = key, {}
    if seat not in table.kept:
        table.kept[seat] = ENCODER.encode(table_as_data(table, seat))
    return table.kept[seat]


def _public(table: Table) -> dict[str, Any]:
    """What everyone sees alike; put together once after each change."""
    if table.public is None or table.public["seq"] != table.room.seq:
        table.public = _everyones(table.room)
    return table.public


def _everyones(room: Room) -> dict[str, Any]:
    terms, names, match = room.terms, room.match.names, room.match
    waiting, result = room.waiting(), room.result
    return {
        "match": room.id,
        "seq": room.seq,
        "game": terms.game.name,
        "title": terms.game.title,
        "rulings": as_data(terms.rulings),
        "simultaneous": terms.game.simultaneous,
        "players": [names[each] for each in SEATS],
        "computers": [terms.computer(each) for each in SEATS],
        "joined": [room.joined[names.order.index(each)] for each in SEATS],
        **view_as_data(room.view(None)),
        "before": state_as_data(match.states[-2]) if match.history else None,
        "waiting": [each in waiting for each in SEATS],
        "board": board_as_data(terms.game.words.board(match.state, names)),
        "told": _told(room),
        "result": result_as_data(result) | {"told": _ending(room)} if result else None,
        "offers": [each in room.offers for each in SEATS],
        "rematch": room.rematch or None,
        "clock": room.clock,
        "deadline": room.deadline,
        "sealed": room.sealed,
        "phase": room.phase,
        "commitments": [room.commitments.get(each) for each in SEATS],
    }


def board_as_data(board: Board) -> list[list[list[str]]]:
    """A drawing as lines of pieces, each a text and its style."""
    return [[[span.text, span.style] for span in line] for line in board]


def _told(room: Room) -> list[str]:
    """What the rule book says of the last round."""
    match = room.match
    if not match.history:
        return [line for line in match.game.words.opening(match.state, match.names) if line]
    before, after = match.states[-2:]
    return [
        line
        for line in match.game.words.reveal(before, match.history[-1], after, match.names)
        if line
    ]


def _ending(room: Room) -> list[str]:
    """How the match ended, in words."""
    result, words, names = room.result, room.terms.game.words, room.match.names
    assert result is not None
    if result.reason == VOID:
        return ["Both players ran out of time. The match is void."]
    if result.reason == "rules":
        said = words.closing(room.match.state, result.outcome, names)
    else:
        said = words.ended(result.reason, result.loser, names)
    return [line for line in said if line]


def summary_as_data(room: Room) -> Summary:
    """A line of the lobby."""
    return {
        "match": room.id,
        "game": room.terms.game.name,
        "title": room.terms.game.title,
        "players": list(room.terms.players),
        "computers": list(room.terms.computers),
        "round": room.match.round,
        "clock": room.clock,
        "sealed": room.sealed,
        "joinable": not room.ready,
    }
