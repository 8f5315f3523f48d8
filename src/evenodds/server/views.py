"""What the network hears of a match: a seat's view as data, with its words and its board."""

import time
from typing import Any, cast

from evenodds.public import SEAT_NAMES, result_as_data, state_as_data, view_as_data
from evenodds.rulings import as_data
from evenodds.server.room import VOID, Room
from evenodds.server.shapes import MatchView, Summary
from evenodds.server.table import Table
from evenodds.vocabulary import SEATS, Seat
from evenodds.words import Board


def table_as_data(table: Table, seat: Seat | None) -> MatchView:
    """A match as a seat, or a spectator, sees it."""
    room = table.room
    view, terms, names = room.view(seat), room.terms, room.match.names
    words = terms.game.words
    result = room.result
    told: Any = {
        "match": room.id,
        "seq": room.seq,
        "game": terms.game.name,
        "title": terms.game.title,
        "rulings": as_data(terms.rulings),
        "simultaneous": terms.game.simultaneous,
        "seat": SEAT_NAMES[seat],
        "players": [names[each] for each in SEATS],
        "computers": [terms.computer(each) for each in SEATS],
        "joined": [room.joined[names.order.index(each)] for each in SEATS],
        "connected": table.connected(),
        **view_as_data(view),
        "before": state_as_data(room.match.states[-2]) if view.history else None,
        "waiting": [each in room.waiting() for each in SEATS],
        "prompt": words.prompt(view.state, seat, view.choices, names)
        if seat is not None and view.choices
        else "",
        "board": board_as_data(words.board(view.state, names)),
        "told": _told(room),
        "result": result_as_data(result) | {"told": _ending(room)} if result else None,
        "takeback": room.can_take_back(seat),
        "offers": [each in room.offers for each in SEATS],
        "rematch": room.rematch or None,
        **_time_as_data(room),
        "sealed": room.sealed,
        "phase": room.phase,
        "commitments": [room.commitments.get(each) for each in SEATS],
    }
    return cast(MatchView, told)


def _time_as_data(room: Room) -> dict[str, Any]:
    """The seconds for each pick, when they are up, and what time it is here."""
    return {"clock": room.clock, "deadline": room.deadline, "now": time.time()}


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
