"""A match on a server, played from a terminal: a real server, real terminals, a real network."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evenodds.match import Match
from evenodds.vocabulary import SEATS, SECOND, Seat
from tests.commands import Terminal
from tests.servers import Server, serving
from tests.strategies import GAMES
from tests.test_players import SMALL

NEXT = "Play again, review, or quit? (a/r/q)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of this file share, each with matches of its own."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


class Opener:
    """Ann, who opens a match and sits in the first seat, by HTTP."""

    def __init__(self, server: Server, game: str, **wish: Any) -> None:
        opened = server.client().post("/api/matches", json={"game": game, "name": "Ann", **wish})
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["match"]
        self.path = f"/api/matches/{self.id}"
        self.link = f"{server.url}/match/{self.id}"
        self.token = opened.json()["token"]
        self.invitation = f"{self.link}#{opened.json()['invitation']}"
        self.client = server.client(self.token)

    def view(self) -> dict[str, Any]:
        """The match as Ann sees it."""
        found: dict[str, Any] = self.client.get(self.path).json()
        return found

    def pick(self, number: int) -> None:
        """Pick a number in the round that is played."""
        body = {"round": self.view()["round"], "number": number}
        done = self.client.post(f"{self.path}/picks", json=body)
        assert done.status_code == 200, done.text


def joined(opener: Opener, home: Path, *options: str) -> Terminal:
    """Bob at a terminal, who comes by the invitation."""
    guest = Terminal("join", opener.invitation, "--name", "Bob", *options, home=home)
    guest.see("You are Bob, opposite Ann.")
    return guest


def prompt(match: Match, seat: Seat) -> str:
    """What a seat is asked at home."""
    return match.game.words.prompt(match.state, seat, match.choices(seat), match.names)


def told(match: Match) -> list[str]:
    """What is said at home of the last round."""
    before, after = match.states[-2:]
    said = match.game.words.reveal(before, match.history[-1], after, match.names)
    return [line for line in said if line]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_dialog_is_that_of_home(game: Any, server: Server, home: Path) -> None:
    """Every question, reveal and ending comes from the words of the game, round by round."""
    opener = Opener(server, game.name, rulings=SMALL[game.name])
    match = Match(game, SMALL[game.name], players=("Ann", "Bob"))
    guest = joined(opener, home)
    chance = Random(5)
    while match.result is None:
        picks = {seat: chance.choice(match.choices(seat)) for seat in match.waiting()}
        for seat in reversed(SEATS):
            if seat in picks and seat == SECOND:
                guest.see(prompt(match, seat))
                guest.type(picks[seat])
            elif seat in picks:
                opener.pick(picks[seat])
            if seat in picks:
                match.pick(seat, picks[seat])
        for line in told(match):
            guest.see(line)
        if game.words.pause and match.result is None:
            guest.see(game.words.pause)
            guest.type("")
    for line in game.words.closing(match.state, match.result.outcome, match.names):
        guest.see(line)
    guest.see(NEXT)
    guest.type("q")
    assert guest.end() == 0
