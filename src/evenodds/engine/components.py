"""The order of play along the links of a graph, and its strongly connected components.

Play comes back to a position only within a component. A component leads only to those after it, so
figures are found in one pass over all of them, and within one by elimination.
"""

from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.rule_checks import TooLarge
from evenodds.engine.compile import shared_kernel
from evenodds.engine.game_functions import kernel
from evenodds.engine.link_kernels import (
    ACYCLIC,
    LARGE,
    Elimination,
    Links,
    fill_parents,
    list_backwards,
    settle,
)

LARGE_COMPONENT: Final = 128
"""More positions are many for a component: what is interpreted elsewhere is compiled for it."""
MAX_INTERPRETED_SUMS: Final = 1_000_000
MAX_SUMS: Final = 4_000_000_000
"""Sums up to which components are eliminated; in others play is followed first."""
MAX_CELLS: Final = 1 << 27
"""Cells of the largest component that is eliminated where following it does not do: 1 GB."""


def for_kernel(compiled: bool, *arrays: Any) -> Any:
    """Arrays for a kernel; lists where it is interpreted, which is faster over these."""
    return arrays if compiled else tuple(array.tolist() for array in arrays)


def sources_of(begins: Any) -> Any:
    """The position of each link."""
    return np.repeat(np.arange(begins.size - 1, dtype=np.int32), np.diff(begins))


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


def _narrow_ranks(sources: Any, targets: Any, count: int) -> Any:
    """Places in an order in which links reach little further than they must."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    links = csr_array((np.ones(sources.size, np.int8), (sources, targets)), shape=(count, count))
    order = reverse_cuthill_mckee((links + links.T).tocsr(), symmetric_mode=True)
    return np.argsort(order)


class Components:
    """The components of positions and the links between these, in the order of play."""

    def __init__(self, begins: Any, targets: Any, ends: int, compiled: bool) -> None:
        self.size, self.ends, self.compiled = begins.size - 1, ends, compiled
        self.sources = sources_of(begins)
        count = self.size + ends
        order, labels = list_ends_first(targets, self.sources, count, compiled), np.arange(count)
        if order.size < count:
            order, labels = self._strongly_connected(begins, targets)
        ranks = np.argsort(order[::-1])
        _, self.labels = np.unique(ranks[labels[: self.size]], return_inverse=True)
        """The component of each position."""
        self.sizes = np.bincount(self.labels)
        bounds = np.append(0, np.cumsum(self.sizes))
        inner = np.append(self.labels, np.full(ends, -1))[targets] == self.labels[self.sources]
        one, two = self.sources[inner], targets[inner]
        # Within a component by number, so by depth: what is pushed on in this order arrives sooner.
        # In large ones so that links reach little further than they must.
        order = np.argsort(self.labels, kind="stable")
        if self.sizes.max() > 2:
            order = np.lexsort((_narrow_ranks(one, two, self.size), self.labels))
        ranks, self.links = np.argsort(order), Links(begins, targets, inner, order, bounds)
        self.reaches = np.full(self.sizes.size, ACYCLIC)
        """How far links within each component reach in the order."""
        np.maximum.at(self.reaches, self.labels[one], np.abs(ranks[one] - ranks[two]))
        sums = np.where(self.reaches < 0, 0.0, self.sizes * self.reaches.astype(float) ** 2)
        self.followed = np.where(sums > MAX_SUMS, LARGE, self.reaches)
        """The same, and `LARGE` where play is followed first."""
        self.compiled |= self.has_large or sums.sum() > MAX_INTERPRETED_SUMS

    def _strongly_connected(self, begins: Any, targets: Any) -> tuple[Any, Any]:
        """The components of positions and ends, each after those it leads to; that of each."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        bounds = np.append(begins, np.full(self.ends, targets.size))  # ends lead nowhere
        cells = np.ones(targets.size, np.int8), targets, bounds
        links = csr_array(cells, shape=(bounds.size - 1, bounds.size - 1))
        found, labels = connected_components(links, directed=True, connection="strong")
        heads, tails = labels[self.sources], labels[targets]
        leaving = heads != tails
        return list_ends_first(tails[leaving], heads[leaving], found, self.compiled), labels

    def for_kernel(self, *arrays: Any) -> Any:
        """Arrays for a kernel over these links."""
        return for_kernel(self.compiled, *arrays)

    @cached_property
    def kernel_links(self) -> Links:
        """The links as kernels take them."""
        return Links(*self.for_kernel(*self.links))

    @property
    def cyclic(self) -> Any:
        """Whether play can come back to each position."""
        return (self.reaches != ACYCLIC)[self.labels]

    @property
    def has_cycles(self) -> bool:
        """Whether play can come back to a position."""
        return bool((self.reaches != ACYCLIC).any())

    @property
    def has_large(self) -> bool:
        """Whether play can come back to many positions from each other."""
        return bool(self.sizes.max() > LARGE_COMPONENT)

    @property
    def are_rings(self) -> bool:
        """Whether play comes back to a position in a single way: round one or two positions."""
        inner = np.flatnonzero(self.links.inner)
        sources, targets = self.sources[inner], self.links.targets[inner]
        sizes = self.sizes[self.labels[sources]]
        return bool(((sizes == 1) | (sizes == 2) & (targets != sources)).all())

    def within(self, component: int, shares: Any) -> tuple[Any, Any]:
        """The positions of a component, and the shares of links from each of them to each."""
        from scipy.sparse import csr_array

        begin, end = self.links.bounds[component : component + 2]
        cells, places = (shares, self.links.targets, self.links.begins), self.links.order[begin:end]
        links = csr_array(cells, shape=(self.size, self.size + self.ends))
        return places, links[places][:, places]

    def room(self, reaches: Any) -> Elimination:
        """Room to eliminate components whose links have such reaches in the order."""
        most, some = int(self.sizes.max()), np.flatnonzero(reaches >= 0)
        cells = int((self.sizes[some] * (2 * reaches[some] + 1)).max(initial=0))
        if cells > MAX_CELLS:
            loop = f"a loop of {most:,} positions, too many to sum them exactly"
            raise TooLarge(f"matches hardly ever leave {loop}")
        sizes = np.zeros(cells), np.zeros(most), np.zeros(most), np.zeros(self.size, np.int64)
        return Elimination(*self.for_kernel(*sizes))

    def unrolled(self, times: int) -> "Unrolled":
        """The same without cycles, for play that is drawn when it has come to a position `times`.

        Components must be rings of one or two positions. Then the position of entry is always the
        first to repeat, and each has a copy for each pick on the way round.
        """
        copies = np.where(self.cyclic, self.sizes[self.labels] * (times - 1), 1)
        first, size = np.cumsum(copies) - copies, int(copies.sum())
        length = int((copies * np.diff(self.links.begins)).sum())
        begins, order = np.zeros(size + 1, np.int64), np.zeros(size, np.int64)
        ends = np.zeros(length, np.int32), np.zeros(length, bool)
        links = Links(*self.for_kernel(begins, *ends, order, np.arange(size + 1)))
        places, originals = np.zeros(size, np.int64), np.zeros(length, np.int64)
        given = self.for_kernel(copies, first, places, originals)
        run = shared_kernel(unroll, self.compiled)
        run(self.kernel_links, *given[:2], self.ends, links, *given[2:])
        places, originals = map(np.asarray, given[2:])
        (goes_round,) = self.for_kernel(self.links.inner[originals])
        return Unrolled(links, goes_round, originals, places, first)


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


@kernel
def unroll(
    links: Links, copies: Any, first: Any, ends: int, new: Links, places: Any, originals: Any
) -> None:
    """Fill in the links of a graph without cycles, made of copies of each position.

    A link within a component leads to the next copy, and from the last one to one more end.
    """
    copy = link = 0
    for place in range(len(copies)):
        for turn in range(copies[place]):
            places[copy] = place
            for original in range(links.begins[place], links.begins[place + 1]):
                target = links.targets[original]
                if target >= len(copies):
                    target += len(places) - len(copies)
                elif not links.inner[original]:
                    target = first[target]
                elif turn + 1 < copies[place]:
                    target = first[target] + turn + 1
                else:
                    target = len(places) + ends
                new.targets[link] = target
                originals[link] = original
                link += 1
            copy += 1
            new.begins[copy] = link
    # Component by component, and in each turn by turn.
    copy = 0
    for component in range(len(links.bounds) - 1):
        begin, end = links.bounds[component], links.bounds[component + 1]
        for turn in range(copies[links.order[begin]]):
            for number in range(begin, end):
                new.order[copy] = first[links.order[number]] + turn
                copy += 1
