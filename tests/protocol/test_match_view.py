"""Messages of a match server: what both sides understand, and what nobody loads without need."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from evenodds.protocol.match_view import MatchView
from tests.support.commands import surroundings
from tests.support.foreign_server import VIEW
from tests.support.servers import Pair, Server


def test_an_older_and_a_newer_version_are_understood() -> None:
    """A key that is missing has a default, and one that is not known is ignored."""
    assert msgspec.convert(VIEW | {"weather": "fine"}, MatchView) == msgspec.convert(
        VIEW | {"sealed": False}, MatchView
    )


@pytest.mark.processes
def test_a_view_is_read_back_as_it_was_sent(server: Server) -> None:
    sent = server.client().get(Pair(server, "circle").path).json()
    assert json.loads(msgspec.json.encode(msgspec.convert(sent, MatchView))) == sent


@pytest.mark.processes
def test_a_local_match_loads_no_messages(home: Path) -> None:
    code = (
        "import sys; from evenodds.cli.playing import play;"
        "from evenodds.terminal.play import session;"
        "assert not {'msgspec', 'evenodds.protocol'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=surroundings(home))
