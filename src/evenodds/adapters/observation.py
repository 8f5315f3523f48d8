"""Encoding of a seat's view as a vector, and of its legal picks as an action mask.

Picks are numbers as they stand in the rule book: action n picks the number n, and action 0 is PASS,
open only to a seat that has nothing to decide.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_type_hints

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Hands, Moves, Pair, Seat, numbers

MAX_ABS_COUNT: Final = 2**15
"""Bound on the absolute value of counts such as points and health."""


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
    pairs as mine and theirs; anything else as it is. Where the rules favour neither seat, the
    second seat sees the mirror image, as if it were the first, and the seat is always 0; in other
    games pairs and sets of both seats stand as first's and second's.
    """

    def __init__(self, game: AnyGame, rulings: Any) -> None:
        self.game = game
        self.start = game.start(rulings)
        self.highest = highest_number(game, rulings)
        kinds = get_type_hints(self.start.__class__, include_extras=True)
        self._kinds = [kinds[field] for field in self.start._fields[1:]]
        owners = ("mine", "theirs") if game.mirror else ("first's", "second's")
        self.fields = (
            ObservationField("seat", 1, 0, 1, "0 for the first seat, 1 for the second"),
            *(
                field
                for name, kind in zip(self.start._fields[1:], self._kinds, strict=True)
                for field in self._fields_of(name, kind, owners)
            ),
        )
        self.size = sum(field.size for field in self.fields)
        self._numbers = range(1, self.highest + 1)
        self.sets = tuple(is_set for kind in self._kinds for is_set in _set_flags(kind))
        """For each number of a position, pairs taken apart: whether it is a set of numbers."""

    def row(self, state: Any, seat: Seat) -> list[int]:
        """The observation vector of a position for a seat."""
        row = [seat]
        if self.game.mirror is not None:
            row = [FIRST]
            state = state if seat == FIRST else self.game.mirror(state)
        values: list[int] = []
        for field in state[1:]:
            values += field if isinstance(field, tuple) else (field,)
        for value, is_set in zip(values, self.sets, strict=True):
            if is_set:
                row += [value >> number & 1 for number in self._numbers]
            else:
                row.append(int(value))
        return row

    def mask(self, state: Any, seat: Seat) -> list[int]:
        """1 for every action that a seat may take while the match is open."""
        legal = self.game.legal(state, seat)
        return [legal >> number & 1 for number in range(self.highest + 1)]

    def pass_mask(self) -> list[int]:
        """The mask of a seat that is asked for nothing: PASS alone."""
        return [int(number == PASS) for number in range(self.highest + 1)]

    def table(self) -> str:
        """The layout of a row as a Markdown table."""
        lines = ["| places | shows | |", "|---|---|---|"]
        place = 0
        for field in self.fields:
            last = place + field.size - 1
            places = f"{place}" if field.size == 1 else f"{place} to {last}"
            lines.append(f"| {places} | `{field.name}` | {field.meaning} |")
            place = last + 1
        return "\n".join(lines)

    def about(self) -> str:
        """What the fields of a position are, as the rule book says it."""
        return " ".join((type(self.start).__doc__ or "").split())

    def _fields_of(self, field: str, kind: Any, owners: tuple[str, str]) -> list[ObservationField]:
        there = f"1 for each of the numbers 1 to {self.highest} that is there"
        if kind == Moves:
            return [ObservationField(field, self.highest, 0, 1, there)]
        if kind == Hands:
            return [
                ObservationField(f"{field}, {owner}", self.highest, 0, 1, there)
                for owner in (owners[FIRST], owners[SECOND])
            ]
        if kind == Pair:
            return [
                ObservationField(f"{field}, {owner}", 1, -MAX_ABS_COUNT, MAX_ABS_COUNT, "a count")
                for owner in owners
            ]
        if kind is bool:
            return [ObservationField(field, 1, 0, 1, "1 if it is so")]
        return [
            ObservationField(
                field, 1, -MAX_ABS_COUNT, MAX_ABS_COUNT, "as it stands in the position"
            )
        ]


def _set_flags(kind: Any) -> tuple[bool, ...]:
    """Whether a field is a set of numbers; for a pair, one flag for each seat."""
    if kind in (Hands, Moves):
        return (True,) * (2 if kind == Hands else 1)
    return (False,) * (2 if kind == Pair else 1)


def highest_number(game: AnyGame, rulings: Any) -> int:
    """The highest number that any seat may pick in a match: the highest at the start."""
    start = game.start(rulings)
    return max(number for seat in SEATS for number in numbers(game.legal(start, seat)) or (PASS,))


@catalog.accept_keyword_rulings
def describe_observation(game: GameLike, rulings: Mapping[str, object] | None = None) -> str:
    """The layout of a game's observations, in Markdown: what a position holds, place by place."""
    encoder = ObservationEncoder(*catalog.settle(game, rulings or {}))
    return f"{encoder.about()}\n\n{encoder.table()}"
