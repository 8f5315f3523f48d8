"""JSON views of a match for a seat, a spectator and the lobby."""

import time
from typing import Any, Final, cast

import msgspec

from evenodds.core.match import Match
from evenodds.core.record import CANCELLED_REASON, MatchResult
from evenodds.core.rulings import as_data
from evenodds.core.serialization import SEAT_NAMES, result_as_data, state_as_data, view_as_data
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.core.words import Board
from evenodds.render.narration import ended, told
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.schemas import MatchView, Presence, Summary

ENCODER: Final = msgspec.json.Encoder()


def table_as_data(table: MatchSession, seat: Seat | None) -> MatchView:
    """A match as a seat, or a spectator, sees it."""
    room = table.room
    seen: Any = _terms(room) | _position(room) | _now(room) | _own(table, seat)
    return cast(MatchView, seen)


def encode_match_view(table: MatchSession, seat: Seat | None) -> bytes:
    """The same as JSON, each part of it written once for as long as it stays as it is."""
    room, parts = table.room, table.parts
    if parts.terms_of is not room.terms:
        parts.terms_of, parts.terms = room.terms, _fields(_terms(room))
    if parts.stage != room.stage:
        parts.stage, parts.position = room.stage, _fields(_position(room))
    if parts.seq != room.seq:
        parts.seq, parts.now = room.seq, _fields(_now(room))
    own = _fields(_own(table, seat))
    return b"{%b,%b,%b,%b}" % (parts.terms, parts.position, parts.now, own)


def _fields(data: dict[str, Any]) -> bytes:
    """The fields of an object as JSON, without its braces."""
    return ENCODER.encode(data)[1:-1]


def _own(table: MatchSession, seat: Seat | None) -> dict[str, Any]:
    """What one seat sees, and when."""
    room = table.room
    choices = room.choices(seat)
    prompt = room.terms.game.words.prompt
    return {
        "seat": SEAT_NAMES[seat],
        "legal": choices,
        "prompt": prompt(room.match.state, seat, choices, room.match.names)
        if seat is not None and choices
        else "",
        "takeback": room.can_take_back(seat),
        **presence(table),
    }


def presence(table: MatchSession) -> Presence:
    """Who is there, and until when those who are waited for may come."""
    return {
        "connected": table.connected(),
        "deadline": table.room.deadline,
        "absence": [table.room.absence(seat) for seat in SEATS],
        "now": time.time(),
        "delay": table.delay,
    }


def _terms(room: MatchState) -> dict[str, Any]:
    """What stays as it is throughout a match."""
    terms, names = room.terms, room.match.names
    return {
        "match": room.id,
        "game": terms.game.name,
        "title": terms.game.title,
        "rulings": as_data(terms.rulings),
        "simultaneous": terms.game.simultaneous,
        "first": terms.first,
        "players": [names[each] for each in SEATS],
        "computers": [terms.computer(each) for each in SEATS],
        "joined": [room.joined[names.order.index(each)] for each in SEATS],
        "clock": room.clock,
        "sealed": room.sealed,
    }


def _position(room: MatchState) -> dict[str, Any]:
    """What stays as it is throughout a round."""
    match, result = room.match, room.result
    view = view_as_data(room.view(None))
    del view["legal"], view["chosen"]  # of one seat, and of the moment
    return {
        **view,
        "before": state_as_data(match.states[-2]) if match.history else None,
        "board": board_as_data(match.game.words.board(match.state, match.names)),
        "told": told(match),
        "help": _help(match),
        "seals": room.seals[-1] if room.seals else None,
        "result": result_as_data(result) | {"told": _ended(room, result)} if result else None,
    }


def _ended(room: MatchState, result: MatchResult) -> list[str]:
    return ended(room.match, result._replace(reason=CANCELLED_REASON) if room.cancelled else result)


def _now(room: MatchState) -> dict[str, Any]:
    """What every event may change."""
    waiting = room.waiting()
    return {
        "seq": room.seq,
        "chosen": [each in room.chosen for each in SEATS],
        "waiting": [each in waiting for each in SEATS],
        "phase": room.phase,
        "commitments": [room.commitments.get(each) for each in SEATS],
        "offers": [each in room.offers for each in SEATS],
        "rematch": room.rematch or None,
    }


def board_as_data(board: Board) -> list[list[list[str]]]:
    """A drawing as lines of pieces, each a text and its style."""
    return [[[span.text, span.style] for span in line] for line in board]


def _help(match: Match) -> str:
    """What the numbers mean that may be picked now."""
    for seat in match.waiting():
        return match.game.words.choices(match.state, seat, match.choices(seat))
    return ""


def summary_as_data(room: MatchState) -> Summary:
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
