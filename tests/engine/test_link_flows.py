"""Components of graphs of links and flows along them, against dense linear algebra."""

from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds.engine.flows import link_flow, masses_by_round, sum_backwards
from evenodds.engine.graph import Graph
from evenodds.engine.positions import Listing
from evenodds.engine.responses import link_response
from tests.support.engine import Components, silent
from tests.support.play import SEATS

IS_COMPILED = pytest.mark.parametrize(
    "compiled", [pytest.param(True, marks=pytest.mark.long), False], ids=["compiled", "interpreted"]
)


def graph_of(given: dict[str, Any], compiled: bool) -> Graph:
    """The links of a ruling of `factors`, with compiled kernels or interpreted ones."""
    return Graph(Listing(*evenodds.game("factors", given), silent, compiled=compiled))


def random_shares(graph: Graph, power: int) -> Any:
    """Shares of links at random; the higher the power, the less likely most of them are."""
    weights = np.random.default_rng(7).random(graph.targets.size) ** power
    return weights / np.add.reduceat(weights, graph.begins[:-1])[graph.sources]


def steps_of(graph: Graph, shares: Any) -> Any:
    size = graph.size
    steps = np.zeros((size, size + len(graph.ends)))
    np.add.at(steps, (graph.sources, graph.targets), shares)
    return steps


@pytest.mark.long
@IS_COMPILED
def test_components_are_the_positions_that_lead_to_each_other(compiled: bool) -> None:
    random = np.random.default_rng(3)
    several = 0
    for size in (1, 2, 5, 12, 12, 12, 30):
        counts = random.integers(1, 3, size)
        begins = np.concatenate([[0], np.cumsum(counts)])
        targets = random.integers(0, size + 2, begins[-1]).astype(np.int32)
        sources = np.repeat(np.arange(size), counts)
        reached = np.zeros((size, size), bool)
        reached[sources[targets < size], targets[targets < size]] = True
        for _ in range(size):
            reached |= (reached.astype(int) @ reached) > 0
        graph = Components(begins, targets, 2, compiled)
        together = np.eye(size, dtype=bool) | reached & reached.T
        ordered = graph.labels[graph.links.order]
        assert (together == (graph.labels[:, None] == graph.labels)).all()
        assert sorted(graph.links.order) == list(range(size))
        assert (np.diff(ordered) >= 0).all()
        count = graph.sizes.size
        assert (graph.links.bounds == np.searchsorted(ordered, range(count + 1))).all()
        assert (graph.cyclic == reached.diagonal()).all()
        for one, two in zip(*np.nonzero(reached & ~together), strict=True):
            assert graph.labels[one] < graph.labels[two]
        several += 1 < count < size
    assert several > 2


@pytest.mark.long
@IS_COMPILED
@pytest.mark.parametrize("power", [1, 4, 100], ids=["even", "uneven", "hardly ending"])
@pytest.mark.parametrize("given", [{"target": 6}, {"target": 4, "same": "twice"}])
def test_flows_are_the_solution_of_linear_equations(
    given: dict[str, Any], power: int, compiled: bool
) -> None:
    graph = graph_of(given, compiled)
    size, shares = graph.size, random_shares(graph, power)
    shares[shares < 1e-9] = 0.0
    shares /= np.add.reduceat(shares, graph.begins[:-1])[graph.sources]
    steps = steps_of(graph, shares)
    can_end = np.zeros(size, bool)
    for _ in range(size):
        can_end |= (steps[:, size:].sum(axis=1) > 0) | (steps[:, :size] @ can_end > 0)
    steps[~can_end] = 0.0
    visits = np.linalg.solve(np.eye(size) - steps[:, :size].T, np.eye(size)[0])
    flow = link_flow(graph, shares, 0)
    assert flow.ends == pytest.approx(visits @ steps[:, size:], abs=1e-11)
    assert flow.endless == pytest.approx(visits[~can_end].sum(), abs=1e-11)
    assert flow.length == pytest.approx(visits[can_end].sum(), rel=1e-9)
    assert flow.repeated == 0


@IS_COMPILED
@pytest.mark.parametrize("leaving", [1e-3, 1e-9, 1e-15, 1e-30])
def test_matches_that_hardly_ever_leave_a_cycle_end_in_the_end(
    leaving: float, compiled: bool
) -> None:
    graph = graph_of({"target": 6}, compiled)
    components, shares = graph.components.links, random_shares(graph, 1)
    shares[components.inner] = 0.0
    shares /= np.add.reduceat(shares, graph.begins[:-1])[graph.sources]
    at_once = link_flow(graph, shares, 0)
    on_cycle = np.add.reduceat(components.inner, graph.begins[:-1])[graph.sources] > 0
    rarely = np.where(on_cycle & ~components.inner, leaving * shares, shares)
    rarely[components.inner] = 1 - leaving
    found = link_flow(graph, rarely, 0)
    assert found.ends.sum() == pytest.approx(1, abs=1e-12)
    assert found.endless == 0
    assert found.length > at_once.length / leaving / 10


@IS_COMPILED
def test_play_is_worth_what_linear_equations_say(compiled: bool) -> None:
    graph = graph_of({"target": 4, "same": "twice"}, compiled)
    size, shares = graph.size, random_shares(graph, 2)
    steps = steps_of(graph, shares)
    exact = np.linalg.solve(np.eye(size) - steps[:, :size], steps[:, size:] @ graph.outcomes)
    found = sum_backwards(graph, shares, graph.outcomes)
    assert found[:size] == pytest.approx(exact, abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("given", [{"target": 6}, {"target": 4, "same": "twice"}])
def test_compiled_and_interpreted_kernels_find_the_same(given: dict[str, Any]) -> None:
    found = []
    for compiled in (False, True):
        graph = graph_of(given, compiled)
        shares, sides = random_shares(graph, 2), [graph.uniform(seat) for seat in SEATS]
        times = 3 if graph.components.are_rings else 0
        flow = link_flow(graph, shares, times)
        rounds = list(masses_by_round(graph, *sides))
        responses = [link_response(graph, shares, seat, times).value for seat in SEATS]
        assert flow.ends.sum() + flow.repeated == pytest.approx(1, abs=1e-12)
        found.append([*flow.ends, *flow[1:], *rounds[5], *sum(rounds[1:]), *responses])
    assert found[0] == pytest.approx(found[1], abs=1e-12)
