"""Layers of strongly connected components, in reverse topological order.

Positions that lead back to each other are a knot; all else leads on. So what positions are worth is
found layer by layer: a layer leads to layers before it and to the end, and within its own knots,
where a few equations with as many unknowns settle everything at once.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.graph.expected_visits import total_visits

MAX_DENSE_COMPONENT_SIZE: Final = 32
"""Positions of a knot up to which its equations are solved as they stand."""


class ComponentLayer(NamedTuple):
    """Knots of one size, and every link of their positions, in order of position."""

    knots: Any
    """A line for each knot: its positions."""
    links: Any
    begins: Any
    """Where the links of each position begin among these."""
    rows: Any
    """For each link the place of its position in the layer."""
    targets: Any
    """Where each link leads: a position, or from the end of a list the outcome."""
    inner: Any
    """The links that stay within their knot, by their place among these."""
    within: Any
    """For each of those the place in its knot that it leads to."""

    @property
    def places(self) -> Any:
        """All positions of the layer, knot after knot."""
        return self.knots.ravel()

    def summed(self, figures: Any) -> Any:
        """The sum of the figures of each position's links."""
        return np.add.reduceat(figures, self.begins, axis=0)

    def stays(self) -> Any:
        """Whether each link stays within its knot."""
        return np.isin(np.arange(self.links.size), self.inner)

    def lead(self, figures: Any) -> Any:
        """For each inner link the figure of the place in the layer that it leads to."""
        size = self.knots.shape[1]
        return figures[self.rows[self.inner] // size * size + self.within]

    def gathered(self, figures: Any) -> Any:
        """The sum of figures of the inner links for each place in the layer."""
        return np.bincount(self.rows[self.inner], figures, self.knots.size)

    def leading(self, likely: Any, there: Any) -> Any:
        """The places from which some inner links lead to places that are marked, these included."""
        return fixed_point(there, lambda some: some | (self.gathered(likely & self.lead(some)) > 0))

    @property
    def is_long(self) -> bool:
        """Whether there are too many positions in a knot to solve for as they stand."""
        return bool(self.inner.size) and self.knots.shape[1] > MAX_DENSE_COMPONENT_SIZE

    @property
    def is_ring(self) -> bool:
        """Whether there is one way at most to go round a knot: by itself, or to the other."""
        size = self.knots.shape[1]
        around = (self.rows[self.inner] + 1) % size
        return not self.inner.size or (size <= 2 and bool((self.within == around).all()))

    def solve(self, parts: Any, known: Any) -> Any:
        """The x of x = known + what the inner links bring of x; known has a column a question."""
        size = self.knots.shape[1]
        if not self.inner.size:
            return known
        if self.is_long:
            return self._long(parts, known)
        matrix = np.zeros((len(self.knots), size, size))
        np.subtract.at(matrix.reshape(-1), self.rows[self.inner] * size + self.within, parts)
        matrix[:, range(size), range(size)] += 1
        return np.linalg.solve(matrix, known.reshape(len(matrix), size, -1)).reshape(known.shape)

    def visits(self, parts: Any) -> Any:
        """How often play that begins at the first place comes to each place on average."""
        size, rows = self.knots.shape[1], self.rows[self.inner]
        targets = rows // size * size + self.within
        start = np.zeros(self.knots.size)
        start[0] = 1.0
        return total_visits(lambda mass: np.bincount(targets, parts * mass[rows], mass.size), start)

    def _long(self, parts: Any, known: Any) -> Any:
        """The same for knots with more positions than can be solved for as they stand."""

        def back(figures: Any) -> Any:
            return self.gathered(parts * self.lead(figures))

        return np.stack([total_visits(back, column) for column in known.T], axis=1)

    def go_round(self, times: int, last: Any, before: Callable[[Any, Any], Any]) -> Any:
        """What entering a ring is worth at each place, when it ends at the place it began with.

        It ends when that place has come up so many times, and is worth `last` then; `before` says
        what some places are worth, by what the next in the ring are.
        """
        size = self.knots.shape[1]
        places = np.arange(self.knots.size).reshape(-1, size)
        found = last
        for steps in reversed(range(size * (times - 1))):
            found = before(np.roll(places, -steps, axis=1).ravel(), found)
        return found


def fixed_point(marks: Any, change: Callable[[Any], Any]) -> Any:
    """Marks that a change leaves as they are, from some others on."""
    while ((changed := change(marks)) != marks).any():
        marks = changed
    return marks


def component_layers(sources: Any, targets: Any, count: int) -> list[ComponentLayer]:
    """The layers of a web, those that lead to the end alone first.

    What is entangled beyond pairs and chains of pairs makes one knot of all that leads there.
    """
    knots = _paired(sources, targets, count)
    ranks = _ranked(knots, sources, targets)
    tangle = np.flatnonzero(ranks < 0)
    if tangle.size:
        knots[tangle] = tangle[0]
        ranks[tangle] = ranks.max() + 1
    sizes = np.bincount(knots, minlength=count)[knots]
    order = np.lexsort((np.arange(count), knots, sizes, ranks))
    begins = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=count))])
    kinds = np.flatnonzero(np.diff(ranks[order] * (count + 1) + sizes[order], prepend=-1))
    return [
        _layer(part.reshape(-1, sizes[part[0]]), knots, begins, targets)
        for part in np.split(order, kinds[1:])
    ]


def _layer(members: Any, knots: Any, begins: Any, targets: Any) -> ComponentLayer:
    places = members.ravel()
    links, counts = _spans(begins, places)
    rows = np.repeat(np.arange(places.size), counts)
    leads = targets[links]
    inner = np.flatnonzero((leads >= 0) & (knots[leads] == knots[places[rows]]))
    columns = np.zeros(knots.size, np.int64)
    columns[members] = np.arange(members.shape[1])
    within = columns[leads[inner]]
    return ComponentLayer(members, links, np.cumsum(counts) - counts, rows, leads, inner, within)


def _spans(begins: Any, places: Any) -> tuple[Any, Any]:
    """What lies in the spans of some places, one after another, and how much in each."""
    counts = begins[places + 1] - begins[places]
    skipped = np.repeat(begins[places] - np.cumsum(counts) + counts, counts)
    return skipped + np.arange(counts.sum()), counts


def _paired(sources: Any, targets: Any, count: int) -> Any:
    """For each position the first of those that it is tied to by links there and back."""
    knots = np.arange(count)
    on = targets >= 0
    there = sources[on].astype(np.int64) * count + targets[on]
    back = targets[on].astype(np.int64) * count + sources[on]
    tied = on.nonzero()[0][np.isin(back, there)]
    while True:
        less = knots.copy()
        np.minimum.at(less, sources[tied], knots[targets[tied]])
        if (less == knots).all():
            return knots
        knots = less


def _ranked(knots: Any, sources: Any, targets: Any) -> Any:
    """How many layers each position is from the end; -1 where that never comes to an end."""
    count = knots.size
    ranks = np.full(count, -1)
    out = np.flatnonzero((targets >= 0) & (knots[sources] != knots[targets]))
    left = np.bincount(knots[sources[out]], minlength=count)
    coming = out[np.argsort(knots[targets[out]], kind="stable")]
    begins = np.searchsorted(knots[targets[coming]], np.arange(count + 1))
    ready = np.flatnonzero((left == 0) & (knots == np.arange(count)))
    rank = 0
    while ready.size:
        ranks[ready] = rank
        rank += 1
        links, _ = _spans(begins, ready)
        met, times = np.unique(knots[sources[coming[links]]], return_counts=True)
        left[met] -= times
        ready = met[left[met] == 0]
    return ranks[knots]
