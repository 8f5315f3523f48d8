"""JSON views of a match for a seat, a spectator and the lobby."""

import time
from collections.abc import Container
from copy import copy
from typing import Final, TypeVar

import msgspec

from evenodds.core.match import Match
from evenodds.core.record import CANCELLED_REASON, MatchResult
from evenodds.core.rulings import as_data
from evenodds.core.serialization import SEAT_NAMES, result_as_data, state_as_data
from evenodds.core.vocabulary import FIRST, SECOND, Seat
from evenodds.protocol.match_view import Flags, MatchEnding, MatchView, Presence
from evenodds.render.narration import (
    describe_changed_rulings,
    describe_rounds,
    nonempty_ending_lines,
    summarize_ending,
    summarize_round,
)
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.schemas import BoardPosition, MatchSummary

ENCODER: Final = msgspec.json.Encoder()
NEITHER_SEAT: Final = (False, False)
P = TypeVar("P", bound=Presence)


def match_view(session: MatchSession, seat: Seat | None) -> MatchView:
    """A match as a seat, or a spectator, sees it; the costly parts are made once per stage."""
    state = session.state
    if state.stage not in session.stage_views:
        session.stage_views = {state.stage: _stage_view(state)}
    view = _with_presence(copy(session.stage_views[state.stage]), session)
    view.seq = state.seq
    view.chosen = _flags(state.chosen)
    view.waiting = _flags(state.waiting())
    view.phase = state.phase
    view.commitments = state.commitments.get(FIRST), state.commitments.get(SECOND)
    view.offers = _flags(state.offers)
    view.rematch = state.rematch or None
    view.seat = SEAT_NAMES[seat]
    view.takeback = state.can_take_back(seat)
    choices = state.choices(seat)
    if seat is not None and choices:
        view.legal = list(choices)
        prompt = state.terms.game.words.prompt
        view.prompt = prompt(state.match.state, seat, choices, state.match.names)
    return view


def encode_match_view(session: MatchSession, seat: Seat | None) -> bytes:
    """The same as JSON."""
    return ENCODER.encode(match_view(session, seat))


def presence(session: MatchSession) -> Presence:
    """The seats present, and the deadlines."""
    return _with_presence(Presence(), session)


def _with_presence(view: P, session: MatchSession) -> P:
    state = session.state
    view.connected = session.connected()
    view.deadline = state.deadline
    view.absence = state.absence_deadline(FIRST), state.absence_deadline(SECOND)
    view.now = time.time()
    view.delay = session.delay
    return view


def _stage_view(state: MatchState) -> MatchView:
    """A view with the parts that change only with the stage, and are the same for all readers."""
    match, terms, result = state.match, state.terms, state.result
    names = match.names
    return MatchView(
        **board_position(match),
        match=state.id,
        seq=state.seq,
        first=terms.first,
        computers=(terms.computer(FIRST), terms.computer(SECOND)),
        joined=(
            state.joined[names.order.index(FIRST)],
            state.joined[names.order.index(SECOND)],
        ),
        round=match.round,
        chosen=NEITHER_SEAT,
        waiting=NEITHER_SEAT,
        help=_help(match),
        goal=terms.game.words.goal(terms.rulings) or terms.game.summary,
        changed=describe_changed_rulings(terms.rulings),
        result=_ending(state, result) if result else None,
        clock=state.clock,
        sealed=state.sealed,
        seals=state.seals[-1] if state.seals else None,
    )


def _ending(state: MatchState, result: MatchResult) -> MatchEnding:
    reason = CANCELLED_REASON if state.cancelled else result.reason
    named = result._replace(reason=reason)
    told = nonempty_ending_lines(state.match, named)
    return MatchEnding(
        **result_as_data(result), told=told, why=summarize_ending(state.match, named)
    )


def _flags(seats: Container[Seat]) -> Flags:
    return FIRST in seats, SECOND in seats


def board_position(match: Match) -> BoardPosition:
    """A position as a board draws it; a seat that had nothing to decide in a round has None."""
    game, names = match.game, match.names
    board = game.words.board(match.state, names)
    return {
        "game": game.name,
        "title": game.title,
        "simultaneous": game.simultaneous,
        "rulings": as_data(match.terms.rulings),
        "players": (names[FIRST], names[SECOND]),
        "history": [(first or None, second or None) for first, second in match.history],
        "state": state_as_data(match.state),
        "before": state_as_data(match.states[-2]) if match.history else None,
        "board": [[[span.text, span.style] for span in line] for line in board],
        "told": describe_rounds(match),
        "summary": summarize_round(match),
    }


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
