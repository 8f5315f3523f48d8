"""Seats that are kept: the way back to a match."""

from pathlib import Path

import pytest

from evenodds.client.address import address
from evenodds.client.http_client import RemoteError
from evenodds.client.remote_match import connect_to_match
from evenodds.client.saved_seats import SavedSeat
from evenodds.core.vocabulary import SECOND
from tests.support.commands import evenodds
from tests.support.servers import Opener, Server


def test_a_kept_seat_that_is_damaged_is_left_alone(home: Path) -> None:
    kept = SavedSeat(address("http://host/match/m"))
    kept.save_token("token")
    (file,) = (home / "seats").iterdir()
    file.write_text('{"token": ')
    with pytest.raises(RemoteError, match="cannot be read and is left alone"):
        SavedSeat(kept.address)
    assert file.read_text() == '{"token": '


def test_a_seat_that_cannot_be_kept_is_held_all_the_same(home: Path) -> None:
    home.write_text("not a folder")
    kept = SavedSeat(address("http://host/match/m"))
    kept.save_token("token")
    assert kept.token == "token"
    assert kept.save_error == "Not a directory"


@pytest.mark.processes
@pytest.mark.parametrize("listed", [False, True])
def test_a_lost_answer_loses_no_seat(listed: bool, server: Server) -> None:
    opener = Opener(server, "duel", listed=listed)
    link = address(opener.link if listed else opener.invitation)
    guest = {"match": opener.id} if listed else {"invitation": link.invitation}
    key = SavedSeat(link).new_key()
    sent = server.client().post("/api/join", json=guest | {"name": "Bob", "key": key})
    assert sent.status_code == 201
    place = connect_to_match(link, "Bob")
    assert place.snapshot.seat == SECOND
    assert SavedSeat(link).token == key
    place.close()


@pytest.mark.processes
def test_promises_survive_the_terminal(server: Server, home: Path) -> None:
    """In a sealed match the number promised is on disk, and is shown by itself."""
    opener = Opener(server, "duel", rulings={"hp": 2}, sealed=True, clock=600, opponent="high")
    SavedSeat(address(opener.link)).save_token(opener.token)
    seat = SavedSeat(address(opener.link))
    made = seat.commit("first", 1, 2)
    assert seat.commit("first", 1, 2) == made
    body = {"round": 1, "commitment": made}
    assert opener.client.post(f"{opener.path}/picks", json=body).status_code == 200
    done = evenodds("join", opener.link, typed="", home=home)
    assert "Ann chose: 2" in done.stdout
