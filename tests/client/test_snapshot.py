"""What a server says of a match: taken as it is meant, refused in one line where it cannot be."""

import re
from contextlib import closing

import pytest

from evenodds.client import event_stream
from evenodds.client.address import address
from evenodds.client.http_client import InvalidResponse, RemoteError
from evenodds.client.remote_match import connect_to_match
from evenodds.client.saved_seats import SavedSeat
from evenodds.client.snapshot import parse_snapshot
from evenodds.core.notation.seals import commitment
from evenodds.core.vocabulary import FIRST
from evenodds.terminal.play.session import SessionOptions
from evenodds.terminal.remote.session import RemoteSession
from tests.support.foreign_server import (
    BREAKS,
    HARMFUL,
    VIEW,
    Answer,
    answering,
    changed,
    sealed,
)
from tests.support.servers import Opener, Server


def trouble_at(link: str) -> str:
    """Why a visit ends that nobody ends."""
    with pytest.raises(RemoteError) as caught:
        RemoteSession(SessionOptions(), connect_to_match(address(link), "")).run()
    return str(caught.value)


@pytest.mark.processes
@pytest.mark.parametrize("name", BREAKS)
def test_a_stranger_is_refused_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of what it sends can move the cursor, colour the screen or look like another line."""
    answer, said = BREAKS[name]
    with answering(answer) as link:
        trouble = trouble_at(link)
    assert said in trouble
    assert not re.search(rf"\n|{HARMFUL}", trouble)
    assert len(trouble) < 400
    assert not re.search(HARMFUL, capsys.readouterr().out)


@pytest.mark.processes
def test_a_promise_that_was_seen_is_held_against_what_is_shown() -> None:
    """Though what is shown fits what the server says by then, and whenever one comes back to it."""
    view = sealed(3, 1)
    with answering(Answer(view | {"seat": "first"})) as link:
        kept = SavedSeat(address(link))
        kept.save_token("token")
        with closing(connect_to_match(address(link), "")) as place:
            assert place.snapshot.history == ((3, 1),)
        kept.record_commitments(1, (view["seals"][0][0], commitment("m", "second", 1, 2, "d" * 32)))
        with pytest.raises(InvalidResponse, match="Bob did not promise 1 in round 1"):
            connect_to_match(address(link), "")


def test_a_name_of_nothing_but_markup_gives_way_to_the_rule_book() -> None:
    """Two players who are called the same have their places' names too."""
    for players in (["[red]", "Bob"], ["[b]Bob", "Bob"], ["x" * 30, "Bob"]):
        assert parse_snapshot(changed(players=players)).terms.players == ("Player 1", "Player 2")


@pytest.mark.processes
def test_a_server_that_is_gone_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "RECONNECT_TIMEOUT_S", 0.0)
    with answering(Answer(VIEW, events=b"")) as link:
        said = trouble_at(link)
    assert said.startswith("the server tells nothing of this match. Return with: evenodds join")


@pytest.mark.processes
def test_a_token_that_would_forge_a_header_is_not_taken() -> None:
    for body in ({"match": "m", "token": "a\r\nb: c"}, {"match": "x", "token": "a"}, {"match": 1}):
        with answering(Answer(body)) as link, pytest.raises(InvalidResponse):
            connect_to_match(address(f"{link}#invitation"), "Bob")


@pytest.mark.processes
def test_players_are_listed_as_at_home_whoever_begins(server: Server) -> None:
    """Player 1 stands first in every list, though Player 2 may sit first."""
    opener = Opener(server, "circle", first=2, opponent="level:1")
    terms = parse_snapshot(opener.view()).terms
    assert terms.players == ("Ann", "Level 1")
    assert terms.computers == ("", "level:1")
    assert [name for _, name in terms.names.listed()] == ["Ann", "Level 1"]
    assert terms.names[FIRST] == "Level 1"
