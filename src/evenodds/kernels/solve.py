"""Solver kernels: position listing, hash tables, backward induction.

They are written against names that a game fills in: `legal`, `step`, `outcome`, `mirror`, `pack`
and `unpack`. `compile.py` puts those in their place.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.core.vocabulary import NOTHING, PASS, Outcome, rule
from evenodds.matrix.simplex import solve_matrix

EMPTY = -1
"""A place in a table that holds no key."""
UNSOLVED = 9.0
"""A value that no position has."""
ONGOING = int(Outcome.ONGOING)


@rule
def slot_of(key: int, mask: int) -> int:
    """Where the search for a key begins in a table: the key's bits well mixed.

    Both halves of the key are multiplied within 63 bits: a compiler may do as it likes with what
    overflows, and then the same key would be looked for in two places.
    """
    mixed = (key & 0x7FFFFFFF) * 0x5BD1E995 + (key >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 21) ^ (mixed >> 37)) & mask


@rule
def insert(table: Any, key: int) -> int:
    """Put a key into a set; 1 when it is new there."""
    mask = table.size - 1
    place = slot_of(key, mask)
    while table[place] != EMPTY:
        if table[place] == key:
            return 0
        place = (place + 1) & mask
    table[place] = key
    return 1


@rule
def find(keys: Any, key: int) -> int:
    """The place of a key in a table that holds it; a search for any other would never end."""
    mask = keys.size - 1
    place = slot_of(key, mask)
    while keys[place] != key:
        if keys[place] == EMPTY:
            raise LookupError("no position has this key")
        place = (place + 1) & mask
    return place


@rule
def whole_key(state: Any, layout: Any) -> tuple[int, int]:
    """The key under which a position is kept, and the sign of its value there: always itself."""
    return pack(state, layout), 1


@rule
def half_key(state: Any, layout: Any) -> tuple[int, int]:
    """The key of a position or of its mirror image, whichever is smaller, and the sign there.

    Zero stands for a position that is its own mirror image: neither seat is better off.
    """
    key = pack(state, layout)
    image = pack(mirror(state), layout)
    if key == image:
        return key, 0
    return (key, 1) if key < image else (image, -1)


@rule
def expand(
    rulings: Any, layout: Any, layer: Any, begin: int, end: int, table: Any, most: int
) -> tuple[int, int, bool]:
    """Put the open children of a layer's positions into a set, as long as it has room.

    The answer is where to go on, how many are new, and whether a child did not fit the layout.
    """
    found = 0
    for place in range(begin, end):
        if found > most:
            return place, found, False
        state = unpack(layer[place], rulings, layout)
        first = legal(state, 0)
        i = 0
        while first >> i:
            if first >> i & 1:
                second = legal(state, 1)
                j = 0
                while second >> j:
                    if second >> j & 1:
                        child = step(state, (i, j))
                        if outcome(child) == ONGOING:
                            key, _ = locate(child, layout)
                            if key < 0:
                                return place, found, True
                            found += insert(table, key)
                    j += 1
            i += 1
    return end, found, False


@rule
def fill_payoff(state: Any, layout: Any, keys: Any, values: Any, payoff: Any) -> tuple[int, int]:
    """What each pair of picks is worth to the first seat, and how many picks each seat has."""
    first = legal(state, 0)
    second = legal(state, 1)
    height, width = 0, 0
    i = 0
    while first >> i:
        if first >> i & 1:
            width = 0
            j = 0
            while second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    worth = 1.0 * (outcome(child) + 0)
                    if worth == ONGOING:
                        key, sign = locate(child, layout)
                        worth = sign * values[find(keys, key)] if sign != 0 else 0.0
                    payoff[height, width] = worth
                    width += 1
                j += 1
            height += 1
        i += 1
    return height, width


@rule
def solve_layer(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    keys: Any,
    values: Any,
    worths: Any,
    room: Any,
) -> tuple[float, int]:
    """Solve the positions of a layer whose children are solved, and leave their values in `worths`.

    The answer is the widest gap, and the positions, mirror images counted. The table is only read:
    cores that wrote into it while others read would wait for each other.
    """
    widest, positions = 0.0, 0
    for place in range(begin, end):
        known = values[find(keys, layer[place])]
        if known != UNSOLVED:
            worths[place] = known
            continue
        state = unpack(layer[place], rulings, layout)
        _, sign = locate(state, layout)
        height, width = fill_payoff(state, layout, keys, values, room.payoff)
        value, gap, _ = solve_matrix(room, height, width)
        worths[place] = value if sign != 0 else 0.0
        widest = max(widest, gap)
        positions += 1 if sign == 0 or not HALVED else 2
    return widest, positions


@rule
def store(keys: Any, values: Any, layer: Any, worths: Any) -> None:
    """Put the values of a layer into the table."""
    for place in range(layer.size):
        values[find(keys, layer[place])] = worths[place]


@rule
def collect(keys: Any, values: Any, listed: Any, found: Any) -> None:
    """Read the values of some positions from the table, in their order."""
    for place in range(listed.size):
        found[place] = values[find(keys, listed[place])]


@rule
def admit(table: Any, found: Any, fresh: Any) -> int:
    """Put keys into a set; those that are new there are listed in `fresh`, and counted.

    Empty places are passed over, so that what is found may be another set; `fresh` may be the same
    array, for what is listed never overtakes what is read.
    """
    count = 0
    for key in found:
        if key != EMPTY and insert(table, key):
            fresh[count] = key
            count += 1
    return count


@rule
def judge(state: Any, layout: Any, keys: Any, codes: Any, now: int) -> int:
    """What is known of a turn after looking `now` picks ahead: a code, 0 while nothing is.

    A code is the number of picks to the end, positive where the first seat wins. The mover wins by
    the first child that is won soonest, and loses when every child is lost.
    """
    mover = 0 if legal(state, 0) != NOTHING else 1
    side = 1 - 2 * mover
    moves = legal(state, mover)
    lost = True
    number = 0
    while moves >> number:
        if moves >> number & 1:
            child = step(state, (number, PASS) if mover == 0 else (PASS, number))
            code = outcome(child) + 0
            far = 0
            if code == ONGOING:
                key, sign = locate(child, layout)
                code = sign * codes[find(keys, key)]
                far = abs(code)
            if far < now and code * side > 0:
                return side * now
            if far >= now or code * side == 0:
                lost = False
        number += 1
    return -side * now if lost else 0


@rule
def sweep(
    rulings: Any, layout: Any, listed: Any, begin: int, end: int, keys: Any, codes: Any, now: int
) -> int:
    """Settle every turn that is won or lost in `now` picks; how many there are."""
    settled = 0
    for place in range(begin, end):
        slot = find(keys, listed[place])
        if codes[slot] == 0:
            state = unpack(listed[place], rulings, layout)
            code = judge(state, layout, keys, codes, now)
            if code != 0:
                codes[slot] = code
                settled += 1
    return settled
