"""CUDA kernels that list the positions of a game and fill hash tables."""

from typing import Any, NamedTuple

from evenodds.engine.gpu.binding import DeviceRules
from evenodds.engine.gpu.cuda import cuda, device_function, kernel
from evenodds.engine.key_tables import EMPTY_SLOT
from evenodds.engine.layer_kernels import ONGOING


class ListingKernels(NamedTuple):
    """Kernels over the keys of a game's positions."""

    expand_layer: Any
    insert_all: Any
    find_unmirrored: Any
    find_widest: Any
    count_own_images: Any


def listing_kernels(rules: DeviceRules, mirrored: bool) -> ListingKernels:
    """The kernels that list positions and fill hash tables."""
    legal, step, outcome = rules.legal, rules.step, rules.outcome
    unpack, locate, slot_of = rules.unpack, rules.locate, rules.slot_of
    unmirrored: Any = rules.find_unmirrored if mirrored else None

    @device_function
    def insert(table: Any, key: int) -> int:
        """Insert a key into a set: 1 when it is new, 0 when it is not, -1 when the set is full."""
        mask = table.size - 1
        place = slot_of(key, mask)
        for _ in range(table.size):
            held = table[place]
            if held == EMPTY_SLOT:
                held = cuda.atomic.cas(table, place, EMPTY_SLOT, key)
                if held == EMPTY_SLOT:
                    return 1
            if held == key:
                return 0
            place = (place + 1) & mask
        return -1

    @device_function
    def note(table: Any, key: int, found: Any, counts: Any) -> bool:
        """Insert a key, and list it in `found` when it is new; False when there is no room."""
        new = insert(table, key)
        if new <= 0:
            return bool(new == 0)
        place = cuda.atomic.add(counts, 0, 1)
        if place >= found.size:
            return False
        found[place] = key
        return True

    @kernel
    def expand_layer(
        rulings: Any, layout: Any, layer: Any, table: Any, found: Any, counts: Any
    ) -> None:
        """Insert the open children of a layer into a set, and list the new ones in `found`.

        `counts` holds how many are new, whether the set is full, and a position with a child that
        does not fit the layout.
        """
        work = cuda.grid(1)
        while work < layer.size and counts[1] == 0:
            state = unpack(layer[work], rulings, layout)
            first = legal(state, 0)
            second = legal(state, 1)
            i = 0
            while first >> i:
                j = 0
                while first >> i & 1 and second >> j:
                    if second >> j & 1:
                        child = step(state, (i, j))
                        if outcome(child) == ONGOING:
                            key, _ = locate(child, layout)
                            if key < 0:
                                counts[2] = layer[work]
                            elif not note(table, key, found, counts):
                                counts[1] = 1
                    j += 1
                i += 1
            work += cuda.gridsize(1)

    @kernel
    def insert_all(keys: Any, values: Any, layer: Any, worths: Any) -> None:
        """Fill an empty table with keys that differ and their values."""
        mask = keys.size - 1
        work = cuda.grid(1)
        while work < layer.size:
            place = slot_of(layer[work], mask)
            while cuda.atomic.cas(keys, place, EMPTY_SLOT, layer[work]) != EMPTY_SLOT:
                place = (place + 1) & mask
            values[place] = worths[work]
            work += cuda.gridsize(1)

    @kernel
    def find_unmirrored(rulings: Any, layout: Any, layer: Any, found: Any) -> None:
        """Write a position that violates the mirror symmetry into `found`, if there is one."""
        work = cuda.grid(1)
        while work < layer.size:
            if unmirrored(rulings, layout, layer, work, work + 1) == work:
                found[0] = layer[work]
            work += cuda.gridsize(1)

    @kernel
    def find_widest(rulings: Any, layout: Any, layer: Any, widest: Any) -> None:
        """The most picks of a seat at any position of a layer."""
        work = cuda.grid(1)
        most = 0
        while work < layer.size:
            state = unpack(layer[work], rulings, layout)
            for seat in range(2):
                picks = 0
                moves = legal(state, seat)
                while moves:
                    moves &= moves - 1
                    picks += 1
                most = max(most, picks)
            work += cuda.gridsize(1)
        cuda.atomic.max(widest, 0, most)

    @kernel
    def count_own_images(rulings: Any, layout: Any, listed: Any, count: Any) -> None:
        """Count the positions that are their own mirror images."""
        work = cuda.grid(1)
        own = 0
        while work < listed.size:
            _, sign = locate(unpack(listed[work], rulings, layout), layout)
            own += 1 if sign == 0 else 0
            work += cuda.gridsize(1)
        cuda.atomic.add(count, 0, own)

    return ListingKernels(expand_layer, insert_all, find_unmirrored, find_widest, count_own_images)
