"""A player that picks by Monte Carlo tree search within a limit of playouts or time.

Equal positions share one node of the tree.
"""

import re
from math import inf
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome, Pair, Seat, State
from evenodds.players.player import Player, UnknownPlayer, sample
from evenodds.players.search_nodes import (
    ChanceNode,
    SearchNode,
    SimultaneousNode,
    TurnNode,
    terminal_node,
)
from evenodds.system.text import parse_whole, shorten

MAX_PLAYOUTS: Final = 10_000_000
MAX_SEARCH_S: Final = 600
MAX_TREE_NODES: Final = 100_000
"""Positions that a tree may hold: less than 200 MB."""
MAX_PLAYOUT_ROUNDS: Final = 2000
"""Rounds after which a playout counts as a draw; nearly all that end do so earlier."""


class SearchTree:
    """The positions met by playouts: a transposition table with one node for each state."""

    def __init__(self, game: AnyGame, rng: Random, max_nodes: int = MAX_TREE_NODES) -> None:
        self._game = game
        self._rng = rng
        self._max_nodes = max_nodes
        self._nodes: dict[Any, SearchNode] = {}
        self._scale = 1.0
        """How far from 0 results were at most."""

    def __len__(self) -> int:
        return len(self._nodes)

    def root(self, state: State) -> SearchNode:
        """The node of the open position to search from, with what earlier searches found.

        A large tree is pruned to the nodes reachable from it, or emptied if that stays large.
        """
        root = self._nodes.get(state)
        if root is not None and len(self) > self._max_nodes // 2:
            self._nodes = reachable_nodes(root)
        if root is None or len(self) > self._max_nodes // 2:
            root = self._node(state)
            self._nodes = {state: root}
        for picks in root.untried_pairs():
            child, points = self._child(root, picks)
            if child.proven:
                root.update(picks, child.value + points)
        return root

    def run_playout(self, root: SearchNode) -> None:
        """One playout: selection down to a new node, random play to the end, backpropagation.

        A position that comes up again on the way down counts as a draw, like all endless play; for
        what is known of it, where play leaves it by luck.
        """
        path: dict[SearchNode, tuple[Pair, int]] = {}
        node = root
        while node.visits and not node.proven and node not in path:
            picks = node.choose(self._rng, self._scale)
            child, points = self._child(node, picks)
            path[node], node = (picks, points), child
        if not node.proven and node not in path:
            node.add_result(self._playout(node.state))
        value = 0.0 if node in path and self._game.can_repeat else node.value
        for node, (picks, points) in reversed(path.items()):
            value += points
            if abs(value) > self._scale:  # max() is twice as slow
                self._scale = abs(value)
            node.update(picks, value)
            if node.proven:
                value = node.value

    def _playout(self, state: State) -> float:
        """The result for the first seat when both seats pick uniformly at random."""
        picks, step, outcome = self._game.picks, self._game.step, self._game.outcome
        random, reward, weight = self._rng.random, self._game.reward, self._game.weight
        points = 0
        for _ in range(MAX_PLAYOUT_ROUNDS):
            end = outcome(state)
            if end != Outcome.ONGOING:
                return float(points + end)
            first, second = picks(state, FIRST), picks(state, SECOND)
            one, two = first[int(random() * len(first))], second[int(random() * len(second))]
            if weight and (draws := self._game.draws(state)):
                one = self._rng.choices(first, tuple(draws.values()))[0]
            if reward:
                points += reward(state, (one, two))
            state = step(state, (one, two))
        return float(points)

    def _child(self, node: SearchNode, picks: Pair) -> tuple[SearchNode, int]:
        """The node after picks, and their points; a new one is added unless the tree is full."""
        child = node.children.get(picks)
        if child is not None:
            return child, node.points.get(picks, 0)
        state, reward = self._game.step(node.state, picks), self._game.reward
        points = reward(node.state, picks) if reward else 0
        child = self._nodes.get(state) or self._node(state)
        if len(self) < self._max_nodes:
            self._nodes[state] = node.children[picks] = child
            if points:
                node.points[picks] = points
        return child, points

    def _node(self, state: State) -> SearchNode:
        outcome = self._game.outcome(state)
        if outcome != Outcome.ONGOING:
            return terminal_node(outcome)
        if draws := self._game.draws(state):
            return ChanceNode(state, draws)
        first, second = (self._game.picks(state, seat) for seat in SEATS)
        if len(first) > 1 and len(second) > 1:
            return SimultaneousNode(state, first, second)
        most = inf if self._game.reward else 1.0
        if len(second) > 1:
            return TurnNode(state, SECOND, second, first[0], most)
        return TurnNode(state, FIRST, first, second[0], most)


def reachable_nodes(root: SearchNode) -> dict[Any, SearchNode]:
    """The nodes of a tree that are reachable from one of them, by state."""
    found: dict[Any, SearchNode] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.state not in found:
            found[node.state] = node
            stack.extend(node.children.values())
    return found


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

    def mix(self, view: View) -> dict[int, float]:
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
