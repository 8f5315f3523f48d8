"""Layers of components that hold all cycles of a graph, in reverse topological order.

Positions that are connected by mutual links form a component. Where longer cycles are left between
these, all that lie on one or lead to one form a single component. So components are unions of
strongly connected ones: a system of equations may be larger than it need be, but has the same
solution. Few rulings have longer cycles. `scipy` would find the smaller components, at the price
that `expected_visits` names.

A layer leads only to layers before it, to ends, and within its own components. So figures of
positions are found layer by layer; within a component they are the solution of a linear system.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.graph.expected_visits import total_visits

MAX_DENSE_COMPONENT_SIZE: Final = 32
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
    """The target of each link: a position, or a negative index for an end."""
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
        """For each position the sum of a figure over its inner links, or of columns of them."""
        rows, size = self.inner_rows, self.components.size
        if figures.ndim == 1:
            return np.bincount(rows, figures, size)
        columns = figures.shape[1]
        cells = rows[:, None] * columns + np.arange(columns)
        return np.bincount(cells.ravel(), figures.ravel(), size * columns).reshape(size, columns)

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

    @property
    def is_cycle(self) -> bool:
        """Whether each component is one cycle of one or two positions, or has no inner link."""
        size = self.components.shape[1]
        around = (self.inner_rows + 1) % size
        return not self.inner.size or (
            size <= 2 and bool((self.inner_targets % size == around).all())
        )

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

    def visits(self, parts: Any, entered: Any) -> Any:
        """Expected visits of each position by play that enters at each with some mass.

        It goes on along the inner links with some weights; there is a column for each flow.
        """
        if not self.inner.size:
            return entered
        columns = zip(parts.T, entered.T, strict=True)
        return np.stack([self._column_visits(*column) for column in columns], axis=1)

    def _column_visits(self, parts: Any, entered: Any) -> Any:
        if self.is_large:
            rows, targets = self.inner_rows, self.inner_targets
            return total_visits(
                lambda mass: np.bincount(targets, parts * mass[rows], mass.size), entered
            )
        matrix = self._equations(parts).transpose(0, 2, 1)
        return np.linalg.solve(matrix, entered.reshape(*self.components.shape, 1)).ravel()

    def visits_until_repeated(self, parts: Any, entered: Any, times: int) -> tuple[Any, Any]:
        """The same where all is over when the position of entry has occurred `times` times.

        Components must be cycles. Returns the mass of each flow that comes to such an end, too.
        """
        if not self.inner.size:
            return entered, 0.0
        shape = (*self.components.shape, entered.shape[1])
        stays = self.sum_inner_links(parts).reshape(shape)
        mass = entered.reshape(shape)
        visits = np.zeros(shape)
        for _ in range(shape[1] * (times - 1)):
            visits += mass
            mass = (mass * stays)[:, ::-1]  # the next position of a cycle of one or two
        return visits.reshape(entered.shape), mass.sum(axis=(0, 1))

    def unroll_cycle(self, times: int, last: Any, before: Callable[[Any, Any], Any]) -> Any:
        """Figures on entering a cycle at each position, where repetition ends the match.

        The match ends when the position of entry has occurred `times` times; the figure is `last`
        then. `before` gives the figures of some positions by those of the next in the cycle.
        """
        size = self.components.shape[1]
        places = np.arange(self.components.size).reshape(-1, size)
        # A cycle has a single way round, so the position of entry is always the first to repeat.
        found = last
        for steps in reversed(range(size * (times - 1))):
            found = before(np.roll(places, -steps, axis=1).ravel(), found)
        return found


def fixed_point(marks: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to marks until they stay the same."""
    while ((changed := change(marks)) != marks).any():
        marks = changed
    return marks


def component_layers(sources: Any, targets: Any, count: int) -> list[ComponentLayer]:
    """The layers of a graph in reverse topological order.

    Longer cycles than mutual links, with all positions that lead to them, are one component.
    """
    components = _two_way_components(sources, targets, count)
    ranks = _topological_ranks(components, sources, targets)
    cyclic = np.flatnonzero(ranks < 0)
    if cyclic.size:
        # Nothing ranked leads here, or it would have no rank: so this component is the last layer.
        components[cyclic] = cyclic[0]
        ranks[cyclic] = ranks.max() + 1
    sizes = np.bincount(components, minlength=count)[components]
    # Components of one size form one array, so that all their systems are solved in one call.
    order = np.lexsort((np.arange(count), components, sizes, ranks))
    begins = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=count))])
    kinds = np.flatnonzero(np.diff(ranks[order] * (count + 1) + sizes[order], prepend=-1))
    return [
        _layer(part.reshape(-1, sizes[part[0]]), components, begins, targets)
        for part in np.split(order, kinds[1:])
    ]


def _layer(members: Any, components: Any, begins: Any, targets: Any) -> ComponentLayer:
    places = members.ravel()
    links, counts = _concatenated_ranges(begins, places)
    rows = np.repeat(np.arange(places.size), counts)
    leads = targets[links]
    inner = np.flatnonzero((leads >= 0) & (components[leads] == components[places[rows]]))
    numbers = np.zeros(components.size, np.int64)
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


def _two_way_components(sources: Any, targets: Any, count: int) -> Any:
    """For each position the first of those it is connected to by links both ways."""
    components = np.arange(count)
    on = targets >= 0
    there = np.sort(sources[on].astype(np.int64) * count + targets[on])
    back = targets[on].astype(np.int64) * count + sources[on]
    # A binary search in sorted links: `np.isin` would hash them, which takes longer.
    nearest = there[np.minimum(np.searchsorted(there, back), there.size - 1)]
    tied = on.nonzero()[0][nearest == back]
    # Labels are propagated until they are stable: one pass reaches only direct neighbours.
    while True:
        less = components.copy()
        np.minimum.at(less, sources[tied], components[targets[tied]])
        if (less == components).all():
            return components
        components = less


def _topological_ranks(components: Any, sources: Any, targets: Any) -> Any:
    """The longest path of each component to an end (Kahn's algorithm); -1 on and before cycles."""
    count = components.size
    ranks = np.full(count, -1)
    out = np.flatnonzero((targets >= 0) & (components[sources] != components[targets]))
    left = np.bincount(components[sources[out]], minlength=count)
    coming = out[np.argsort(components[targets[out]], kind="stable")]
    begins = np.searchsorted(components[targets[coming]], np.arange(count + 1))
    ready = np.flatnonzero((left == 0) & (components == np.arange(count)))
    rank = 0
    while ready.size:
        ranks[ready] = rank
        rank += 1
        links, _ = _concatenated_ranges(begins, ready)
        sources_met, times = np.unique(components[sources[coming[links]]], return_counts=True)
        left[sources_met] -= times
        ready = sources_met[left[sources_met] == 0]
    return ranks[components]
