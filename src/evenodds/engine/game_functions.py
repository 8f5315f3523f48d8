"""The names of a game that kernels use; each game has copies in which they are its own functions.

Here they only say what kernels may call, and with what. Marks tell kernels, which Python calls,
from the rules that only kernels and other rules call.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn

from evenodds.core.vocabulary import Moves, Outcome, Pair, Rule, Seat, rule
from evenodds.engine.position_keys import Layout

ONGOING: Final = int(Outcome.ONGOING)
KERNELS: Final[set[Callable[..., Any]]] = set()
MIRRORED: bool = False
"""Whether one of two mirror images stands for both."""
REPETITION: int = 0
"""The number of occurrences of a position that draws a match; 0: none does."""


def kernel(function: Rule) -> Rule:
    """Mark a rule that Python calls: it needs a wrapper, and is cached on disk."""
    KERNELS.add(function)
    return rule(function)


def _replaced() -> NoReturn:
    raise NotImplementedError("a name that is replaced when kernels are bound to a game")


def start(rulings: Any) -> Any:
    """The first position."""
    _replaced()


def legal(state: Any, seat: Seat) -> Moves:
    """The picks of a seat."""
    _replaced()


def step(state: Any, picks: Pair) -> Any:
    """The position after the picks of both seats."""
    _replaced()


def outcome(state: Any) -> int:
    """Who has won, or that the match is open."""
    _replaced()


def ending(state: Any) -> int:
    """Why the match is over."""
    _replaced()


def mirror(state: Any) -> Any:
    """The position with the seats exchanged, in a symmetric game."""
    _replaced()


def pack(state: Any, layout: Layout) -> int:
    """The key of a position."""
    _replaced()


def unpack(key: int, rulings: Any, layout: Layout) -> Any:
    """The position of a key."""
    _replaced()


@rule
def unmirrored(state: Any) -> Any:
    """In place of `mirror` in games without symmetry."""
    return state


@rule
def locate(state: Any, layout: Layout) -> tuple[int, int]:
    """The key under which a position is stored, and the sign of its value there.

    Of two mirror images the one with the smaller key is stored. The sign is 0 for a position that
    is its own image: its value is 0 by symmetry.
    """
    key = pack(state, layout)
    if not MIRRORED:
        return key, 1
    image = pack(mirror(state), layout)
    if key == image:
        return key, 0
    return (key, 1) if key < image else (image, -1)


def write(state: Any, row: Any) -> None:
    """Write a position into a row of integers."""
    _replaced()


def read(row: Any, rulings: Any) -> Any:
    """The position in a row of integers."""
    _replaced()


def pick_function(state: Any, seat: Seat, moves: Moves, random: int) -> int:
    """The pick of somebody's function."""
    _replaced()


def pick_of_seat(state: Any, seat: Seat, moves: Moves, random: int, mixes: Any) -> int:
    """The pick of a function or a table."""
    _replaced()


first_pick = second_pick = opponent_pick = pick_of_seat
