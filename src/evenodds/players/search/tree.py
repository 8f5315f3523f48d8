"""Monte Carlo tree search: playouts, and a tree in which equal positions are shared."""

from functools import lru_cache
from random import Random
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Moves, Outcome, Pair, numbers
from evenodds.players.search.nodes import TERMINAL_NODES, SearchNode, SimultaneousNode, TurnNode

MAX_TREE_NODES: Final = 100_000
"""Positions that a tree may hold: less than 200 MB."""
MAX_PLAYOUT_ROUNDS: Final = 2000
"""Rounds after which a playout is called a draw; nearly all that end do so earlier."""


@lru_cache(maxsize=1 << 14)
def moves_of(moves: Moves) -> tuple[int, ...]:
    """What a seat picks from: its numbers, or PASS alone; the same sets come up all the time."""
    return numbers(moves) or (PASS,)


class SearchTree:
    """The positions that playouts have met, each held once however it was reached."""

    def __init__(self, game: AnyGame, chance: Random) -> None:
        self._game = game
        self._chance = chance
        self._nodes: dict[Any, SearchNode] = {}

    def __len__(self) -> int:
        """How many positions the tree holds."""
        return len(self._nodes)

    def root(self, state: Any) -> SearchNode:
        """The open position to search from, with all that is known of it.

        A large tree forgets what cannot come up any more, and everything if it stays large.
        """
        root = self._nodes.get(state)
        if root is not None and len(self) > MAX_TREE_NODES // 2:
            self._nodes = reachable_nodes(root)
        if root is None or len(self) > MAX_TREE_NODES // 2:
            root = self._node(state)
            self._nodes = {state: root}
        for picks in root.unseen():
            child = self._after(root, picks)
            if child.sure:
                root.learn(picks, child.worth)
        return root

    def grow(self, root: SearchNode) -> None:
        """One playout: down to a new position, on at random to the end, and back with the result.

        A position that comes up again on the way down counts as a draw, like all endless play.
        """
        path: dict[SearchNode, Pair] = {}
        node = root
        while node.visits and not node.sure and node not in path:
            picks = path[node] = node.choose(self._chance)
            node = self._after(node, picks)
        value = 0.0 if node in path else self._value(node)
        for node, picks in reversed(path.items()):
            node.learn(picks, value)
            if node.sure:
                value = node.worth

    def _value(self, node: SearchNode) -> float:
        """What is sure, or else how one playout from a new position ends."""
        if not node.sure:
            node.weigh(self._playout(node.state))
        return node.worth

    def _playout(self, state: Any) -> float:
        """How the game ends for the first seat when both seats pick by chance."""
        legal, step, outcome = self._game.legal, self._game.step, self._game.outcome
        random = self._chance.random
        for _ in range(MAX_PLAYOUT_ROUNDS):
            end = outcome(state)
            if end != Outcome.ONGOING:
                return float(end)
            first, second = moves_of(legal(state, FIRST)), moves_of(legal(state, SECOND))
            one, two = first[int(random() * len(first))], second[int(random() * len(second))]
            state = step(state, (one, two))
        return float(Outcome.DRAW)

    def _after(self, node: SearchNode, picks: Pair) -> SearchNode:
        """The position that picks lead to; a new one becomes part of the tree if there is room."""
        child = node.children.get(picks)
        if child is None:
            state = self._game.step(node.state, picks)
            child = self._nodes.get(state) or self._node(state)
            if len(self) < MAX_TREE_NODES:
                self._nodes[state] = node.children[picks] = child
        return child

    def _node(self, state: Any) -> SearchNode:
        outcome = self._game.outcome(state)
        if outcome != Outcome.ONGOING:
            return TERMINAL_NODES[outcome]
        first, second = (moves_of(self._game.legal(state, seat)) for seat in SEATS)
        if len(first) > 1 and len(second) > 1:
            return SimultaneousNode(state, first, second)
        if len(second) > 1:
            return TurnNode(state, SECOND, second, first[0])
        return TurnNode(state, FIRST, first, second[0])


def reachable_nodes(root: SearchNode) -> dict[Any, SearchNode]:
    """The positions of a tree that can come up from one of them on, by state."""
    found: dict[Any, SearchNode] = {}
    ahead = [root]
    while ahead:
        node = ahead.pop()
        if node.state not in found:
            found[node.state] = node
            ahead.extend(node.children.values())
    return found
