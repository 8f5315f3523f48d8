"""Retrograde analysis: what can be forced along the links of a graph, from the ends back."""

from typing import Any

import numpy as np

from evenodds.engine.compile import shared_kernel
from evenodds.engine.components import for_kernel, list_parents
from evenodds.engine.graph import Graph
from evenodds.engine.link_kernels import settle


def settled(graph: Graph, sides: Any, outcomes: Any, kept: Any = slice(None)) -> Any:
    """The code of each position: the picks to an end that one of two sides can force; 0 for none.

    Positive codes are forced by the first side, by the shortest way; the others lose by the
    longest. `sides` says as a sign who chooses at each position, `outcomes` who has won at each
    end, `kept` which links there are.
    """
    targets, sources, count = graph.targets[kept], graph.sources[kept], graph.size
    ahead, codes = np.bincount(sources, minlength=count), np.zeros(count, np.int64)
    queue = np.zeros(count + len(outcomes), np.int64)
    given = for_kernel(graph.is_compiled, sides, outcomes, ahead, queue, codes)
    parents = list_parents(targets, sources, queue.size, graph.is_compiled)
    shared_kernel(settle, graph.is_compiled)(*given[:2], *parents, *given[2:])
    return np.asarray(given[4])


def can_end(graph: Graph, likely: Any) -> Any:
    """The positions from which likely links lead to an end."""
    return settled(graph, *_alike(graph), likely) != 0


def longest_line(graph: Graph) -> int:
    """The most picks to an end, in a graph without cycles."""
    sides, outcomes = _alike(graph)
    return -int(settled(graph, sides, -outcomes)[0])


def _alike(graph: Graph) -> tuple[Any, Any]:
    """Sides and outcomes where one side chooses everywhere and wins at every end."""
    return np.ones(graph.size, np.int64), np.ones(len(graph.ends), np.int64)
