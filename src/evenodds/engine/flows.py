"""Matches between two strategies as probability mass that flows along the graph of positions.

A mass is the share of all matches at a position. Masses are pushed along every pair of picks;
nothing is sampled. In arrays the ends stand behind the positions.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.rule_checks import TooLarge
from evenodds.engine.compile import shared_kernel
from evenodds.engine.components import picks_to_end
from evenodds.engine.game_functions import kernel
from evenodds.engine.graph import PAIRS_PER_BLOCK, Block, Graph, LinkGraph
from evenodds.engine.link_kernels import ACYCLIC, VANISHING_MASS, Links, push_on, sum_back
from evenodds.engine.strategies import StrategyShares, shares_where
from evenodds.system.environment import memory_limit

COMPILED_MIN_PAIRS: Final = 200_000
"""Pairs of picks from which the compiled kernel is worth its compilation."""
STEPS_BEFORE_SOLVING: Final = 200
"""Steps that are followed in a large component before the rest is solved for."""
MAX_SOLUTIONS: Final = 20
MOST_LEFT: Final = 1 - 1e-4
"""The largest share that so many steps may leave; else play hardly ever ends."""
MASS_TOLERANCE: Final = 1e-9
MAX_KRYLOV: Final = 120
"""The most vectors of GMRES."""
GMRES_TOLERANCE: Final = 1e-13
NEGLIGIBLE: Final = 1e-17
OPEN_SHARE_TOLERANCE: Final = 1e-14
"""A share of open matches so small that no figure shows it."""
MAX_DOUBLINGS: Final = 64
"""Doublings of the number of draws one after another: what then still draws never stops."""
MAX_FOLLOWED_ROUNDS: Final = 4000
"""Rounds after which open matches are no longer followed."""


class MatchFlow(NamedTuple):
    """The shares of matches by end, endless and repeated ones, and the mean length."""

    ends: Any
    endless: float
    repeated: float
    """The share that is drawn by repetition."""
    length: float


def match_flow(
    graph: Graph, first: StrategyShares, second: StrategyShares, repetition: int
) -> MatchFlow:
    """How matches between two strategies end.

    In games with loops a match is drawn when a position comes up `repetition` times, with 0 never.
    """
    if graph.game.loops:
        return link_flow(graph, graph.link_shares(first, second), repetition)
    masses = visit_counts(graph, first, second)
    rounds = float(masses[: graph.size][~graph.is_drawn].sum())
    return MatchFlow(masses[graph.size :], 0.0, 0.0, rounds)


def visit_counts(graph: Graph, first: StrategyShares, second: StrategyShares) -> Any:
    """The share of matches that reach each position and end, in games without loops."""
    masses = _start_masses(graph.size + len(graph.ends))
    for number, block in enumerate(graph.blocks):
        reached = masses[block.places] > 0
        if reached.any():
            one, two = (shares_where(side, number, reached) for side in (first, second))
            push_masses(graph, block, masses[block.places], one, two, masses)
    return masses


def total_points(graph: Graph, first: StrategyShares, second: StrategyShares) -> tuple[Any, Any]:
    """The sums of points that matches between two strategies end with, and the share of each."""
    least, most = np.full((2, graph.size + len(graph.ends)), [[np.inf], [-np.inf]])
    least[0] = most[0] = 0
    for block in graph.blocks:
        for bound, extreme in ((least, np.minimum), (most, np.maximum)):
            extreme.at(bound, block.targets, bound[block.places, None, None] + block.rewards)
    low, span = int(least.min()), int(most.max() - least.min()) + 1
    if 8 * span * least.size > memory_limit() // 2:
        raise TooLarge(f"{span:,} sums of points at {graph.size:,} positions are too many")
    masses = np.zeros((least.size, span))
    masses[0, -low] = 1.0
    for block, one, two in zip(graph.blocks, first, second, strict=True):
        cells = span * block.targets.astype(np.int64) + block.rewards.astype(np.int64)
        shares = one[:, :, None] * two[:, None, :]
        rows, totals = np.nonzero(masses[block.places])
        step = max(1, PAIRS_PER_BLOCK // shares[0].size)
        for begin in range(0, rows.size, step):
            some, sums = rows[begin : begin + step], totals[begin : begin + step]
            mass = masses[block.places[some], sums][:, None, None] * shares[some]
            np.add.at(masses.reshape(-1), cells[some] + sums[:, None, None], mass)
    sums, places = np.unique(low + np.arange(span) + graph.outcomes[:, None], return_inverse=True)
    return sums, np.bincount(places.ravel(), masses[graph.size :].ravel())


def masses_by_round(graph: Graph, first: StrategyShares, second: StrategyShares) -> Iterator[Any]:
    """The masses after each round, beginning with the start; ends hold those of that round only.

    Stops when hardly a match is open, or after `MAX_FOLLOWED_ROUNDS`.
    """
    masses, advance = start_masses(graph, first), round_step(graph, first, second)
    for _ in range(MAX_FOLLOWED_ROUNDS):
        yield masses
        if masses[: graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            return
        masses = advance(masses)


def round_step(graph: Graph, first: StrategyShares, second: StrategyShares) -> Callable[[Any], Any]:
    """A function from masses to those one round later."""
    draw = _draws(graph, first)

    def advance(masses: Any) -> Any:
        arrived = np.zeros(masses.size)
        for number, block in enumerate(graph.blocks):
            here = masses[block.places]
            if here.any():
                push_masses(graph, block, here, first[number], second[number], arrived)
        return draw(arrived)

    return advance


def start_masses(graph: Graph, first: StrategyShares) -> Any:
    """All matches at the start, or where chance brings them before the first round."""
    return _draws(graph, first)(_start_masses(graph.size + len(graph.ends)))


def _draws(graph: Graph, first: StrategyShares) -> Callable[[Any], Any]:
    """A function from masses to those once chance has drawn wherever it is to move.

    Draws may lead to draws, and back: their links are followed twice as far each time.
    """
    if graph.game.chance is None:
        return lambda masses: masses
    from scipy.sparse import csr_array

    drawn = np.append(graph.is_drawn, np.zeros(len(graph.ends), bool))
    still = np.flatnonzero(~drawn)
    links = [(np.ones(still.size), still, still)]
    for block, shares in zip(graph.blocks, first, strict=True):
        if block.weights is not None:
            sources = np.repeat(block.places, shares.shape[1])
            links.append((shares.ravel(), block.targets.ravel(), sources))
    values, targets, sources = map(np.concatenate, zip(*links, strict=True))
    step = csr_array((values, (targets, sources)), shape=(drawn.size, drawn.size))
    for _ in range(MAX_DOUBLINGS):
        if step[drawn].sum() <= NEGLIGIBLE:
            break
        step = step @ step
    return lambda masses: step @ masses


def _start_masses(count: int) -> Any:
    masses = np.zeros(count)
    masses[0] = 1.0
    return masses


def push_masses(
    graph: Graph, block: Block, mass: Any, first: Any, second: Any, arrived: Any
) -> None:
    """Add the masses of a block's positions one round later to those of positions and ends."""
    compiled = block.targets.size > COMPILED_MIN_PAIRS or (graph.game.loops and graph.is_compiled)
    for piece in block.pieces():
        targets = block.targets[piece]
        if compiled:
            ends = np.zeros(len(graph.ends))  # summed in small parts, which keeps rounding small
            push = shared_kernel(push_mass_along_blocks)
            push(mass[piece], first[piece], second[piece], targets, arrived[: graph.size], ends)
            arrived[graph.size :] += ends
        else:
            row_mass = mass[piece, None] * first[piece]
            weights = row_mass[:, :, None] * second[piece][:, None, :]
            arrived += np.bincount(targets.ravel(), weights.ravel(), arrived.size)


@kernel
def push_mass_along_blocks(
    mass: Any, first: Any, second: Any, targets: Any, arrived: Any, ends: Any
) -> None:
    """Add the mass of each row, times the shares of both picks, to the target of each pair.

    The targets of ends are numbered after those of all positions.
    """
    for row in range(targets.shape[0]):
        for i in range(targets.shape[1]):
            part = mass[row] * first[row, i]
            for j in range(targets.shape[2] if part > VANISHING_MASS else 0):
                target = targets[row, i, j]
                if target < arrived.size:
                    arrived[target] += part * second[row, j]
                else:
                    ends[target - arrived.size] += part * second[row, j]


def link_flow(graph: Graph, shares: Any, repetition: int) -> MatchFlow:
    """The flow of matches that follow each link with some share.

    With `repetition` a match is drawn when a position comes up so many times; otherwise play from
    positions that lead to no end is endless.
    """
    ends = len(graph.ends)
    if repetition and graph.components.has_cycles:
        copies = graph.unrolled(repetition)
        given = shares[copies.originals], ends + 1, np.full(len(copies.places), ACYCLIC)
        masses, visits = _pushed(graph, copies.links, *given)
        return MatchFlow(masses[:ends], 0.0, float(masses[ends]), float(visits.sum()))
    parts, ending = _ending(graph, shares)
    links, reaches = graph.components.kernel_links, graph.components.followed
    masses, visits = _pushed(graph, links, parts, ends, reaches)
    endless, length = (float(visits[some].sum()) for some in (~ending, ending & ~graph.is_drawn))
    if abs(masses.sum() + endless - 1) > MASS_TOLERANCE:
        masses, visits = _pushed(graph, links, parts, ends, graph.components.reaches)
    return MatchFlow(masses, endless, 0.0, length)


def _pushed(graph: Graph, links: Links, shares: Any, ends: int, reaches: Any) -> tuple[Any, Any]:
    """The share of matches that come to each end, and the visits of each position of `links`."""
    components, count, component = graph.components, len(links.order), 0
    masses, visits = _start_masses(count + ends), np.zeros(count)
    given = components.for_kernel(shares, reaches.copy(), masses, visits)
    push, room = shared_kernel(push_on, components.compiled), components.room(reaches)
    while (component := push(links, *given[:2], component, *given[2:], room)) < len(reaches):
        places, within = components.within(component, shares)
        found, given[1][component] = sum_of_steps(within.T, masses[places], 1), ACYCLIC
        if found is not None:
            masses[places] = found  # these are its visits
        else:
            given[1][component] = components.reaches[component]
            room = components.room(given[1])
    return np.asarray(given[2][count:]), np.asarray(given[3])


def sum_backwards(graph: LinkGraph, shares: Any, at_ends: Any) -> Any:
    """For each position the sum over all lines of play of their shares times the figure of the end.

    Where play never ends it is 0. The figures of the ends follow.
    """
    components, (parts, _) = graph.components, _ending(graph, shares)
    sums, reaches = np.append(np.zeros(graph.size), at_ends), components.followed
    given = components.for_kernel(parts, reaches.copy(), sums)
    run, room = shared_kernel(sum_back, components.compiled), components.room(reaches)
    links, component = components.kernel_links, reaches.size - 1
    while (component := run(links, *given[:2], component, given[2], room)) >= 0:
        places, within = components.within(component, parts)
        leaving = np.where(components.links.inner, 0.0, parts * sums[graph.targets])
        known = np.add.reduceat(leaving, graph.begins[:-1])[places]
        found = sum_of_steps(within, known, np.inf)
        if found is not None:
            sums[places], component = found, component - 1
        else:
            given[1][component] = components.reaches[component]
            room = components.room(given[1])
    return np.asarray(given[2])


def _ending(graph: LinkGraph, shares: Any) -> tuple[Any, Any]:
    """The shares of positions that lead to an end, and which positions these are.

    Of the others all play leaves at once: with their links left in, nothing could be eliminated.
    """
    ending = picks_to_end(graph, shares > 0) > 0
    return np.where(ending[graph.sources], shares, 0.0), ending


def sum_of_steps(step: Any, start: Any, norm: float) -> Any:
    """The sum of what a matrix makes of the start, of that, and so on, until nothing is left.

    Play that seldom ends would take thousands of steps. So the rest after some steps is solved
    for: x - step x = rest. The residual is treated likewise until it is negligible. None where
    play hardly ever ends: rounding would spoil the sum. No step raises the norm.
    """
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import gmres

    total, rest, equations = np.zeros(start.size), start, eye_array(start.size) - step
    for solved in range(MAX_SOLUTIONS):
        before = np.linalg.norm(rest, norm)
        for _ in range(STEPS_BEFORE_SOLVING):
            if np.abs(rest).sum() <= NEGLIGIBLE * max(1e-10, np.abs(total).sum()):
                return total
            total, rest = total + rest, step @ rest
        if solved and np.linalg.norm(rest, norm) > MOST_LEFT * before:
            return None
        found, _ = gmres(equations, rest, rtol=GMRES_TOLERANCE, restart=MAX_KRYLOV, maxiter=1)
        residual = rest - equations @ found
        if np.abs(residual).sum() < np.abs(rest).sum():
            total, rest = total + found, residual
    return None
