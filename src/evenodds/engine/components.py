"""Strongly connected components of a graph of links, and layers of them.

A component leads only to others nearer to the ends, and to itself. So figures of positions are
found component by component; within one they are the solution of a linear system.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.engine.compile import shared_kernel
from evenodds.engine.component_kernels import ComponentGraph, ComponentWorkspace
from evenodds.engine.expected_visits import total_visits
from evenodds.engine.link_flows import MAX_ELIMINATED

MAX_DENSE_COMPONENT_SIZE: Final = MAX_ELIMINATED
"""Size of a component up to which its linear system is solved directly."""


class ComponentLayer(NamedTuple):
    """Components of one size, and all links of their positions, in order of position."""

    components: Any
    """A row for each component: its positions."""
    links: Any
    """Indices into the links of the whole graph; all below are relative to these."""
    begins: Any
    """The first link of each position."""
    rows: Any
    """For each link the index of its source in the layer."""
    targets: Any
    """The target of each link: a position or an end."""
    inner: Any
    """The links that stay within their component."""
    inner_rows: Any
    """For each of those the index of its source in the layer."""
    inner_targets: Any
    """The index of its target in the layer."""

    @property
    def places(self) -> Any:
        """All positions of the layer, component after component."""
        return self.components.ravel()

    def sum_links(self, figures: Any) -> Any:
        """For each position the sum of a figure over its links."""
        return np.add.reduceat(figures, self.begins, axis=0)

    def is_inner(self) -> Any:
        """Whether each link stays within its component."""
        found = np.zeros(self.links.size, bool)
        found[self.inner] = True
        return found

    def at_inner_targets(self, figures: Any) -> Any:
        """For each inner link the figure of its target."""
        return figures[self.inner_targets]

    def sum_inner_links(self, figures: Any) -> Any:
        """For each position the sum of a figure over its inner links."""
        return np.bincount(self.inner_rows, figures, self.components.size)

    def reaching(self, likely: Any, there: Any) -> Any:
        """The positions from which likely inner links lead to marked ones, these included."""
        if not self.inner.size:
            return there
        return fixed_point(
            there,
            lambda some: some | (self.sum_inner_links(likely & self.at_inner_targets(some)) > 0),
        )

    @property
    def is_large(self) -> bool:
        """Whether components are too large to be solved directly."""
        return bool(self.inner.size) and self.components.shape[1] > MAX_DENSE_COMPONENT_SIZE

    def solve(self, parts: Any, known: Any) -> Any:
        """The x with x = known + P x; P are the inner links with weights."""
        if not self.inner.size:
            return known
        if self.is_large:
            return total_visits(
                lambda figures: self.sum_inner_links(parts * self.at_inner_targets(figures)), known
            )
        shape = (*self.components.shape, 1)
        return np.linalg.solve(self._equations(parts), known.reshape(shape)).ravel()

    def _equations(self, parts: Any) -> Any:
        """The matrix of 1 - P for each component; P are the inner links with weights."""
        size = self.components.shape[1]
        matrix = np.zeros((len(self.components), size, size))
        cells = self.inner_rows * size + self.inner_targets % size
        np.subtract.at(matrix.reshape(-1), cells, parts)
        matrix[:, range(size), range(size)] += 1
        return matrix


def fixed_point(marks: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to marks until they stay the same."""
    while ((changed := change(marks)) != marks).any():
        marks = changed
    return marks


def kernel_arrays(compiled: bool, *arrays: Any) -> Any:
    """Arrays for a kernel; lists where it is interpreted, which is faster over these."""
    return arrays if compiled else tuple(array.tolist() for array in arrays)


def component_graph(begins: Any, targets: Any, compiled: bool) -> tuple[ComponentGraph, Any]:
    """The components of a graph in the order of play, and the longest path of each to an end.

    `begins` are the first link of each position, and the number of links.
    """
    found = np.zeros((8, begins.size - 1), np.int64)
    arrays = kernel_arrays(compiled, begins, targets, *found)
    work = ComponentWorkspace(*arrays[5:])
    count = shared_kernel("fill_components", compiled)(*arrays[:2], work, *arrays[2:5])
    components, ranks = count - 1 - np.asarray(arrays[2]), np.array(arrays[4][:count])[::-1]
    # Within a component by number, so by depth: masses that are pushed in this order arrive sooner.
    order = np.argsort(components, kind="stable")
    bounds = np.searchsorted(components[order], np.arange(count + 1))
    sources = np.repeat(np.arange(components.size), np.diff(begins))
    last = components.size - 1
    inner = (targets <= last) & (components[np.minimum(targets, last)] == components[sources])
    cyclic = np.zeros(count, bool)
    cyclic[components[sources[inner]]] = True
    return ComponentGraph(begins, targets, inner, components, order, bounds, cyclic), ranks


def component_layers(graph: ComponentGraph, ranks: Any) -> list[ComponentLayer]:
    """The components in layers, from the ends back."""
    sizes = np.diff(graph.bounds)
    # Components of one size form one array, so that all their systems are solved in one call.
    kinds = (ranks * (graph.order.size + 1) + sizes)[graph.components]
    order = np.lexsort((np.arange(kinds.size), graph.components, kinds))
    cuts = np.flatnonzero(np.diff(kinds[order])) + 1
    return [
        _layer(part.reshape(-1, sizes[graph.components[part[0]]]), graph)
        for part in np.split(order, cuts)
    ]


def _layer(members: Any, graph: ComponentGraph) -> ComponentLayer:
    places = members.ravel()
    links, counts = _concatenated_ranges(graph.begins, places)
    rows = np.repeat(np.arange(places.size), counts)
    leads = graph.targets[links]
    inner = np.flatnonzero(graph.inner[links])
    numbers = np.zeros(graph.order.size, np.int64)
    numbers[places] = np.arange(places.size)
    inner_targets = numbers[leads[inner]]
    return ComponentLayer(
        members, links, np.cumsum(counts) - counts, rows, leads, inner, rows[inner], inner_targets
    )


def _concatenated_ranges(begins: Any, places: Any) -> tuple[Any, Any]:
    """The ranges `begins[p]` to `begins[p + 1]` of some places, concatenated, and their lengths."""
    counts = begins[places + 1] - begins[places]
    skipped = np.repeat(begins[places] - np.cumsum(counts) + counts, counts)
    return skipped + np.arange(counts.sum()), counts
