"""Messages of a match server: what both sides understand, and what was always stored."""

import json

import msgspec
import pytest

from evenodds.protocol import events
from evenodds.protocol.events import MatchEvent
from evenodds.protocol.messages import MatchView
from evenodds.server.storage.ledger_entries import Event
from tests.support.foreign_server import VIEW
from tests.support.servers import Pair, Server

COMMITMENT = "c" * 64
STORED: list[tuple[MatchEvent, str, dict[str, object]]] = [
    (events.Joined(2, "Bob"), "joined", {"player": 2, "name": "Bob"}),
    (events.Picked(0, 3), "picked", {"seat": 0, "round": 3}),
    (events.Picked(1, 3, COMMITMENT), "picked", {"seat": 1, "round": 3, "commitment": COMMITMENT}),
    (events.Played(1, (2, 0)), "played", {"round": 1, "picks": (2, 0)}),
    (
        events.Played(1, (2, 3), ("a", "b")),
        "played",
        {"round": 1, "picks": (2, 3), "salts": ("a", "b")},
    ),
    (events.Ended("void", None), "ended", {"reason": "void", "loser": None}),
    (
        events.Ended("forfeit", 1, {"1": (4, "d")}),
        "ended",
        {"reason": "forfeit", "loser": 1, "shown": {"1": (4, "d")}},
    ),
    (events.Offered(1), "offered", {"seat": 1}),
    (events.Offered(1, False), "offered", {"seat": 1, "stands": False}),
    (events.RematchOpened("m"), "rematch", {"match": "m"}),
]


@pytest.mark.parametrize(("event", "kind", "data"), STORED)
def test_an_event_is_stored_as_before(
    event: MatchEvent, kind: str, data: dict[str, object]
) -> None:
    stored = Event(7, 1.5, event)
    seq, at, stored_kind, stored_data = stored.row
    assert (seq, at, stored_kind) == (7, 1.5, kind)
    assert json.loads(stored_data) == json.loads(json.dumps(data))
    assert Event.of_row(7, 1.5, kind, json.dumps(data)) == stored


def test_an_older_and_a_newer_version_are_understood() -> None:
    assert msgspec.convert(VIEW | {"weather": "fine"}, MatchView) == msgspec.convert(
        VIEW | {"sealed": False, "offers": (False, False)}, MatchView
    )


@pytest.mark.processes
def test_a_view_is_read_back_as_it_was_sent(server: Server) -> None:
    sent = server.client().get(Pair(server, "circle").path).json()
    assert json.loads(msgspec.json.encode(msgspec.convert(sent, MatchView))) == sent
