"""Solver for small games: interpreted rules over lists, no compilation.

It also checks the compiled solver in tests: the two share the rules and the loops over links only.
"""

import importlib.util
from array import array
from itertools import chain, pairwise
from operator import add, mul
from typing import Any, Final

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, check_position, check_reward
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import FIRST, NOTHING, SECOND, Outcome, Settled
from evenodds.engine.link_kernels import fill_parents, list_backwards, settle
from evenodds.engine.matrix_batch import scale
from evenodds.engine.position_keys import check_width, layout_of, packing
from evenodds.engine.simplex import make_workspace, solve_game
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.winning_picks import choose_picks, fill_winning_picks, list_of
from evenodds.system import Progress, silent

MAX_INTERPRETED_STEPS: Final = 120_000
"""Limit on calls of `step`: more take longer than to compile loops."""
MAX_STEPS_WITHOUT_COMPILER: Final = 500_000
"""The same where nothing can be compiled."""
POSITIONS_PER_PROGRESS: Final = 500
"""Positions between two progress reports."""

END_OUTCOMES: Final = (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)


class StateGraph:
    """Every reachable open position with its links, as `graph.Graph` has them, in lists.

    The three ends, which follow all positions, are a win of the first seat, a draw and a loss.
    """

    def __init__(
        self, game: AnyGame, rulings: Settled, max_steps: float, progress: Progress = silent
    ) -> None:
        self.game = game
        self.states = [game.start(rulings)]
        self.places = {self.states[0]: 0}
        self.widths: list[int] = []
        """The number of picks of the second seat at each position."""
        self.begins = [0]
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.rewards: list[int] = []
        """Of each link the position that it comes from, where it leads, and its points."""
        listed = 0
        while listed < len(self.states) and len(self.targets) <= max_steps:
            self._link(self.states[listed])
            listed += 1
            if listed % POSITIONS_PER_PROGRESS == 0:
                progress("exploring positions", listed, len(self.states))
        self.complete = listed == len(self.states)
        count = len(self.states)  # only now: ends are numbered after all positions
        self.targets = [target if target >= 0 else count - 1 - target for target in self.targets]

    def _link(self, state: Any) -> None:
        game, seconds = self.game, self.game.picks(state, SECOND)
        self.widths.append(len(seconds))
        for first in game.picks(state, FIRST):
            for second in seconds:
                child = game.step(state, (first, second))
                self.sources.append(len(self.begins) - 1)
                points = check_reward(game, state, (first, second)) if game.reward else 0
                self.rewards.append(points)
                outcome = game.outcome(child)
                if outcome != Outcome.ONGOING:
                    self.targets.append(-1 - END_OUTCOMES.index(outcome))
                    continue
                place = self.places.setdefault(child, len(self.states))
                if place == len(self.states):
                    self.states.append(child)
                self.targets.append(place)
        self.begins.append(len(self.targets))

    def links(self, place: int, figures: list[int] | None = None) -> list[int]:
        """The targets of a position, or what figures say of its links."""
        return (figures or self.targets)[self.begins[place] : self.begins[place + 1]]

    def worths(self, place: int, values: list[float]) -> list[float]:
        """What the links of a position are worth to the first seat."""
        after = (values[target] for target in self.links(place))
        return list(map(add, after, self.links(place, self.rewards)))

    def parents(self) -> tuple[list[int], list[int]]:
        """Where the sources of links to each position and end begin, and these sources."""
        bounds, parents = [0] * (len(self.states) + len(END_OUTCOMES) + 1), [0] * len(self.sources)
        fill_parents(self.targets, self.sources, bounds, parents)
        return bounds, parents

    def backwards(self) -> list[int]:
        """All positions, each after those that it leads to."""
        count = len(self.states) + len(END_OUTCOMES)
        ahead = [end - begin for begin, end in pairwise(self.begins)] + [0] * len(END_OUTCOMES)
        order = [0] * count
        if list_backwards(*self.parents(), ahead, order) < count:
            name = self.game.name
            raise BadGame(f"{name} can repeat positions, which cannot be solved in this way yet")
        return [place for place in order if place < len(self.states)]


def solve_interpreted(
    game: AnyGame, rulings: Settled, max_steps: float | None = None, progress: Progress = silent
) -> SolvedPositions | None:
    """Solve a small game; None when listing it takes more than `max_steps` steps.

    Or many sweeps, where these can be compiled.
    """
    can_compile = importlib.util.find_spec("numba") is not None
    if max_steps is None:
        max_steps = MAX_INTERPRETED_STEPS if can_compile else MAX_STEPS_WITHOUT_COMPILER
    if game.bound is not None and game.bound(rulings) > 3 * max(max_steps, 100):
        return None  # by the game's own bound there are more
    graph = StateGraph(game, rulings, max_steps, progress)
    if not graph.complete:
        return None
    if (game.mirror or game.representative) and not catalog.is_built_in(game):
        validator = GameValidator(game, rulings)
        for state in graph.states:
            validator.check(state)
    coded, alike, mirror = packing(graph.states[0]), game.representative, game.mirror
    states = list(map(alike, graph.states)) if alike else graph.states
    fields = list(map(coded.fields, states))
    layout = layout_of(fields)
    check_width(game, layout, states[max(range(len(fields)), key=lambda i: max(fields[i]))])
    keys = images = [coded.pack(state, layout) for state in states]
    if mirror is not None:
        across = map(alike or (lambda same: same), map(mirror, graph.states))
        images = [coded.pack(image, layout) for image in across]
    places = {key: at for at, key in enumerate(keys) if key <= images[at]}
    order = [places[key] for key in sorted(places)]
    found: list[Any]
    gap, picks, kind, stake = 0.0, None, "h", 1.0
    if not game.is_combinatorial:
        (found, gap, stake), kind = _solve_rounds(graph), "d"
    else:
        found, chosen = _solve_turns(graph, can_compile)
        if not chosen:
            return None
        picks = bytes(chosen[at] for at in order)
    values = array(kind, (found[at] for at in order))
    kept = array("q", (keys[at] for at in order))
    return SolvedPositions(layout, kept, values, len(set(keys)), gap, picks, stake)


def _solve_rounds(graph: StateGraph) -> tuple[Any, float, float]:
    """Backward induction; the gap of a position adds to the widest of its children.

    Values, the gap of the first, and what is at stake there.
    """
    count, mirror, has_points = len(graph.states), graph.game.mirror, bool(graph.game.reward)
    values = [0.0] * count + [float(outcome) for outcome in END_OUTCOMES]
    gaps, stakes = [0.0] * len(values), list(map(abs, values))
    heights = [len(graph.links(place)) // width for place, width in enumerate(graph.widths)]
    work = make_workspace(max(heights), max(graph.widths))
    for place in graph.backwards():
        links, width = graph.links(place), graph.widths[place]
        worths, gap = graph.worths(place, values), 0.0
        game, state = graph.game, graph.states[place]
        if weights := check_position(game, state).draws if game.chance else None:
            value = sum(map(mul, weights.values(), worths)) / sum(weights.values())
        else:
            payoff = [worths[i : i + width] for i in range(0, len(worths), width)]
            size = len(payoff), width
            low, span = scale(payoff, *size, payoff) if has_points else (0.0, 1.0)
            lower, upper = solve_game(work, payoff, *size)
            value, gap = low + span * 0.5 * (lower + upper), span * (upper - lower)
        is_own_image = mirror is not None and mirror(state) == state
        values[place] = 0.0 if is_own_image else value
        gaps[place] = gap + max(gaps[target] for target in links)
        after = (stakes[target] for target in links)
        stakes[place] = max(map(add, map(abs, graph.links(place, graph.rewards)), after))
    return values[:count], gaps[0], stakes[0] or 1.0


def _solve_turns(graph: StateGraph, few: bool) -> tuple[list[int], list[int]]:
    """Retrograde analysis: codes of turns, and the pick at each; none if `few` sweeps do not do."""
    count, ends = len(graph.states), list(map(int, END_OUTCOMES))
    codes, queue = [0] * count, [0] * (count + len(ends))
    sides = [-1 if graph.game.legal(state, FIRST) == NOTHING else 1 for state in graph.states]
    ahead = [end - begin for begin, end in pairwise(graph.begins)]
    settle(sides, ends, *graph.parents(), ahead, queue, codes)
    legal = (graph.game.picks(*at) for at in zip(graph.states, (s < 0 for s in sides), strict=True))
    chosen = choose_picks(
        fill_winning_picks,
        list_of,
        few,
        graph.begins,
        graph.targets,
        list(chain.from_iterable(legal)),
        sides,
        [*((code > 0) - (code < 0) for code in codes), *ends],
        [*map(abs, codes), 0, 0, 0],
    )
    return codes, chosen
