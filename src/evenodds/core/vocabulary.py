"""The basic types and functions of all rules: seats, picks, sets of numbers, outcomes.

Light: each rule module imports this and little else, so that the same functions can be played by
CPython and compiled for solving.
"""

from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

from evenodds.core.rulings import field_types

Seat = Annotated[int, "seat"]
"""FIRST or SECOND. A match maps its players to seats; rules know seats only."""

Pair = tuple[int, int]
"""One whole number for each seat, first's before second's."""

Moves = Annotated[int, "numbers"]
"""A set of numbers as bits: bit n stands for the number n."""

Hands = tuple[Moves, Moves]
"""One set of numbers for each seat, first's before second's."""

Lead = Annotated[int, "lead"]
"""A whole number that is above 0 for the first seat and below 0 for the second."""

if TYPE_CHECKING:

    class Settled(tuple[Any, ...]):
        """Settled rulings of a game: a field for each, which no type tells."""

        def _asdict(self) -> dict[str, Any]: ...
        def __getattr__(self, name: str) -> Any: ...
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    class State(Settled):
        """A position as functions return it, with the fields of its game."""

        rulings: Any
else:
    State = Settled = tuple

FIRST: Final = 0
SECOND: Final = 1
SEATS: Final = (FIRST, SECOND)
SeatName = Literal["first", "second"]
SEAT_NAMES: dict[Seat | None, SeatName | None] = {FIRST: "first", SECOND: "second", None: None}
"""What programs call the seats, and no seat."""

PASS: Final = 0
"""The pick of a seat that has nothing to decide this round."""

NOTHING: Final = 1
"""The moves of a seat that has nothing to decide: bit 0, which is PASS, alone."""


class Outcome(IntEnum):
    """The outcome of a position, in points for the first seat."""

    SECOND_WINS = -1
    DRAW = 0
    FIRST_WINS = 1
    ONGOING = 2


Rule = TypeVar("Rule", bound=Callable[..., Any])

RULES: Final[dict[str, list[Callable[..., Any]]]] = {}
"""Every function marked as a rule, by its module."""


def rule(function: Rule) -> Rule:
    """Mark a function as part of a rule book, so that a compiler finds it.

    A rule may call other rules, index pairs by seat and build named tuples; it may not call
    unmarked functions, use dataclasses, `_replace` or `int.bit_count`.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"a rule is a function made by def, not {type(function).__name__}")
    RULES.setdefault(function.__module__, []).append(function)
    return function


@rule
def hand(size: int) -> Moves:
    """The numbers from 1 to `size`."""
    return (1 << (size + 1)) - 2


@rule
def other(seat: Seat) -> Seat:
    """The opposite seat."""
    return 1 - seat


@rule
def without(moves: Moves, number: int) -> Moves:
    """A set of numbers after one of them is spent."""
    return moves & ~(1 << number)


@rule
def decided(lead: int) -> Outcome:
    """The outcome of a lead for the first seat: a draw when it is zero."""
    if lead > 0:
        return Outcome.FIRST_WINS
    return Outcome.SECOND_WINS if lead < 0 else Outcome.DRAW


def exchange(state: type[tuple[Any, ...]]) -> Any:
    """The mirror of a game: a rule that exchanges the pairs and hands of a state, and its leads.

    It is generated for the fields of the state, so that it can be compiled.
    """
    fields = []
    for name, kind in field_types(state).items():
        field = f"state.{name}"
        if kind in (Pair, Hands):
            field = f"({field}[1], {field}[0])"
        fields.append(f"-{field}" if kind == Lead else field)
    given: dict[str, Any] = {"State": state, "__name__": state.__module__}
    exec(f"def mirror(state):\n    return State({', '.join(fields)})", given)
    return rule(given["mirror"])


@lru_cache(4096)
def numbers(moves: Moves) -> tuple[int, ...]:
    """A set of numbers spelled out in ascending order; PASS is not a number."""
    return tuple(number for number in range(1, moves.bit_length()) if moves >> number & 1)


def alone(seat: Seat, number: int) -> Pair:
    """The picks of a turn: a number for one seat, and PASS for the other."""
    return (number, PASS) if seat == FIRST else (PASS, number)
