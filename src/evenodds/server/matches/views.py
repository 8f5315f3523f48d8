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
from evenodds.render.narration import describe_rounds, nonempty_ending_lines
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.schemas import MatchSummary, MatchView, Presence

ENCODER: Final = msgspec.json.Encoder()


def match_as_data(session: MatchSession, seat: Seat | None) -> MatchView:
    """A match as a seat, or a spectator, sees it."""
    state = session.state
    view: Any = _terms(state) | _position(state) | _now(state) | _own(session, seat)
    return cast(MatchView, view)


def encode_match_view(session: MatchSession, seat: Seat | None) -> bytes:
    """The same as JSON; the parts common to all readers are encoded once per change."""
    state, cache = session.state, session.view_cache
    if cache.encoded_terms is not state.terms:
        cache.encoded_terms, cache.terms = state.terms, _fields(_terms(state))
    if cache.stage != state.stage:
        cache.stage, cache.position = state.stage, _fields(_position(state))
    if cache.seq != state.seq:
        cache.seq, cache.now = state.seq, _fields(_now(state))
    own = _fields(_own(session, seat))
    return b"{%b,%b,%b,%b}" % (cache.terms, cache.position, cache.now, own)


def _fields(data: dict[str, Any]) -> bytes:
    """The fields of an object as JSON, without its braces."""
    return ENCODER.encode(data)[1:-1]


def _own(session: MatchSession, seat: Seat | None) -> dict[str, Any]:
    """The part of a view that depends on the seat or on the time."""
    state = session.state
    choices = state.choices(seat)
    prompt = state.terms.game.words.prompt
    return {
        "seat": SEAT_NAMES[seat],
        "legal": choices,
        "prompt": prompt(state.match.state, seat, choices, state.match.names)
        if seat is not None and choices
        else "",
        "takeback": state.can_take_back(seat),
        **presence(session),
    }


def presence(session: MatchSession) -> Presence:
    """The seats present, and the deadlines."""
    return {
        "connected": session.connected(),
        "deadline": session.state.deadline,
        "absence": [session.state.absence_deadline(seat) for seat in SEATS],
        "now": time.time(),
        "delay": session.delay,
    }


def _terms(state: MatchState) -> dict[str, Any]:
    """The part of a view that changes only when a player joins."""
    terms, names = state.terms, state.match.names
    return {
        "match": state.id,
        "game": terms.game.name,
        "title": terms.game.title,
        "rulings": as_data(terms.rulings),
        "simultaneous": terms.game.simultaneous,
        "first": terms.first,
        "players": [names[each] for each in SEATS],
        "computers": [terms.computer(each) for each in SEATS],
        "joined": [state.joined[names.order.index(each)] for each in SEATS],
        "clock": state.clock,
        "sealed": state.sealed,
    }


def _position(state: MatchState) -> dict[str, Any]:
    """The part of a view that changes with each round."""
    match, result = state.match, state.result
    view = view_as_data(state.view(None))
    del view["legal"], view["chosen"]  # the first depends on the seat, the second on the event
    return {
        **view,
        "before": state_as_data(match.states[-2]) if match.history else None,
        "board": board_as_data(match.game.words.board(match.state, match.names)),
        "told": describe_rounds(match),
        "help": _help(match),
        "seals": state.seals[-1] if state.seals else None,
        "result": result_as_data(result) | {"told": _ended(state, result)} if result else None,
    }


def _ended(state: MatchState, result: MatchResult) -> list[str]:
    return nonempty_ending_lines(
        state.match, result._replace(reason=CANCELLED_REASON) if state.cancelled else result
    )


def _now(state: MatchState) -> dict[str, Any]:
    """The part of a view that any event may change."""
    waiting = state.waiting()
    return {
        "seq": state.seq,
        "chosen": [each in state.chosen for each in SEATS],
        "waiting": [each in waiting for each in SEATS],
        "phase": state.phase,
        "commitments": [state.commitments.get(each) for each in SEATS],
        "offers": [each in state.offers for each in SEATS],
        "rematch": state.rematch or None,
    }


def board_as_data(board: Board) -> list[list[list[str]]]:
    """A drawing as lines of spans, each a text and its style."""
    return [[[span.text, span.style] for span in line] for line in board]


def _help(match: Match) -> str:
    """What the legal numbers mean now."""
    for seat in match.waiting():
        return match.game.words.choices(match.state, seat, match.choices(seat))
    return ""


def summary_as_data(state: MatchState) -> MatchSummary:
    """An entry of the lobby."""
    return {
        "match": state.id,
        "game": state.terms.game.name,
        "title": state.terms.game.title,
        "players": list(state.terms.players),
        "computers": list(state.terms.computers),
        "round": state.match.round,
        "clock": state.clock,
        "sealed": state.sealed,
        "joinable": not state.ready,
    }
