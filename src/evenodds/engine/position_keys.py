"""Packing of positions into 64-bit integer keys, and of states into rows of integers.

The width of each field is estimated from sampled matches and widened when a position does not fit.
The functions that pack and unpack are generated for the shape of a game's states, without loops
over fields of different types, so that Numba can compile them.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, describe_position
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, State

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
        return layout_of([self.lows, tuple(highs), fields])

    @property
    def bits(self) -> int:
        """The bits of a whole key."""
        return sum(self.widths)


def fields_of(state: Any) -> tuple[int, ...]:
    """The numbers of a state in order, its rulings left out."""
    return tuple(map(int, flatten(state[1:])))


def check_width(game: AnyGame, layout: Layout, state: State) -> None:
    """`BadGame` where positions do not fit into a key; names one of the widest."""
    if layout.bits > KEY_BITS:
        raise BadGame(
            f"a position of {game.name} does not fit into {KEY_BITS} bits: "
            f"{describe_position(state)}"
        )


def sample_layout(game: AnyGame, rulings: Any) -> Layout:
    """A layout that holds every open position of some random matches."""
    return _sample_layout(
        game._replace(mirror=None, canonical=None), rulings
    )  # the same with a mirror


@lru_cache(16)
def _sample_layout(game: AnyGame, rulings: Any) -> Layout:
    chance, start = Random(0), game.start(rulings)
    read = packing(start).fields
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
    lows = tuple(min(0, min(column)) for column in columns)
    spans = [max(column) - low for column, low in zip(columns, lows, strict=True)]
    return Layout(lows, tuple(max(1, span.bit_length()) for span in spans))


class Packing(NamedTuple):
    """Functions between states and keys, or rows of integers, which can be compiled."""

    pack: Callable[[Any, Layout], int]
    unpack: Callable[[int, Any, Layout], Any]
    write: Callable[[Any, Any], None]
    read: Callable[[Any, Any], Any]
    fields: Callable[[Any], tuple[int, ...]]
    """`fields_of` for many states of this shape."""


def packing(state: Any) -> Packing:
    """The functions for states of this shape."""
    parts = list(zip(state._fields, state, strict=True))[1:]
    fields = [f"int({path})" for name, part in parts for path in _paths(f"state.{name}", part)]
    names = [f"f{place}" for place in range(len(fields))]
    rest = iter(names)
    again = f"return State(rulings, {', '.join(_expression(part, rest) for _, part in parts)})"
    pack, unpack = ["key = 0"], [again]
    for place, (name, field) in enumerate(zip(names, fields, strict=True)):
        low, width = f"layout.lows[{place}]", f"layout.widths[{place}]"
        pack += [
            f"field = {field} - {low}",
            f"if field < 0 or field >> {width} != 0: return {MISFIT}",
            f"key = key << {width} | field",
        ]
        unpack[:0] = [f"{name} = int(key & ((1 << {width}) - 1)) + {low}", f"key = key >> {width}"]
    bodies = {
        "pack(state, layout)": [*pack, "return key"],
        "unpack(key, rulings, layout)": unpack,
        "write(state, row)": [f"row[{place}] = {field}" for place, field in enumerate(fields)],
        "read(row, rulings)": [
            *(f"{name} = int(row[{place}])" for place, name in enumerate(names)),
            again,
        ],
        "fields(state)": [f"return ({', '.join(fields)},)"],
    }
    found: dict[str, Any] = {"State": type(state), "__name__": type(state).__module__}
    for head, lines in bodies.items():
        exec("\n    ".join([f"def {head}:", *lines]), found)
    return Packing(*map(found.__getitem__, Packing._fields))


def flatten(value: Any) -> list[Any]:
    """The leaves of nested tuples."""
    if isinstance(value, tuple):
        return [found for part in value for found in flatten(part)]
    return [value]


def _paths(path: str, value: Any) -> list[str]:
    """The source expression of each number in a part of a state."""
    if not isinstance(value, tuple):
        return [path]
    return [found for i, part in enumerate(value) for found in _paths(f"{path}[{i}]", part)]


def _expression(value: Any, names: Iterator[str]) -> str:
    """The source expression of a part of a state, from the names of its numbers."""
    if isinstance(value, tuple):
        return f"({', '.join(_expression(part, names) for part in value)},)"
    return f"{next(names)} != 0" if isinstance(value, bool) else next(names)
