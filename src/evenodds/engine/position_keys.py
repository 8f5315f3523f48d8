"""Packing of positions into 64-bit integer keys, and of states into rows of integers.

The width of each field is estimated from sampled matches and widened when a position does not fit.
The functions that pack and unpack are generated for the shape of a game's states, without loops
over fields of different types, so that Numba can compile them.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import FIRST, SECOND, Outcome

KEY_BITS: Final = 62
"""Two bits spare: keys stay positive, and hashing in `key_tables.slot_of` does not overflow."""
SAMPLED_MATCHES: Final = 60
MISFIT: Final = -1
"""The key of a position that does not fit the layout."""


class Layout(NamedTuple):
    """For each field of a state: its smallest value, and how many bits it takes."""

    lows: tuple[int, ...]
    widths: tuple[int, ...]

    def widened(self, fields: tuple[int, ...]) -> "Layout":
        """A layout that a position with these fields fits, too."""
        highs = [low + (1 << width) - 1 for low, width in zip(self.lows, self.widths, strict=True)]
        return layout_spanning(tuple(map(min, self.lows, fields)), tuple(map(max, highs, fields)))

    @property
    def bits(self) -> int:
        """The bits of a whole key."""
        return sum(self.widths)


class Packing(NamedTuple):
    """Functions between states and keys, which can be compiled."""

    pack: Callable[[Any, Layout], int]
    unpack: Callable[[int, Any, Layout], Any]


def layout_spanning(lows: tuple[int, ...], highs: tuple[int, ...]) -> Layout:
    """The narrowest layout for fields between these limits."""
    lows = tuple(min(0, low) for low in lows)
    spans = [high - low for low, high in zip(lows, highs, strict=True)]
    return Layout(lows, tuple(max(1, span.bit_length()) for span in spans))


def fields_of(state: Any) -> tuple[int, ...]:
    """The numbers of a state in order, its rulings left out."""
    return tuple(map(int, flatten(state[1:])))


def sample_layout(game: AnyGame, rulings: Any) -> Layout:
    """A layout that holds every open position of some random matches."""
    return _sample_layout(game._replace(mirror=None), rulings)  # the same with a mirror


@lru_cache(16)
def _sample_layout(game: AnyGame, rulings: Any) -> Layout:
    chance, start = Random(0), game.start(rulings)
    read = fields_reader(start)
    found = [read(start)]
    for _ in range(SAMPLED_MATCHES):
        state = start
        for _ in range(1000):
            first, second = game.picks(state, FIRST), game.picks(state, SECOND)
            state = game.step(state, (chance.choice(first), chance.choice(second)))
            if game.outcome(state) != Outcome.ONGOING:
                break
            found.append(read(state))
    return layout_of(found)


def layout_of(fields: Sequence[tuple[int, ...]]) -> Layout:
    """The narrowest layout for some positions."""
    columns = list(zip(*fields, strict=True))
    return layout_spanning(tuple(map(min, columns)), tuple(map(max, columns)))


def fields_reader(state: Any) -> Callable[[Any], tuple[int, ...]]:
    """`fields_of` for many states of this shape."""
    paths = ", ".join(f"int({path})" for path in _paths("state", state))
    read: Callable[[Any], tuple[int, ...]] = eval(f"lambda state: ({paths},)")
    return read


def packing(state: Any) -> Packing:
    """Functions that pack and unpack states of this shape."""
    paths = list(_paths("state", state))
    names = [f"f{place}" for place in range(len(paths))]
    pack = ["def pack(state, layout):", "    key = 0"]
    for place, path in enumerate(paths):
        pack += [
            f"    field = int({path}) - layout.lows[{place}]",
            f"    if field < 0 or field >> layout.widths[{place}] != 0:",
            f"        return {MISFIT}",
            f"    key = key << layout.widths[{place}] | field",
        ]
    pack.append("    return key")
    unpack = ["def unpack(key, rulings, layout):"]
    for place in reversed(range(len(paths))):
        width = f"layout.widths[{place}]"
        unpack += [
            f"    {names[place]} = (key & ((1 << {width}) - 1)) + layout.lows[{place}]",
            f"    key = key >> {width}",
        ]
    unpack.append(f"    return {_constructor_expression(state, iter(names))}")
    namespace: dict[str, Any] = {"State": type(state), "__name__": type(state).__module__}
    exec("\n".join([*pack, *unpack]), namespace)
    return Packing(namespace["pack"], namespace["unpack"])


class Flattening(NamedTuple):
    """Functions between states and rows of integers, which can be compiled."""

    write: Callable[[Any, Any], None]
    read: Callable[[Any, Any], Any]


def flattening(state: Any) -> Flattening:
    """Functions that write states of this shape into rows and read them back."""
    paths = _paths("state", state)
    places = [f"row[{place}]" for place in range(len(paths))]
    write = ["def write(state, row):"]
    write += [f"    {place} = int({path})" for place, path in zip(places, paths, strict=True)]
    read = [
        "def read(row, rulings):",
        f"    return {_constructor_expression(state, (f'int({place})' for place in places))}",
    ]
    namespace: dict[str, Any] = {"State": type(state), "__name__": type(state).__module__}
    exec("\n".join([*write, *read]), namespace)
    return Flattening(namespace["write"], namespace["read"])


def flatten(value: Any) -> list[Any]:
    """The leaves of nested tuples."""
    if isinstance(value, tuple):
        return [found for part in value for found in flatten(part)]
    return [value]


def _paths(path: str, value: Any) -> list[str]:
    """The source expression of each number of a state, rulings left out."""
    if not isinstance(value, tuple):
        return [path]
    names = getattr(value, "_fields", None)
    steps = [f".{name}" for name in names] if names else [f"[{i}]" for i in range(len(value))]
    parts = list(zip(steps, value, strict=True))[1 if names else 0 :]
    return [found for step, part in parts for found in _paths(path + step, part)]


def _constructor_expression(state: Any, names: Any) -> str:
    """The source expression that builds a state from its numbers."""

    def built(value: Any) -> str:
        if isinstance(value, tuple):
            return f"({', '.join(built(part) for part in value)},)"
        return f"{next(names)} != 0" if isinstance(value, bool) else next(names)

    return f"State(rulings, {', '.join(built(part) for part in state[1:])})"
