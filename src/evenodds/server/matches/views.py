"""JSON views of a match for a seat, a spectator and the lobby."""

import time
from collections.abc import Callable, Container
from typing import Any, Final, cast

import msgspec

from evenodds.claims.fixed_outcome import is_lively
from evenodds.core.match import Match
from evenodds.core.record import MatchResult, result_as_data, state_as_data
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, PASS, SEAT_NAMES, SECOND, Seat
from evenodds.core.words import Names, Preview
from evenodds.players.profiles import names_for_reader
from evenodds.protocol.messages import Flags, MatchEnding, Presence
from evenodds.render import narration
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.schemas import BoardPosition, MatchSummary

ViewPart = Callable[[MatchState, Seat | None], dict[str, Any]]
ENCODER: Final = msgspec.json.Encoder()
PRESENCE_LIFETIME_S: Final = 0.02
"""Seconds for which readers are told the same time of the server."""


def encode_match_view(session: MatchSession, seat: Seat | None) -> bytes:
    """A match as a seat, or a spectator, sees it, as JSON joined from five objects.

    The terms are encoded once, the rounds and what is told of them to a seat once for each stage,
    the rest once for each event: views are most of the work of a pick.
    """
    state, present = session.state, presence(session)
    whole = session.encoded.get(seat)
    if whole is None or whole[0] != state.seq or whole[1] is not present:
        parts = (
            _kept(session, _terms_part, None, (state.terms, state.ready)),
            _kept(session, _shared_part, None, state.stage),
            _kept(session, _told_part, seat, state.stage),
            ENCODER.encode(_seat_part(state, seat))[1:-1],
            ENCODER.encode(present)[1:],
        )
        whole = session.encoded[seat] = state.seq, present, b"{" + b",".join(parts)
    return whole[2]


def _kept(session: MatchSession, part: ViewPart, seat: Seat | None, key: object) -> bytes:
    """The fields of a part of views without braces, made anew only for another key."""
    known = session.encoded_parts.get((part, seat))
    if known is None or known[0] != key:
        known = key, ENCODER.encode(part(session.state, seat))[1:-1]
        session.encoded_parts[part, seat] = known
    return known[1]


def presence(session: MatchSession) -> Presence:
    """The seats present, the deadlines, and the time of the server; the same for a moment."""
    present, now = session.presence, time.time()
    if present is None or not 0 <= now - present.now < PRESENCE_LIFETIME_S:
        state = session.state
        present = session.presence = Presence(
            connected=session.connected(),
            deadline=state.deadline,
            absence=(state.absence_deadline(FIRST), state.absence_deadline(SECOND)),
            now=now,
            delay=session.delay,
            reactions=(session.reactions.get(FIRST), session.reactions.get(SECOND)),
        )
    return present


def _terms_part(state: MatchState, _: object) -> dict[str, Any]:
    """What changes only when somebody joins."""
    terms, names = state.terms, state.match.names
    return {
        **_board_terms(state.match),
        "match": state.id,
        "first": terms.first,
        "computers": (terms.computer(FIRST), terms.computer(SECOND)),
        "joined": (state.joined[names.order.index(FIRST)], state.joined[names.order.index(SECOND)]),
        "goal": narration.goal_of(terms.game, terms.rulings),
        "changed": ["Livelier rules"] * is_lively(terms.game, terms.rulings)
        or narration.describe_changed_rulings(terms.rulings),
        "clock": state.clock,
        "sealed": state.sealed,
    }


def _shared_part(state: MatchState, _: object) -> dict[str, Any]:
    """What changes only with the stage, and is the same for all readers."""
    dice = state.dice
    return {
        **_rounds(state.match),
        "round": state.match.round,
        "help": _help(state.match),
        "seals": state.seals[-1] if state.seals else None,
        "dice": dice.commitment if dice else None,
        "seed": dice.seed or None if dice else None,
    }


def _told_part(state: MatchState, seat: Seat | None) -> dict[str, Any]:
    """What changes only with the stage, in sentences to a player or to a spectator."""
    names, result = names_for_reader(state.terms, seat), state.result
    return {
        **_sentences(state.match, names),
        "names": names.by_seat,
        "previews": [] if seat is None else _previews(state.match, seat),
        "result": _ending(state, result, names) if result else None,
    }


def _seat_part(state: MatchState, seat: Seat | None) -> dict[str, Any]:
    """What changes with each event, or is only for one seat."""
    choices = state.choices(seat)
    words = state.terms.game.words
    return {
        "seq": state.seq,
        "seat": SEAT_NAMES[seat],
        "legal": choices,
        "prompt": (
            words.prompt(state.match.state, seat, choices, state.match.names)
            if seat is not None and choices
            else ""
        ),
        "chosen": _flags(state.chosen),
        "waiting": _flags(state.waiting()),
        "takeback": state.can_take_back(seat),
        "takeback_asked": SEAT_NAMES[state.takeback_asked],
        "offers": _flags(state.offers),
        "rematch": state.rematch or None,
        "phase": state.phase,
        "commitments": (state.commitments.get(FIRST), state.commitments.get(SECOND)),
    }


def _ending(state: MatchState, result: MatchResult, names: Names) -> MatchEnding:
    named = state.match.result or result  # a view says void of a cancelled match, too
    told = narration.nonempty_ending_lines(state.match, named)
    why = narration.summarize_ending(state.match, named, names)
    return MatchEnding(**result_as_data(result), told=told, why=why)


def _flags(seats: Container[Seat]) -> Flags:
    return FIRST in seats, SECOND in seats


def board_position(match: Match, names: Names | None = None) -> BoardPosition:
    """A position as a board draws it; a seat that had nothing to decide in a round has None."""
    parts = _board_terms(match) | _rounds(match) | _sentences(match, names or match.names)
    return cast(BoardPosition, parts)


def _board_terms(match: Match) -> dict[str, Any]:
    """What is the same for all positions of a match."""
    game, names = match.game, match.names
    return {
        "game": game.name,
        "title": game.title,
        "simultaneous": game.simultaneous,
        "rulings": as_data(match.terms.rulings),
        "players": (names[FIRST], names[SECOND]),
    }


def _rounds(match: Match) -> dict[str, Any]:
    """What changes from round to round, and is the same for all readers."""
    return {
        "history": [(first or None, second or None) for first, second in match.history],
        "draws": match.draws if match.game.chance else (),
        "points": match.points,
        "state": state_as_data(match.state),
        "before": state_as_data(match.states[-2]) if match.history else None,
        "pick_names": (_pick_names(match, FIRST), _pick_names(match, SECOND)),
        "told": narration.describe_rounds(match),
    }


def _pick_names(match: Match, seat: Seat) -> dict[str, str]:
    """The names of what a seat may pick now or has picked, where numbers are not shown."""
    words = match.game.words
    if not words.names_picks:
        return {}
    shown = {*match.choices(seat), *(picks[seat] for picks in match.history)} - {PASS}
    named = words.pick_names(match.terms.rulings, seat, sorted(shown))
    return {str(number): name for number, name in named.items()}


def _sentences(match: Match, names: Names) -> dict[str, Any]:
    """What changes from round to round, under the names that the reader knows."""
    board = match.game.words.board(match.state, names)
    return {"board": board, "summary": narration.summarize_round(match, names)}


def _previews(match: Match, seat: Seat) -> list[Preview]:
    """What each number of a seat would do at once; nothing where no game says so."""
    preview = match.game.words.preview
    found = [preview(match.state, seat, number) for number in match.choices(seat)]
    return found if any(each.text for each in found) else []


def _help(match: Match) -> str:
    """What the legal numbers mean now."""
    for seat in match.waiting():
        return match.game.words.choices(match.state, seat, match.choices(seat))
    return ""


def summary_as_data(state: MatchState) -> MatchSummary:
    """An entry of the lobby."""
    names = names_for_reader(state.terms)
    return {
        "match": state.id,
        "game": state.terms.game.name,
        "title": state.terms.game.title,
        "players": list(state.terms.players),
        "names": [name for _, name in names.listed()],
        "computers": list(state.terms.computers),
        "round": state.match.round,
        "clock": state.clock,
        "sealed": state.sealed,
        "joinable": not state.ready,
    }


def host_name(state: MatchState) -> str:
    """Who waits in a match for somebody; without a name of their own, a friend."""
    terms = state.terms
    host = next(name for name, here in zip(terms.players, state.joined, strict=True) if here)
    return "A friend" if host in terms.game.words.players else host
