"""Encoding of a seat's view as a vector, and of its legal picks as an action mask.

Picks are numbers as they stand in the rule book: action n picks the number n, and action 0 is PASS,
open only to a seat that has nothing to decide.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple, get_args, get_origin

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.rulings import field_types
from evenodds.core.vocabulary import (
    FIRST,
    SEATS,
    SECOND,
    Hands,
    Moves,
    Outcome,
    Pair,
    Seat,
    Settled,
    State,
)

MAX_ABS_COUNT: Final = 2**15
"""Bound on the absolute value of counts where there are too many positions to list them."""
MAX_LISTED_STEPS: Final = 20_000
"""Pairs of picks that are followed at most to find bounds, and the highest number of a game."""
PAIRS: Final = (Hands, Pair)
"""The types of fields with one value for each seat."""


class ObservationField(NamedTuple):
    """A slice of the observation vector: its name, length, value range and meaning."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


class ObservationEncoder:
    """The encoding of the positions of a game under some rulings, as a seat sees them.

    A row begins with the seat: 0 for first, 1 for second. Then come the fields of the position in
    the order of the rule book: sets of numbers as one place for each number, 1 where it is there;
    pairs as mine and theirs, other tuples part by part; anything else as it is. Where the rules
    favour neither seat, the second seat sees the mirror image, as if it were the first, and the
    seat is always 0; in other games pairs and sets of both seats stand as first's and second's.
    """

    def __init__(self, game: AnyGame, rulings: Settled) -> None:
        self.game = game
        self.start = game.start(rulings)
        states, are_all = _reached(game, rulings)
        asked = [self.start] if catalog.is_built_in(game) else states
        still = [state for state in asked if game.outcome(state) == Outcome.ONGOING]
        self.highest = max(
            number for one in still for seat in SEATS for number in game.picks(one, seat)
        )
        """The highest number that may be picked or drawn in a match: in games of ours the highest
        at the start, in others the highest in the first positions."""
        _, *kinds = field_types(self.start.__class__).values()
        owners = ("mine", "theirs") if game.mirror else ("first's", "second's")
        fields = (
            ObservationField("seat", 1, 0, 1, "0 for the first seat, 1 for the second"),
            *(
                field
                for name, kind in zip(self.start._fields[1:], kinds, strict=True)
                for field in self._fields_of(name, kind, owners)
            ),
        )
        self.fields = fields
        if are_all:
            seen = states + [game.mirror(state) for state in states if game.mirror]
            columns = zip(*([1, *_values(state)] for state in seen), strict=True)
            self.fields = tuple(
                field._replace(low=min(0, *column), high=max(1, *column))
                if field.size == 1
                else field
                for field, column in zip(fields, columns, strict=True)
            )
        self.size = sum(field.size for field in self.fields)
        self._numbers = range(1, self.highest + 1)
        self.sets = tuple(part == Moves for kind in kinds for part in _parts(kind))
        """For each number of a position, tuples taken apart: whether it is a set of numbers."""

    def row(self, state: State, seat: Seat) -> list[int]:
        """The observation vector of a position for a seat."""
        row = [seat]
        if self.game.mirror is not None:
            row = [FIRST]
            state = state if seat == FIRST else self.game.mirror(state)
        for value, is_set in zip(_values(state), self.sets, strict=True):
            if is_set:
                row += [value >> number & 1 for number in self._numbers]
            else:
                row.append(int(value))
        return row

    def mask(self, state: State, seat: Seat) -> list[int]:
        """1 for every action that a seat may take while the match is open."""
        legal = self.game.legal(state, seat)
        return [legal >> number & 1 for number in range(self.highest + 1)]

    def _fields_of(self, name: str, kind: Any, owners: tuple[str, str]) -> list[ObservationField]:
        parts = _parts(kind)
        labels = owners if kind in PAIRS else tuple(map(str, range(1, len(parts) + 1)))
        names = [name] if parts == (kind,) else [f"{name}, {label}" for label in labels]
        found = []
        for each, part in zip(names, parts, strict=True):
            if part == Moves:
                there = f"1 for each of the numbers 1 to {self.highest} that is there"
                shape = (self.highest, 0, 1, there)
            elif part is bool:
                shape = (1, 0, 1, "1 if it is so")
            else:
                meaning = "a count" if kind in PAIRS else "as it stands in the position"
                shape = (1, -MAX_ABS_COUNT, MAX_ABS_COUNT, meaning)
            found.append(ObservationField(each, *shape))
        return found


@lru_cache(32)
def _reached(game: AnyGame, rulings: Settled) -> tuple[list[State], bool]:
    """The positions that play comes to, its ends included, and whether these are all."""
    found: dict[State, None] = {game.start(rulings): None}
    waiting, steps = [*found], 0
    while waiting and steps < MAX_LISTED_STEPS:
        state = waiting.pop(0)
        if game.outcome(state) == Outcome.ONGOING:
            picks = [*product(game.picks(state, FIRST), game.picks(state, SECOND))]
            after = dict.fromkeys(game.step(state, pair) for pair in picks)
            waiting += [each for each in after if each not in found]
            found |= after
            steps += len(picks)
    return [*found], not waiting


def _values(state: State) -> list[int]:
    """The numbers of a position in order, tuples taken apart, without the rulings."""
    values: list[int] = []
    for field in state[1:]:
        values += field if isinstance(field, tuple) else (field,)
    return values


def _parts(kind: Any) -> tuple[Any, ...]:
    """The types of what a field holds: of a tuple its parts, else its own."""
    return get_args(kind) if get_origin(kind) is tuple else (kind,)


def describe_observation(game: GameLike, rulings: Mapping[str, object] | None = None) -> str:
    """The layout of a game's observations, in Markdown: what a position holds, place by place."""
    encoder = ObservationEncoder(*catalog.settle(game, rulings or {}))
    about = " ".join((type(encoder.start).__doc__ or "").split())
    lines, place = [about, "", "| places | shows | |", "|---|---|---|"], 0
    for name, size, _, _, meaning in encoder.fields:
        places = f"{place}" if size == 1 else f"{place} to {place + size - 1}"
        lines.append(f"| {places} | `{name}` | {meaning} |")
        place += size
    return "\n".join(lines)
