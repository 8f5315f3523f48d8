"""A match on a server, played from a terminal: a real server, real terminals, a real network."""

import json
import re
import signal
import stat
from pathlib import Path

import pytest

from evenodds import notation
from tests.support.commands import Terminal, evenodds, evenodds_here, keep_seat, lines
from tests.support.servers import Opener, Pair, Server, free_port, serving

pytestmark = pytest.mark.processes


def joined(opener: Opener, home: Path, *options: str) -> Terminal:
    """Bob at a terminal, who comes by the invitation."""
    guest = Terminal("join", opener.invitation, "--name", "Bob", *options, home=home)
    guest.see("You are Bob, opposite Ann.")
    return guest


def test_two_terminals_play_each_other(server: Server, home: Path, tmp_path: Path) -> None:
    """Neither sees the other's number before both are in; both see who comes and goes."""
    opener = Opener(server, "underdog", rulings={"numbers": 5, "target": 1})
    keep_seat(opener.link, opener.token)
    bob = joined(opener, tmp_path / "bob")
    ann = Terminal("join", opener.link, home=home)
    ann.see("You are Ann, opposite Bob.")
    bob.see("Ann is here.")
    ann.see("[1,2,3,4,5]:")
    ann.press("c")
    ann.see("The match stays on the server. Return with:")
    assert ann.end() == 130
    bob.see("Ann has left, perhaps only for a moment.")
    ann = Terminal("join", opener.link, home=home)
    bob.see("Ann is here.")
    ann.talk("[1,2,3,4,5]: > 3", "Your pick is in. Waiting for Bob.")
    bob.type(4)
    seen = bob.see("Ann chose: 3")
    assert "3" not in re.sub(r"\[1,2,3,4,5\]", "", seen)
    for terminal in (ann, bob):
        terminal.see("Underdog Rule Activated! Ann wins the round!")
    ann.talk("Another match? (y/n) > y", "Waiting for your opponent to accept.")
    bob.talk("Ann would like to play again.", "Another match? (y/n) > y")
    for terminal in (ann, bob):
        terminal.talk("[1,2,3,4,5]: > quit", "The match stays on the server.")
        assert terminal.end() == 0


def test_who_joins_later_is_called_by_name(server: Server, home: Path) -> None:
    opener = Opener(server, "duel", rulings={"hp": 3})
    keep_seat(opener.link, opener.token)
    ann = Terminal("join", opener.link, home=home)
    ann.see("You are Ann, opposite Player 2.")
    ann.see("Waiting for your opponent, who needs the link.")
    guest = {"invitation": opener.secret, "name": "Bob"}
    bob = server.client(server.client().post("/api/join", json=guest).json()["token"])
    ann.see("(1-3):")
    bob.post(f"{opener.path}/picks", json={"round": 1, "number": 1})
    ann.type(3)
    ann.talk(
        "Bob chose: 1",
        "Ann wins the game!",
        "Another match? (y/n) > y",
        "Waiting for your opponent to accept. > quit",
    )
    assert ann.end() == 0


def test_a_seat_outlives_the_terminal(server: Server, home: Path) -> None:
    """Killed with a pick in: the same command comes back, and nothing is asked twice."""
    opener = Opener(server, "margin", rulings={"numbers": 3})
    guest = joined(opener, home)
    guest.talk(
        "Bob, select your number from [1, 2, 3]: > 3",
        "Your pick is in. Waiting for Ann, who is not here at the moment.",
    )
    guest.process.kill(signal.SIGKILL)
    assert guest.end() == -signal.SIGKILL
    (kept,) = (home / "seats").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    again = Terminal("join", opener.invitation, home=home)
    again.see("You are Bob, opposite Ann.")
    again.see("Your pick is in. Waiting for Ann")
    opener.pick(1)
    again.talk("Points gained: 2", "Bob, select your number from [1, 2]: > quit")
    again.see(f"evenodds join {opener.link}")
    assert again.end() == 0


def test_a_server_that_was_gone_comes_back(home: Path, tmp_path: Path) -> None:
    """It is said once; the pick that could not be sent is sent by itself."""
    port = free_port()
    first = Server(tmp_path, "--port", port)
    opener = Opener(first, "circle", rulings={"numbers": 5})
    guest = joined(opener, home)
    guest.see("Waiting for Ann")
    opener.pick(2)
    guest.see("Select a number:")
    first.end(signal.SIGKILL)
    guest.talk("Connection lost. Trying again.", "Select a number: > 3")
    with serving(tmp_path, "--port", port) as second:
        guest.see("Number 3 selected.")
        view = second.client().get(opener.path).json()
        assert view["history"] == [[2, None], [None, 3]]
        guest.see("Waiting for Ann")
        guest.press("c")
        assert guest.end() == 130
    said = guest.stream.decode()
    assert said.count("Connection lost") == 1


def test_whoever_has_no_seat_watches(server: Server, home: Path, tmp_path: Path) -> None:
    """From where the match stands to its end, and can change nothing."""
    opener = Opener(server, "duel", rulings={"hp": 3})
    guest = joined(opener, home)
    watcher = Terminal("join", opener.link, home=tmp_path / "watcher")
    watcher.talk(
        "You are watching this match: both seats are taken.",
        "Waiting for Ann and Bob > resign",
        "There is nothing to choose now; it is up to Ann and Bob. > ?",
        "You can type rules (the rules of this game), board (the board once more),",
    )
    opener.pick(3)
    guest.see("(1-3):")
    guest.type(1)
    for terminal in (guest, watcher):
        terminal.see("Ann wins the game!")
    assert watcher.end() == 0
    guest.type("q")
    assert guest.end() == 0


def test_a_listed_match_is_joined_without_an_invitation(server: Server, home: Path) -> None:
    """Its free seat is taken by the first who comes; one that is not listed needs a link."""
    opener = Opener(server, "duel", rulings={"hp": 3}, listed=True)
    guest = Terminal("join", opener.link, "--name", "Bob", home=home)
    guest.see("You are Bob, opposite Ann.")
    guest.see("(1-3):")
    guest.press("d")
    assert guest.end() == 1
    assert opener.view()["players"] == ["Ann", "Bob"]
    hidden = Opener(server, "duel")
    done = evenodds("join", hidden.link, home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "this match is by invitation; ask for a link\n"


def test_a_pipe_plays_and_records_what_was_played(
    server: Server, home: Path, tmp_path: Path
) -> None:
    """One pick a line; sealed picks are recorded with what they were promised by."""
    opener = Opener(
        server, "margin", opponent="high", sealed=True, clock=600, rulings={"numbers": 2}
    )
    keep_seat(opener.link, opener.token)
    file = tmp_path / "record.txt"
    done = evenodds("join", opener.link, "--record", str(file), typed=lines(2, 1), home=home)
    assert (done.returncode, done.stderr) == (0, "")
    (match,) = notation.parse_all(file.read_text())
    assert match.history == ((2, 2), (1, 1))
    assert "4 sealed picks" in evenodds_here("verify", str(file), home=home).stdout
    assert "Game Over!" in done.stdout
    assert file.read_text() == opener.client.get(f"{opener.path}/record").text
    (seat,) = (home / "seats").iterdir()
    kept = json.loads(seat.read_text())
    assert kept["witnessed"].keys() == {"1", "2"}
    seat.write_text(json.dumps(kept | {"witnessed": {"1": ["0" * 64, "1" * 64]}}))
    again = ("join", opener.link, "--record", str(tmp_path / "again.txt"))
    said = evenodds_here(*again, home=home).stdout
    assert "is not what was played and promised here" in said


def test_whoever_leaves_with_a_promise_open_is_warned(server: Server, home: Path) -> None:
    pair = Pair(server, "duel", sealed=True, clock=600)
    keep_seat(f"{server.url}/match/{pair.id}", pair.tokens[0])
    guest = Terminal("join", f"{server.url}/match/{pair.id}", home=home)
    guest.talk(
        "(1-3): > 3",
        "Your pick is in. Waiting for Bob > quit",
        "Whoever has not shown theirs when the time is up loses.",
    )
    assert guest.end() == 0


def test_a_clock_is_called_out_and_ends_the_match(server: Server, home: Path) -> None:
    void = "Both players ran out of time."
    for clock in (2, 8, 32, 128):  # where the machine is too busy, with more time
        guest = joined(Opener(server, "duel", clock=clock), home)
        late = guest.process.expect_exact(["You have ", void])
        if not late:
            guest.talk(" second", ". > 3")  # of which one may be left
            late = guest.process.expect_exact(["Ann took too long.", void])
        if not late:
            guest.see("Bob wins the game!")
        else:
            guest.see("The match is void.")
        guest.talk("Another match? (y/n) > n")
        assert guest.end() == 0
        if not late:
            return
    raise AssertionError("no clock is long enough")


def test_what_is_refused_on_a_server(server: Server, home: Path) -> None:
    guest = joined(Opener(server, "duel"), home)
    guest.see("(1-3):")
    for typed, said in {
        "hint": "There are no hints against a person.",
        "undo": "You can only undo against a computer.",
        "9": "9 is not a number from 1 to 3. Choose 1, 2 or 3, or ? for help.",
    }.items():
        guest.type(typed)
        guest.see(said)
    guest.type("quit")
    assert guest.end() == 0


def test_an_opponent_who_is_away_for_too_long_loses_to_a_claim(home: Path) -> None:
    for minutes in ("0.05", "0.5", "5"):  # where the machine is too busy, with more time
        limits = {"ABSENCE_MINUTES": minutes, "AWAY_SECONDS": "0.1"}
        given = {f"EVENODDS_SERVER_{name}": value for name, value in limits.items()}
        with serving(home / minutes, **given) as server:
            guest = joined(Opener(server, "duel"), home)
            guest.see("(1-3):")
            late = guest.process.expect_exact(["Ann is away. In ", "Ann has not come back"])
            if late:
                guest.press("c")
                guest.end()
                continue
            guest.talk(
                "you can claim the win. > 3",
                "Ann has not come back; type claim to win the match. > claim",
                "Bob wins the game!",
                "Another match? (y/n) > n",
            )
            assert guest.end() == 0
            return
    raise AssertionError("no absence is long enough")


def test_a_computer_lets_take_back(server: Server, home: Path) -> None:
    opener = Opener(server, "circle", opponent="high", rulings={"numbers": 5})
    keep_seat(opener.link, opener.token)
    guest = Terminal("join", opener.link, home=home)
    guest.talk(
        "High is the computer (high).",
        "Select a number: > undo",
        "There is nothing to undo. > 1",
        "Number 5 selected.",
        "Select a number: > hint",
        "If both play perfectly from here, your expected score is",
        "Select a number: > undo",
        "Taken back.",
        "Available numbers: 1 2 3 4 5 > resign > y",
        "Ann resigns.",
        "Another match? (y/n) > y",
        "Last number selected: 5",
        "Select a number: > quit",
    )
    assert guest.end() == 0


def test_a_person_is_asked_to_let_take_back(server: Server, home: Path) -> None:
    opener = Opener(server, "circle")
    guest = joined(opener, home)
    opener.pick(4)
    guest.see("Select a number:")
    opener.client.post(f"{opener.path}/takeback", json={"round": 2})
    guest.talk("Ann asks to take back their last pick; type undo to agree. > undo", "Taken back.")
    opener.pick(7)
    guest.talk(
        "Select a number: > 8",
        "Number 8 selected. > undo",
        "You ask Ann to take back your last pick.",
    )
    assert opener.view()["takeback_asked"] == "second"
    guest.type("quit")
    assert guest.end() == 0


def test_an_opponent_who_resigns_ends_the_question(server: Server, home: Path) -> None:
    opener = Opener(server, "margin", rulings={"numbers": 2})
    guest = joined(opener, home)
    guest.see("]:")
    opener.client.post(f"{opener.path}/resignation")
    guest.talk("Ann resigns.", "Bob wins the game!", "Another match? (y/n) > n")
    assert guest.end() == 0
