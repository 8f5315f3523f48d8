"""Matches on a server, played and watched in the app."""

from random import Random

import httpx
import pytest
from textual.widgets import Input

from evenodds import FIRST, SECOND, Match
from tests.app.pilots import Visitor, steps, told, visit
from tests.support.game_data import data_of
from tests.support.servers import Opener, Server
from tests.support.strategies import GAMES

pytestmark = pytest.mark.processes

BOB = ("--name", "Bob")


@pytest.mark.parametrize("name", [game.name for game in GAMES])
def test_a_match_on_a_server(name: str, server: Server) -> None:
    """The same board and keys as at home; the other's pick is not seen before both are in."""
    opener = Opener(server, name, rulings=data_of(name).small)
    match = Match(name, data_of(name).small, players=("Ann", "Bob"))
    chance = Random(5)

    def asks(visitor: Visitor) -> bool:
        table = visitor.has_table and visitor.table
        return bool(table and table.asked is not None and table.view.round == match.round)

    async def script(visitor: Visitor) -> None:
        while match.result is None:
            picks = {seat: chance.choice(match.choices(seat)) for seat in match.waiting()}
            if FIRST in picks:
                # The pick that the visitor made last may be under way.
                await visitor.until(lambda: len(opener.view()["history"]) == len(match.history))
                opener.pick(picks[FIRST])
                match.pick(FIRST, picks[FIRST])
            if SECOND in picks:
                await visitor.until(lambda: asks(visitor))
                assert visitor.table.view.history == match.history
                await visitor.press(*str(picks[SECOND]))
                match.pick(SECOND, picks[SECOND])
        await visitor.until(lambda: visitor.is_over)
        await visitor.sees("Play again")
        assert [line for line in visitor.log if line in told(match, SECOND)] == told(match, SECOND)

    visit(script, "join", opener.invitation, *BOB)


def test_presence_is_said_in_a_line(server: Server) -> None:
    """Who waits is told for whom, who is away, and how to come back."""
    opener = Opener(server, "underdog", rulings={"numbers": 5, "target": 1})
    walk = steps(
        " > ?",
        "3 > has picked > Ann is away. In 5 minutes",
        " > you can claim the win. > Your pick is in. Waiting > ▚ > !Hint",  # a card face down
        "c > The server says no",
        "question_mark > c  win if the other stays away > resign > !map of all picks",
    )

    async def script(visitor: Visitor) -> None:
        await walk(visitor)
        await visitor.press("escape", "escape")
        await visitor.until(lambda: visitor.app.return_value is not None)

    left = visit(script, "join", opener.invitation, *BOB)
    assert left.exit_code == 0
    assert any("evenodds join" in line for line in left.said)


def test_somebody_is_invited_from_the_app(server: Server) -> None:
    """By a link that is shown; the one who invites comes back to the seat by the same link."""

    async def typed(visitor: Visitor, text: str) -> None:
        await visitor.until(lambda: isinstance(visitor.app.focused, Input))
        visitor.app.focused.value = text
        await visitor.press("enter")

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Change the rules")
        await visitor.press("home", *["down"] * 5, "enter")
        await typed(visitor, "nowhere at all")
        await visitor.sees("is no server")
        await typed(visitor, "127.0.0.1:1")
        await steps(" > Your name, which", "A n n enter > #cannot be reached")(visitor)
        await steps(" > Who plays?", "home down down down down down enter > The address")(visitor)
        await typed(visitor, server.url)
        await steps(" > Your name, which > Ann", "enter > Send this link")(visitor)
        link = visitor.app.screen.content[0].plain.split()[-1]
        await steps("escape > Waiting for your opponent > Send this link")(visitor)
        body = {"invitation": link.partition("#")[2], "name": "Bob"}
        httpx.post(f"{server.url}/api/join", json=body).raise_for_status()
        await steps(" > against Bob", "3 > has picked", "escape > Join by a link", "j")(visitor)
        await typed(visitor, link)
        await visitor.sees("has picked")
        await steps("escape > Join by a link", "m > On servers", "enter > has picked")(visitor)
        said.append(f"evenodds join {link.partition('#')[0]}")
        await visitor.press("escape", "2", "end", "enter")  # another match
        assert await visitor.is_asked()
        await steps("escape > Join by a link", "m delete > Give up your seat?")(visitor)
        await steps("escape > Delete deletes", "escape > !Delete deletes", "j")(visitor)
        await typed(visitor, opener.invitation)
        again = "enter > #both players would be called Ann"
        await steps(" > Your name, which > Ann", again, " > Your name", "B o b enter > ?")(visitor)
        await visitor.press("escape", "q")
        said.append(f"evenodds join {opener.link}")

    opener = Opener(server, "duel")
    said = ["Nothing was played, so nothing is saved."]
    left = visit(script, "play", "margin").said
    assert set(said) <= set(left)
