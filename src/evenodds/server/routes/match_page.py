"""What a match page says before its script runs, loads first, and shows to messengers."""

from typing import Any, Final
from urllib.parse import urlencode

from litestar import Request

from evenodds.core.rulings import as_data
from evenodds.players.profiles import names_for_spectator
from evenodds.render.narration import goal_of
from evenodds.server.assets import assets
from evenodds.server.matches.match_state import MatchState

DEFAULT_IMAGE: Final = "icon-512.png"
"""The image of a game that has none of its own."""


def page_context(state: MatchState, request: Request[Any, Any, Any]) -> dict[str, Any]:
    """A match's game and rules, its board and view, and Open Graph's title, text and image."""
    terms, (files, version) = state.terms, assets()
    goal = goal_of(terms.game, terms.rulings)
    if state.ready:
        names = names_for_spectator(terms)
        one, two = names.order
        title = f"{names[one]} against {names.inside(two)}: {terms.game.title}"
    else:
        title = f"{host_name(state)} invites you to {terms.game.title}"
    own = f"previews/{terms.game.name}.png"
    image = own if f"static/{own}" in files else DEFAULT_IMAGE
    return {
        "title": terms.game.title,
        "goal": goal,
        "rules": terms.game.words.rules(terms.rulings) or [goal],
        "rules_page": f"/rules/{terms.game.name}?{urlencode(as_data(terms.rulings))}",
        "board": terms.game.name,
        "preloads": [] if request.query_params else [f"/api/matches/{state.id}"],
        "tags": {
            "og:title": title,
            "og:description": goal,
            "og:type": "website",
            "og:image": f"{str(request.base_url).rstrip('/')}/static/{version}/{image}",
        },
    }


def host_name(state: MatchState) -> str:
    """Who waits in a match for somebody; without a name of their own, a friend."""
    terms = state.terms
    host = next(name for name, here in zip(terms.players, state.joined, strict=True) if here)
    return "A friend" if host in terms.game.words.players else host
