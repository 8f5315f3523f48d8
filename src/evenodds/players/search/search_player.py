"""A player that picks by Monte Carlo tree search within a limit of playouts or time."""

import re
from math import inf
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.players.player import Player, UnknownPlayer, sample
from evenodds.players.search.nodes import Mix
from evenodds.players.search.tree import SearchTree
from evenodds.system.text import parse_whole, shorten

MAX_PLAYOUTS: Final = 10_000_000
MAX_SEARCH_S: Final = 600


class SearchLimit(NamedTuple):
    """The limit of a search for one pick, in playouts and in seconds."""

    playouts: float = inf
    seconds: float = inf


def limit_of(text: str) -> SearchLimit:
    """Parse what follows `search:`, 2000 playouts or 0.5s; `UnknownPlayer` for other texts."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?s", text) and 0 < float(text[:-1]) <= MAX_SEARCH_S:
        return SearchLimit(seconds=float(text[:-1]))
    if 1 <= (playouts := parse_whole(text) or 0) <= MAX_PLAYOUTS:
        return SearchLimit(playouts=playouts)
    allowed = f"search:1 to search:{MAX_PLAYOUTS} playouts, or seconds up to search:{MAX_SEARCH_S}s"
    raise UnknownPlayer(f"{shorten(f'search:{text}')} is not allowed; allowed: {allowed}")


class SearchPlayer(Player):
    """Samples every pick from the mix that a tree search finds within a limit."""

    is_slow = True

    def __init__(self, terms: Terms, seat: Seat, rng: Random, limit: SearchLimit) -> None:
        self._seat = seat
        self._rng = rng
        self._limit = limit
        self._tree = SearchTree(terms.game, rng)

    def pick(self, view: View) -> int:
        """The only legal number, or a sample of the mix."""
        if len(view.choices) == 1:
            return view.choices[0]
        return sample(self.mix(view), self._rng)

    def mix(self, view: View) -> Mix:
        """The mix that the search finds at this position, after one playout at least.

        It ends before the limit where the value of the position is proven.
        """
        playouts, deadline = 0, monotonic() + self._limit.seconds
        root = self._tree.root(view.state)
        while not root.proven and (
            playouts == 0 or (playouts < self._limit.playouts and monotonic() < deadline)
        ):
            self._tree.run_playout(root)
            playouts += 1
        return root.mix(self._seat)
