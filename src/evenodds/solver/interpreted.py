"""Solver for small games: interpreted rules, no compilation.

It also checks the compiled solver in tests: the two share the rules and the matrix solver only.
"""

from array import array
from collections import deque
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome, Settled, State, numbers, other
from evenodds.graph import SolvedPositions, check_width
from evenodds.kernels import fields_reader, layout_of, packing
from evenodds.simplex.dictionary import make_dictionary, solve_game
from evenodds.system.progress import Progress, silent

MAX_INTERPRETED_STEPS: Final = {True: 120_000, False: 500_000}
"""Limit on calls of `step`, by whether both seats pick at once."""

POSITIONS_PER_PROGRESS: Final = 500
"""Positions between two progress reports."""

OUTCOME_OFFSET: Final = 10
"""Shifts outcomes below 0, to compare them in one list with places."""

Grid = list[list[int | Outcome]]
"""The target of each pair of picks: the index of a position, or an outcome."""


class StateGraph:
    """Every reachable open position with the targets of each pair of picks."""

    def __init__(
        self, game: AnyGame, rulings: Settled, max_steps: float, progress: Progress = silent
    ) -> None:
        self.game = game
        self.states = [game.start(rulings)]
        self.places = {self.states[0]: 0}
        self.grids: list[Grid] = []
        self.steps = 0
        while len(self.grids) < len(self.states) and self.steps <= max_steps:
            self.grids.append(self._grid(self.states[len(self.grids)]))
            if len(self.grids) % POSITIONS_PER_PROGRESS == 0:
                progress("exploring positions", len(self.grids), len(self.states))
        self.complete = len(self.grids) == len(self.states)

    def _grid(self, state: State) -> Grid:
        first, second = self.game.picks(state, FIRST), self.game.picks(state, SECOND)
        self.steps += len(first) * len(second)
        return [[self._target_of(self.game.step(state, (a, b))) for b in second] for a in first]

    def _target_of(self, child: Any) -> int | Outcome:
        outcome = self.game.outcome(child)
        if outcome != Outcome.ONGOING:
            return Outcome(outcome)
        place = self.places.setdefault(child, len(self.states))
        if place == len(self.states):
            self.states.append(child)
        return place

    def parents(self) -> list[list[int]]:
        """The predecessors of each position, once for each pair of picks."""
        found: list[list[int]] = [[] for _ in self.states]
        for place, grid in enumerate(self.grids):
            for target in _entries(grid):
                if not isinstance(target, Outcome):
                    found[target].append(place)
        return found

    def backwards(self) -> list[int]:
        """All positions in reverse topological order."""
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
            raise BadGame(f"{name} can repeat positions, which cannot be solved in this way yet")
        return order


def solve_interpreted(
    game: AnyGame, rulings: Settled, max_steps: float | None = None, progress: Progress = silent
) -> SolvedPositions | None:
    """Solve a small game; None when listing it takes more than `max_steps` steps."""
    max_steps = MAX_INTERPRETED_STEPS[game.simultaneous] if max_steps is None else max_steps
    if game.bound is not None and game.bound(rulings) > 3 * max(max_steps, 100):
        return None  # by the game's own bound there are more
    graph = StateGraph(game, rulings, max_steps, progress)
    if not graph.complete:
        return None
    if game.mirror is not None:
        _check_mirror(graph, rulings)
    if game.simultaneous:
        values, gap = _solve_rounds(graph)
    else:
        values, gap = _solve_turns(graph), 0.0
    fields = list(map(fields_reader(graph.states[0]), graph.states))
    layout = layout_of(fields)
    check_width(game, layout, graph.states[max(range(len(fields)), key=lambda i: max(fields[i]))])
    pack = packing(graph.states[0]).pack
    mirror = game.mirror
    found = sorted(
        (pack(state, layout), value)
        for state, value in zip(graph.states, values, strict=True)
        if mirror is None or pack(state, layout) <= pack(mirror(state), layout)
    )
    keys = array("q", (key for key, _ in found))
    kept = array("d" if game.simultaneous else "h", (value for _, value in found))
    return SolvedPositions(layout, keys, kept, len(graph.states), gap)


def _check_mirror(graph: StateGraph, rulings: Settled) -> None:
    """Compare every position with its mirror image; `BadGame` where they differ."""
    game = graph.game
    assert game.mirror is not None
    images = [graph.places.get(game.mirror(state)) for state in graph.states]
    validator = GameValidator(game, rulings)
    for place, image in enumerate(images):
        if image is None or images[image] != place or not _is_mirrored(graph, place, image, images):
            validator.check(graph.states[place])


def _is_mirrored(graph: StateGraph, place: int, image: int, images: list[int | None]) -> bool:
    """Whether two positions are mirror images, for every pair of picks."""
    one, two = graph.states[place], graph.states[image]
    for seat in SEATS:
        if graph.game.legal(one, seat) != graph.game.legal(two, other(seat)):
            return False
    turned = [
        [
            -OUTCOME_OFFSET - target if isinstance(target, Outcome) else images[target]
            for target in row
        ]
        for row in graph.grids[place]
    ]
    across = [
        [target - OUTCOME_OFFSET if isinstance(target, Outcome) else target for target in column]
        for column in zip(*graph.grids[image], strict=True)
    ]
    return turned == across


def _solve_rounds(graph: StateGraph) -> tuple[Any, float]:
    """Backward induction; the gap of a position adds to the widest of its children."""
    values = [0.0] * len(graph.states)
    gaps = [0.0] * len(graph.states)
    size = max(max(len(grid), len(grid[0])) for grid in graph.grids)
    workspace = make_dictionary(size, size)
    for place in graph.backwards():
        grid = graph.grids[place]
        for i, row in enumerate(grid):
            for j, target in enumerate(row):
                workspace.payoff[i][j] = target if isinstance(target, Outcome) else values[target]
        lower, upper = solve_game(workspace, workspace.payoff, len(grid), len(grid[0]))
        below = (gaps[e] for e in _entries(grid) if not isinstance(e, Outcome))
        values[place] = (
            0.0 if _is_own_image(graph.game, graph.states[place]) else 0.5 * (lower + upper)
        )
        gaps[place] = upper - lower + max(below, default=0.0)
    return values, gaps[0]


def _solve_turns(graph: StateGraph) -> Any:
    """Retrograde analysis: codes of turns with the shortest wins and the longest losses."""
    codes = [0] * len(graph.states)
    parents = graph.parents()
    movers = [1 if numbers(graph.game.legal(state, FIRST)) else -1 for state in graph.states]
    ahead = [len(_entries(grid)) for grid in graph.grids]
    settled: deque[int] = deque()

    def settle(place: int, worth: int, distance: int) -> None:
        """Account for a pick at `place` that leads to a win for `worth` in `distance` picks."""
        if codes[place] != 0 or worth == 0:
            return
        ahead[place] -= 1
        if worth == movers[place] or ahead[place] == 0:
            codes[place] = worth * (distance + 1)
            settled.append(place)

    for place, grid in enumerate(graph.grids):
        for target in sorted(_entries(grid), key=lambda e: e != movers[place]):
            if isinstance(target, Outcome):
                settle(place, int(target), 0)
    settled = deque(sorted(settled, key=lambda place: abs(int(codes[place]))))
    while settled:
        child = settled.popleft()
        code = int(codes[child])
        for parent in parents[child]:
            settle(parent, 1 if code > 0 else -1, abs(code))
    return codes


def _is_own_image(game: AnyGame, state: State) -> bool:
    """Whether a position is its own mirror image; its value is 0 by symmetry."""
    return game.mirror is not None and game.mirror(state) == state


def _entries(grid: Grid) -> list[int | Outcome]:
    return [target for row in grid for target in row]
