"""Routes of the lobby: games, opponents, and opening, listing and joining matches."""

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from litestar import get, post
from litestar.datastructures import State
from litestar.response import Response

from evenodds.core import catalog
from evenodds.core.rulings import OneOf, as_data
from evenodds.core.terms import BadTerms, Terms, agree
from evenodds.core.vocabulary import SEAT_NAMES
from evenodds.engine.on_demand import NotSolved
from evenodds.players.profiles import BUILT_IN_PROFILES, profile_under
from evenodds.players.registry import (
    BUILT_IN_PLAYERS,
    DEFAULT_OPPONENT,
    cannot_play,
    check_opponent,
    is_exact,
)
from evenodds.protocol.messages import GrantedSeat, InvitationRequest, JoinRequest, OpenMatchRequest
from evenodds.render.narration import goal_of
from evenodds.server import schemas
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.request import TOKEN_OPTIONAL, HttpRequest, cookie, sent_token
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry, SeatGrant
from evenodds.server.matches.opening import MatchOptions, offered_games
from evenodds.server.matches.views import host_name, summary_as_data
from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

MAX_LISTED_MATCHES: Final = 50
MAX_LISTED_PER_ADDRESS: Final = 10
"""Places in the list for the matches that one address has opened."""
LISTED_S: Final = 60.0
"""Seconds for which a match stays listed after it was last attended."""


@get("/api/games", sync_to_thread=False)
def games() -> list[schemas.GameDescription]:
    """The games with their rulings."""
    return [_game(game) for game in offered_games()]


def linked_terms(query: Mapping[str, str]) -> Terms:
    """The terms that a link names: a game, and perhaps rulings."""
    game = catalog.get(query.get("game", ""))
    given = {key: query[key] for key in game.options if key in query}
    return agree(game)._replace(rulings=game.settle_typed(given))


@get("/api/opponents", sync_to_thread=True)
def opponents(request: HttpRequest) -> schemas.Opponents:
    """The computers by name, and how they play: with `?game=NAME` and rulings, in such a match."""
    lines = BUILT_IN_PLAYERS
    with suppress(EvenOddsError):
        terms = linked_terms(request.query_params)
        lines = {name: profile_under(terms, name).line for name in lines}
    return {
        "usual": DEFAULT_OPPONENT,
        "players": lines,
        "names": {name: profile.name for name, profile in BUILT_IN_PROFILES.items()},
    }


@get("/api/address", sync_to_thread=False)
def address(state: State) -> schemas.ServerAddress:
    """Where others in the network reach this server; null where only this machine does."""
    return {"address": state.address}


@get("/api/matches", responses=PROBLEMS)
async def matches(registry: MatchRegistry) -> list[schemas.MatchSummary]:
    """The listed open matches in which a player is present."""
    found = []
    since = time.time() - LISTED_S
    for id in await registry.ledger.listed(MAX_LISTED_MATCHES, MAX_LISTED_PER_ADDRESS, since):
        with suppress(EvenOddsError):  # the package of its game was changed or removed
            found.append(summary_as_data((await registry.session(id, watched=False)).state))
    return found


@post("/api/matches", status_code=201, responses=PROBLEMS, security=TOKEN_OPTIONAL)
async def open_match(
    data: OpenMatchRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[GrantedSeat]:
    """Open a match: returns a seat, and an invitation for another person."""
    game = catalog.get(data.game)
    computers = [data.own, data.opponent][:: 1 if data.player == 1 else -1]
    for name in filter(None, computers):
        if check_opponent(name) not in BUILT_IN_PLAYERS:  # none with a limit of its own
            raise BadTerms(f"{shorten(name)} is not allowed here; allowed: {name.split(':')[0]}")
    if data.sealed and not game.simultaneous:
        raise BadTerms(f"sealed=true is not allowed: in {game.name} no pick is secret")
    if data.sealed and data.clock is None:
        raise BadTerms("sealed=true needs a clock, or nobody could be made to reveal a pick")
    address, (one, two) = address_of(request.scope), computers
    terms = agree(game, data.rulings, first=data.first, computers=(one, two))
    await _check_computers(registry, terms, address)
    options = MatchOptions(data.clock, data.sealed, data.listed)
    return _seated(request, await registry.open(terms, options, data.name, data.player, address))


@post("/api/invitations", status_code=200, responses=PROBLEMS)
async def invitation(data: InvitationRequest, registry: MatchRegistry) -> schemas.Invitation:
    """Whether an invitation is for a match, and from whom; it is not spent."""
    id = await registry.invited(data.invitation, data.match)
    state = (await registry.session(id, watched=False)).state
    return {"match": id, "host": host_name(state)}


@post("/api/join", status_code=201, responses=PROBLEMS, security=TOKEN_OPTIONAL)
async def join(
    data: JoinRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[GrantedSeat]:
    """Take the seat that an invitation is for, or the free seat of a listed match.

    A request repeated with the same key, after a lost response, gets the same seat.
    """
    listed = "" if data.invitation else data.match
    return _seated(request, await registry.join(data.invitation, data.name, data.key, listed))


async def _check_computers(registry: MatchRegistry, terms: Terms, address: str) -> None:
    """Refuse an exact computer if its game turns out unsolvable within the timeout."""
    for name in filter(is_exact, terms.computers):
        try:
            await registry.solve_queue.solution(terms, address, registry.solve_queue.WAIT_S)
        except NotSolved as error:
            raise cannot_play(name, error) from None
        except Exception:  # not known yet
            return


def _seated(request: HttpRequest, grant: SeatGrant) -> Response[GrantedSeat]:
    """The response to a granted seat: the token as a cookie and, if asked for, in the body."""
    seat = SEAT_NAMES[grant.seat]
    body = GrantedSeat(
        match=grant.match,
        token=(sent_token(request.scope) and grant.token) or None,
        invitation=grant.invitation or None,
        seat=seat if grant.token else None,
    )
    cookies = [cookie(request, grant.match, grant.token, seat)] if grant.token else []
    return Response(body, status_code=201, cookies=cookies)


def _game(game: catalog.AnyGame) -> schemas.GameDescription:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "goal": goal_of(game),
        "simultaneous": game.simultaneous,
        "rulings": {key: _option(game, key) for key in game.options},
        "players": list(game.words.players),
    }


def _option(game: catalog.AnyGame, key: str) -> schemas.RulingField:
    """A ruling as a form field: meaning, allowed values, default."""
    option = game.options[key]
    usual = as_data(game.rulings())[key]
    if isinstance(option, OneOf):
        return schemas.RulingField(about=option.about, usual=usual, meanings=option.words)
    return schemas.RulingField(about=option.about, usual=usual, low=option.low, high=option.high)
