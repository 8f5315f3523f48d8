"""The order of play along the links of a graph, and its strongly connected components.

Play comes back to a position only within a component. A component leads only to those after it, so
figures are found in one pass over all of them, and within one by the inverse of its own links.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.engine.compile import shared_kernel
from evenodds.engine.link_kernels import ACYCLIC, LARGE, Links, fill_parents, list_backwards, settle

MAX_INVERTED: Final = 128
"""Size of a component up to which its links are inverted; in larger ones play is followed."""


def for_kernel(compiled: bool, *arrays: Any) -> Any:
    """Arrays for a kernel; lists where it is interpreted, which is faster over these."""
    return arrays if compiled else tuple(array.tolist() for array in arrays)


def list_parents(targets: Any, sources: Any, count: int, compiled: bool) -> tuple[Any, Any]:
    """Where the sources of the links to each of `count` positions and ends begin, and these."""
    bounds, parents = np.zeros(count + 1, np.int64), np.zeros(targets.size, np.int32)
    given = for_kernel(compiled, targets, sources, bounds, parents)
    shared_kernel(fill_parents, compiled)(*given)
    return given[2], given[3]


def list_ends_first(targets: Any, sources: Any, count: int, compiled: bool) -> Any:
    """Those of `count` positions and ends that lead to no cycle, each after its targets."""
    bounds, parents = list_parents(targets, sources, count, compiled)
    ahead = np.bincount(sources, minlength=count)
    ahead, order = for_kernel(compiled, ahead, np.zeros(count, np.int64))
    listed = shared_kernel(list_backwards, compiled)(bounds, parents, ahead, order)
    return np.asarray(order[:listed])


def settled(graph: Any, sides: Any, outcomes: Any, kept: Any = slice(None)) -> Any:
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


def picks_to_end(graph: Any, likely: Any) -> Any:
    """For each position the fewest picks along likely links to an end; 0 where none lead there."""
    alike = np.ones(graph.size, np.int64), np.ones(len(graph.ends), np.int64)
    return settled(graph, *alike, likely)


class Components:
    """The components of positions and the links between these, in the order of play."""

    def __init__(self, begins: Any, targets: Any, ends: int, compiled: bool) -> None:
        self.size, self.ends, self.compiled = begins.size - 1, ends, compiled
        self.sources = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(begins))
        count = self.size + ends
        order, labels = list_ends_first(targets, self.sources, count, compiled), np.arange(count)
        if order.size < count:
            order, labels = self._strongly_connected(targets, count)
        ranks = np.empty(order.size, np.int64)
        ranks[order[::-1]] = np.arange(order.size)
        _, self.labels = np.unique(ranks[labels[: self.size]], return_inverse=True)
        """The component of each position."""
        # Within a component by number, so by depth: what is pushed on in this order arrives sooner.
        order = np.argsort(self.labels, kind="stable")
        self.sizes = np.bincount(self.labels)
        bounds = np.append(0, np.cumsum(self.sizes))
        last = self.size - 1
        inner = (targets <= last) & (
            self.labels[np.minimum(targets, last)] == self.labels[self.sources]
        )
        self.links = Links(begins, targets, inner, order, bounds)
        self._cyclic = np.zeros(self.sizes.size, bool)
        self._cyclic[self.labels[self.sources[inner]]] = True
        self._within: dict[int, Within] = {}

    def _strongly_connected(self, targets: Any, count: int) -> tuple[Any, Any]:
        """The components of positions and ends, each after those it leads to; that of each."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        cells = np.ones(targets.size, np.int32), (self.sources, targets)
        found, labels = connected_components(
            csr_array(cells, shape=(count, count)), directed=True, connection="strong"
        )
        heads, tails = labels[self.sources], labels[targets]
        leaving = heads != tails
        return list_ends_first(tails[leaving], heads[leaving], found, self.compiled), labels

    def for_kernel(self, *arrays: Any) -> Any:
        """Arrays for a kernel over these links."""
        return for_kernel(self.compiled or self.has_large, *arrays)

    @cached_property
    def kernel_links(self) -> Links:
        """The links as kernels take them."""
        return Links(*self.for_kernel(*self.links))

    @property
    def cyclic(self) -> Any:
        """Whether play can come back to each position."""
        return self._cyclic[self.labels]

    @property
    def has_cycles(self) -> bool:
        """Whether play can come back to a position."""
        return bool(self._cyclic.any())

    @property
    def has_large(self) -> bool:
        """Whether a component is too large to be inverted."""
        return bool(self.sizes.max() > MAX_INVERTED)

    @property
    def are_rings(self) -> bool:
        """Whether play comes back to a position in a single way: round one or two positions."""
        inner = np.flatnonzero(self.links.inner)
        sources, targets = self.sources[inner], self.links.targets[inner]
        sizes = self.sizes[self.labels[sources]]
        return bool(((sizes == 1) | (sizes == 2) & (targets != sources)).all())

    def within(self, component: int) -> "Within":
        """A component whose play is followed."""
        if component not in self._within:
            _, targets, inner, order, bounds = self.links
            places = order[bounds[component] : bounds[component + 1]]
            numbers = np.zeros(self.size, np.int64)
            numbers[places] = np.arange(places.size)
            links = np.flatnonzero(inner & (self.labels[self.sources] == component))
            ends = numbers[self.sources[links]], numbers[targets[links]]
            self._within[component] = Within(places, links, *ends)
        return self._within[component]

    def inverses(self, shares: Any, leaving: Any) -> tuple[Any, Any]:
        """For each component the place of its inverse, and all inverses one after another.

        Where P are the shares of the links within, it is the inverse of 1 - P: how often play that
        enters at a position comes to each. `leaving` are the shares of positions that leave it.
        """
        offsets = np.where(self._cyclic & (self.sizes > MAX_INVERTED), LARGE, ACYCLIC)
        inverted = self._cyclic & (offsets == ACYCLIC)
        flat, begin = [np.zeros(1)], 1
        order, bounds = self.links.order, self.links.bounds
        numbers, inner = self._numbers, np.flatnonzero(self.links.inner)
        sources, targets = self.sources[inner], self.links.targets[inner]
        rows = np.zeros(self.sizes.size, np.int64)
        for size in np.unique(self.sizes[inverted]).tolist():  # all of one size at once
            which = np.flatnonzero(inverted & (self.sizes == size))
            rows[which] = np.arange(which.size)
            some = self.sizes[self.labels[sources]] == size
            cells = rows[self.labels[sources[some]]], numbers[sources[some]], numbers[targets[some]]
            parts = np.zeros((which.size, size, size))
            np.add.at(parts, cells, shares[inner[some]])
            members = order[bounds[which][:, None] + np.arange(size)]
            flat.append(inverse(parts, leaving[members]).ravel())
            offsets[which] = begin + np.arange(which.size) * size * size
            begin += flat[-1].size
        return offsets, np.concatenate(flat)

    def unrolled(self, times: int) -> "Unrolled":
        """The same without cycles, for play that is drawn when it has come to a position `times`.

        Components must be rings of one or two positions. Then the position of entry is always the
        first to repeat, and each has a copy for each pick on the way round.
        """
        begins, targets, inner, _, _ = self.links
        copies = np.where(self.cyclic, self.sizes[self.labels] * (times - 1), 1)
        first = np.cumsum(copies) - copies
        place = np.repeat(np.arange(self.size), copies)
        turn = np.arange(place.size) - first[place]
        degrees = np.diff(begins)[place]
        new_begins = np.append(0, np.cumsum(degrees))
        links = np.arange(new_begins[-1]) + np.repeat(begins[place] - new_begins[:-1], degrees)
        goes_round = inner[links]
        new_targets = np.append(first, place.size + np.arange(self.ends + 1))[targets[links]]
        rounding = np.flatnonzero(goes_round)
        copy = np.repeat(np.arange(place.size), degrees)[rounding]
        is_last = turn[copy] + 1 == copies[place[copy]]
        further = new_targets[rounding] + turn[copy] + 1
        new_targets[rounding] = np.where(is_last, place.size + self.ends, further)
        # Component by component, and in each turn by turn.
        counts, label = np.bincount(self.labels, copies).astype(np.int64), self.labels[place]
        order = np.empty_like(place)
        ranks = turn * self.sizes[label] + self._numbers[place]
        order[(np.cumsum(counts) - counts)[label] + ranks] = np.arange(place.size)
        bounds, inner = np.arange(place.size + 1), np.zeros(links.size, bool)
        *new, goes_round = self.for_kernel(
            new_begins, new_targets, inner, order, bounds, goes_round
        )
        return Unrolled(Links(*new), goes_round, links, place, first)

    @cached_property
    def _numbers(self) -> Any:
        """The number of each position within its component."""
        order, bounds = self.links.order, self.links.bounds
        numbers = np.empty_like(order)
        numbers[order] = np.arange(self.size) - np.repeat(bounds[:-1], self.sizes)
        return numbers


class Within(NamedTuple):
    """The positions of a component, and the links within it: from and to which of them."""

    places: Any
    links: Any
    rows: Any
    targets: Any

    def onward(self, shares: Any) -> Callable[[Any], Any]:
        """The step from masses at these positions to those one pick later."""
        parts = shares[self.links]
        return lambda masses: np.bincount(self.targets, parts * masses[self.rows], masses.size)

    def back(self, shares: Any) -> Callable[[Any], Any]:
        """The step from figures of these positions to their means one pick before."""
        parts = shares[self.links]
        return lambda figures: np.bincount(self.rows, parts * figures[self.targets], figures.size)


class Unrolled(NamedTuple):
    """A graph without cycles, made of copies; one more end is the draw by repetition."""

    links: Links
    goes_round: Any
    """Whether each link is a copy of one within a component."""
    originals: Any
    """For each link the one that it is a copy of."""
    places: Any
    """For each copy the position."""
    first: Any
    """The first copy of each position."""


def inverse(parts: Any, leaving: Any) -> Any:
    """The inverses of 1 - P for many matrices P, by elimination without subtractions (GTH).

    `leaving` is what is missing in each row of P; however little, nothing is lost to rounding.
    The last position is passed over first: what enters it goes on to those before it.
    """
    count, size, _ = parts.shape
    entering = np.zeros((count, size, size))
    entering[:, range(size), range(size)] = 1.0
    out = leaving.copy()
    for last in range(size - 1, -1, -1):
        out[:, last] = leaving[:, last] + parts[:, last, :last].sum(axis=1)
        onward = parts[:, :last, last] / out[:, last, None]
        leaving[:, :last] += onward * leaving[:, last, None]
        parts[:, :last, :last] += onward[:, :, None] * parts[:, None, last, :last]
        share = parts[:, last, :last] / out[:, last, None]
        entering[:, :, :last] += entering[:, :, last, None] * share[:, None]
    visits = np.zeros((count, size, size))
    for place in range(size):
        before = (visits[:, :, :place] * parts[:, None, :place, place]).sum(axis=2)
        visits[:, :, place] = (entering[:, :, place] + before) / out[:, place, None]
    return visits
