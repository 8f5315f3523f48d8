"""Matches on a server, played and watched in the app."""

from functools import partial
from random import Random
from typing import Any

import pytest

from evenodds.app.app import EvenOddsApp
from evenodds.client.address import address
from evenodds.client.remote_match import RemoteMatch, connect_to_match
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, SECOND
from tests.app.pilots import Visitor, visit
from tests.support.game_data import data_of
from tests.support.servers import Opener, Server
from tests.support.strategies import GAMES

pytestmark = pytest.mark.processes


def join(remote: RemoteMatch, app: EvenOddsApp) -> None:
    """Open the app at a match."""
    app.join(remote)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_match_on_a_server(game: Any, server: Server) -> None:
    """The same board and keys as at home; the other's pick is not seen before both are in."""
    opener = Opener(server, game.name, rulings=data_of(game).small)
    match = Match(game, data_of(game).small, players=("Ann", "Bob"))
    chance = Random(5)

    async def script(visitor: Visitor) -> None:
        while match.result is None:
            picks = {seat: chance.choice(match.choices(seat)) for seat in match.waiting()}
            if FIRST in picks:
                # The pick that the visitor made last may be under way.
                await visitor.until(lambda: len(opener.view()["history"]) == len(match.history))
                opener.pick(picks[FIRST])
                match.pick(FIRST, picks[FIRST])
            if SECOND in picks:
                await visitor.until(lambda: is_asked_in(visitor, match.round))
                assert visitor.table.table is not None
                assert visitor.table.table.view.history == match.history
                await visitor.press(*str(picks[SECOND]))
                match.pick(SECOND, picks[SECOND])
        await visitor.until(lambda: visitor.table.ended)
        await visitor.sees("Play again")

    app = visit(script, partial(join, connect_to_match(address(opener.invitation), "Bob")))
    assert app.failure is None


def is_asked_in(visitor: Visitor, round: int) -> bool:
    """Whether the app asks for the pick of a round."""
    table = visitor.table.table
    return bool(table and table.asked is not None and table.view.round == round)


def test_presence_is_said_in_a_line(server: Server) -> None:
    """Who waits is told for whom, and after some seconds that the other is away."""
    opener = Opener(server, "underdog", rulings={"numbers": 5, "target": 1})

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("3")
        await visitor.sees("has picked")
        await visitor.sees("Ann is away. In 5 minutes")
        await visitor.sees("you can claim the win.")  # on the next line, where the log has it
        await visitor.sees("Your pick is in. Waiting")
        await visitor.sees("▚")  # a card that lies face down
        assert "Hint" not in visitor.screen_text()
        await visitor.press("question_mark")
        await visitor.sees("resign")
        assert "map of all picks" not in visitor.screen_text()

    visit(script, partial(join, connect_to_match(address(opener.invitation), "Bob")))


def test_leaving_says_how_to_come_back(server: Server) -> None:
    opener = Opener(server, "underdog")

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("escape")
        await visitor.until(lambda: visitor.app.return_value is not None)

    app = visit(script, partial(join, connect_to_match(address(opener.invitation), "Bob")))
    assert app.return_value == 0
    assert any("evenodds join" in line for line in app.farewell)
