"""Solver for small games: interpreted rules, no compilation.

It is the second way to every figure: it shares the rules and the matrix solver with the compiled
loops, and nothing else.
"""

from collections import deque
from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import BadGame, GameValidator
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome, numbers, other
from evenodds.graph.positions import check_width
from evenodds.graph.solved_positions import SolvedPositions, sorted_by_key
from evenodds.kernels.keys import fields_of, packing, spanning
from evenodds.kernels.threads import Progress, silent
from evenodds.matrix.simplex import make_simplex_workspace, solve_matrix

MAX_INTERPRETED_STEPS: Final = {True: 120_000, False: 500_000}
"""Steps of the rules that a small game may take, where both pick at once and in games of turns."""

POSITIONS_PER_PROGRESS: Final = 500
"""Positions between two words of progress."""

OUTCOME_OFFSET: Final = 10
"""So far outcomes are moved out of the way of places, where both stand side by side."""

Grid = list[list[int | Outcome]]
"""For each pair of picks: the place of the position it leads to, or the outcome."""


class StateGraph:
    """Every reachable open position with what each pair of picks leads to."""

    def __init__(
        self, game: AnyGame, rulings: Any, most: float, progress: Progress = silent
    ) -> None:
        self.game = game
        self.states = [game.start(rulings)]
        self.places = {self.states[0]: 0}
        self.grids: list[Grid] = []
        self.steps = 0
        while len(self.grids) < len(self.states) and self.steps <= most:
            self.grids.append(self._grid(self.states[len(self.grids)]))
            if len(self.grids) % POSITIONS_PER_PROGRESS == 0:
                progress("exploring positions", len(self.grids), len(self.states))
        self.complete = len(self.grids) == len(self.states)

    def _grid(self, state: Any) -> Grid:
        first, second = self.game.picks(state, FIRST), self.game.picks(state, SECOND)
        self.steps += len(first) * len(second)
        return [[self._leads_to(self.game.step(state, (a, b))) for b in second] for a in first]

    def _leads_to(self, child: Any) -> int | Outcome:
        outcome = self.game.outcome(child)
        if outcome != Outcome.ONGOING:
            return Outcome(outcome)
        place = self.places.setdefault(child, len(self.states))
        if place == len(self.states):
            self.states.append(child)
        return place

    def parents(self) -> list[list[int]]:
        """For each position those that lead to it, once for each way."""
        found: list[list[int]] = [[] for _ in self.states]
        for place, grid in enumerate(self.grids):
            for leads in _entries(grid):
                if not isinstance(leads, Outcome):
                    found[leads].append(place)
        return found

    def backwards(self) -> list[int]:
        """All positions in an order in which what a position leads to comes before it."""
        parents = self.parents()
        ahead = [sum(not isinstance(e, Outcome) for e in _entries(grid)) for grid in self.grids]
        order = [place for place, count in enumerate(ahead) if count == 0]
        for place in order:
            for parent in parents[place]:
                ahead[parent] -= 1
                if ahead[parent] == 0:
                    order.append(parent)
        if len(order) < len(self.states):
            name = self.game.name
            raise BadGame(f"{name} comes back to its positions, which is not solved this way yet")
        return order


def solve_interpreted(
    game: AnyGame, rulings: Any, most: float | None = None, progress: Progress = silent
) -> SolvedPositions | None:
    """Solve a small game; None when it takes more than `most` steps only to list it."""
    most = MAX_INTERPRETED_STEPS[game.simultaneous] if most is None else most
    if game.bound is not None and game.bound(rulings) > 3 * max(most, 100):
        return None  # the game itself says that there are more positions than that
    tree = StateGraph(game, rulings, most, progress)
    if not tree.complete:
        return None
    if game.mirror is not None:
        _check_mirror(tree, rulings)
    if game.simultaneous:
        values, gap = _rounds(tree)
    else:
        values, gap = _turns(tree), 0.0
    fields = [fields_of(state) for state in tree.states]
    lows, highs = (tuple(map(limit, zip(*fields, strict=True))) for limit in (min, max))
    layout = spanning(lows, highs)
    check_width(game, layout, tree.states[max(range(len(fields)), key=lambda i: max(fields[i]))])
    pack = packing(tree.states[0]).pack
    keys = np.array([pack(state, layout) for state in tree.states], np.int64)
    if game.mirror is not None:
        images = [pack(game.mirror(state), layout) for state in tree.states]
        kept = keys <= np.array(images, np.int64)
        keys, values = keys[kept], values[kept]
    return sorted_by_key(layout, keys, values, len(tree.states), gap)


def _check_mirror(tree: StateGraph, rulings: Any) -> None:
    """Hold every position against its mirror image; `BadGame` with one that does not fit."""
    game = tree.game
    assert game.mirror is not None
    images = [tree.places.get(game.mirror(state)) for state in tree.states]
    examination = GameValidator(game, rulings)
    for place, image in enumerate(images):
        if image is None or images[image] != place or not _is_turned(tree, place, image, images):
            examination.look(tree.states[place])


def _is_turned(tree: StateGraph, place: int, image: int, images: list[int | None]) -> bool:
    """Whether a position is another one with the seats exchanged, pair of picks by pair."""
    one, two = tree.states[place], tree.states[image]
    for seat in SEATS:
        if tree.game.legal(one, seat) != tree.game.legal(two, other(seat)):
            return False
    turned = [
        [-OUTCOME_OFFSET - leads if isinstance(leads, Outcome) else images[leads] for leads in row]
        for row in tree.grids[place]
    ]
    across = [
        [leads - OUTCOME_OFFSET if isinstance(leads, Outcome) else leads for leads in column]
        for column in zip(*tree.grids[image], strict=True)
    ]
    return turned == across


def _rounds(tree: StateGraph) -> tuple[Any, float]:
    """Matrix games from the ends back; the gap of a position adds to the widest of its children."""
    values = np.zeros(len(tree.states))
    gaps = [0.0] * len(tree.states)
    room = make_simplex_workspace(max(max(len(grid), len(grid[0])) for grid in tree.grids))
    for place in tree.backwards():
        grid = tree.grids[place]
        for i, row in enumerate(grid):
            for j, leads in enumerate(row):
                room.payoff[i, j] = leads if isinstance(leads, Outcome) else values[leads]
        value, gap, _ = solve_matrix(room, len(grid), len(grid[0]))
        below = (gaps[e] for e in _entries(grid) if not isinstance(e, Outcome))
        values[place] = 0.0 if _is_own_image(tree.game, tree.states[place]) else value
        gaps[place] = gap + max(below, default=0.0)
    return values, gaps[0]


def _turns(tree: StateGraph) -> Any:
    """Codes of turns, from the ends back: a win is as near as it can be, a loss as far."""
    codes = np.zeros(len(tree.states), np.int16)
    parents = tree.parents()
    movers = [1 if numbers(tree.game.legal(state, FIRST)) else -1 for state in tree.states]
    ahead = [len(_entries(grid)) for grid in tree.grids]
    settled: deque[int] = deque()

    def tell(place: int, worth: int, far: int) -> None:
        """A pick at `place` leads to a win for `worth` that is `far` picks away."""
        if codes[place] != 0 or worth == 0:
            return
        ahead[place] -= 1
        if worth == movers[place] or ahead[place] == 0:
            codes[place] = worth * (far + 1)
            settled.append(place)

    for place, grid in enumerate(tree.grids):
        for leads in sorted(_entries(grid), key=lambda e: e != movers[place]):
            if isinstance(leads, Outcome):
                tell(place, int(leads), 0)
    settled = deque(sorted(settled, key=lambda place: abs(int(codes[place]))))
    while settled:
        child = settled.popleft()
        code = int(codes[child])
        for parent in parents[child]:
            tell(parent, 1 if code > 0 else -1, abs(code))
    return codes


def _is_own_image(game: AnyGame, state: Any) -> bool:
    """Whether the seats could be exchanged and nothing would change: then neither is better off."""
    return game.mirror is not None and game.mirror(state) == state


def _entries(grid: Grid) -> list[int | Outcome]:
    return [leads for row in grid for leads in row]
