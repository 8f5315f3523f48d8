"""Events from a server, put together as they come."""

import json
from typing import Any

import pytest

from evenodds.client import event_stream
from evenodds.client.address import address
from evenodds.client.http_client import Client
from tests.support.foreign_server import (
    VIEW,
    Answer,
    answering,
)


@pytest.mark.processes
def test_events_in_many_pieces_are_put_together() -> None:
    """As the format of streams has them: several lines of data, comments, unknown fields."""
    view = json.dumps(VIEW, indent=1).replace("\n", "\ndata:")
    text = (
        f": hello\nretry: 5\n\nevent: view\nid: 12\nfoo: bar\ndata:{view}\n\nevent: x\ndata: x\n\n"
    )
    with answering(Answer(VIEW, events=text.encode())) as link:
        told: list[Any] = []
        reader = event_stream.EventStreamReader(Client(address(link)), told.append)
        with reader._client.events("") as response:
            assert list(reader._events(response)) == [event_stream.ServerEvent("view", VIEW)]
        assert reader._last_event_id == "12"
