"""The names of a game that kernels use; each game has copies in which they are its own functions.

Here they only say what kernels may call, and with what. Marks tell kernels, which Python calls,
from the rules that only kernels and other rules call.
"""

from collections.abc import Callable
from math import nan
from typing import Any, Final, NoReturn

from evenodds.core.rule_checks import MAX_WEIGHT
from evenodds.core.vocabulary import NOTHING, Moves, Outcome, Pair, Rule, Seat, rule
from evenodds.engine.position_keys import Layout

ONGOING: Final = int(Outcome.ONGOING)
MAX_PICKS: Final = 63
"""The most picks of a seat: the bits of a set of moves."""
KERNELS: Final[set[Callable[..., Any]]] = set()
MIRRORED: bool = False
"""Whether one of two mirror images stands for both."""
HAS_CHANCE: bool = False
"""Whether numbers are drawn."""
HAS_REWARDS: bool = False
"""Whether a match is about points."""
REPETITION: int = 0
"""The number of occurrences of a position that draws a match; 0: none does."""


def kernel(function: Rule) -> Rule:
    """Mark a rule that Python calls: it needs a wrapper, and is cached on disk."""
    KERNELS.add(function)
    return rule(function)


def _unbound(*_: Any) -> NoReturn:
    raise NotImplementedError("a name that is replaced when kernels are bound to a game")


start: Callable[[Any], Any] = _unbound
"""The first position of some rulings."""
legal: Callable[[Any, Seat], Moves] = _unbound
"""The picks of a seat."""
step: Callable[[Any, Pair], Any] = _unbound
"""The position after the picks of both seats."""
outcome: Callable[[Any], int] = _unbound
"""Who has won, or that the match is open."""
ending: Callable[[Any], int] = _unbound
"""Why the match is over."""
mirror: Callable[[Any], Any] = _unbound
"""The position with the seats exchanged, in a symmetric game."""
chance: Callable[[Any], Moves] = _unbound
"""The numbers of which one is drawn; NOTHING where somebody picks."""
weight: Callable[[Any, int], int] = _unbound
"""How likely a number is drawn."""
reward: Callable[[Any, Pair], int] = _unbound
"""The points of a step for the first seat."""
canonical: Callable[[Any], Any] = _unbound
"""The position that stands for all that are alike but for the names of the numbers."""
pack: Callable[[Any, Layout], int] = _unbound
"""The key of a position."""
unpack: Callable[[int, Any, Layout], Any] = _unbound
"""The position of a key under some rulings."""
write: Callable[[Any, Any], None] = _unbound
"""Write a position into a row of integers."""
read: Callable[[Any, Any], Any] = _unbound
"""The position in a row of integers under some rulings."""
pick_function: Callable[[Any, Seat, Moves, int], int] = _unbound
"""The pick of somebody's function, by a random number."""
first_pick: Callable[[Any, Seat, Moves, int, Any], int] = _unbound
second_pick = opponent_pick = first_pick
"""The pick of a seat by such a function, or by a table of mixes."""


@rule
def no_chance(state: Any) -> Moves:
    """In place of `chance` in games without."""
    return NOTHING


@rule
def even_weight(state: Any, number: int) -> int:
    """In place of `weight` where all that may be drawn is alike."""
    return 1


@rule
def no_reward(state: Any, picks: Pair) -> int:
    """In place of `reward` in games that are not about points."""
    return 0


@rule
def unchanged(state: Any) -> Any:
    """In place of `mirror` and `canonical` in games without symmetry."""
    return state


@rule
def locate(state: Any, layout: Layout) -> tuple[int, int]:
    """The key under which a position is stored, and the sign of its value there.

    Of two mirror images the one with the smaller key is stored, both in their canonical form. The
    sign is 0 for a position that is its own image: its value is 0 by symmetry.
    """
    key = pack(canonical(state), layout)
    if not MIRRORED:
        return key, 1
    image = pack(canonical(mirror(state)), layout)
    if key == image:
        return key, 0
    return (key, 1) if key < image else (image, -1)


@rule
def moves(state: Any, seat: Seat) -> Moves:
    """What a step takes for a seat: its picks, or in the first seat's place what may be drawn."""
    drawn = chance(state) if seat == 0 else NOTHING
    return drawn if drawn != NOTHING else legal(state, seat)


@rule
def draw(state: Any, random: int) -> int:
    """The number that chance draws, by the weights and a random number of 62 bits."""
    drawn = chance(state)
    total, number = 0, 0
    while drawn >> number:
        total += weight(state, number) if number > 0 and drawn >> number & 1 else 0
        number += 1
    place, number = random % total, 0
    while place >= 0:
        number += 1
        place -= weight(state, number) if drawn >> number & 1 else 0
    return number


@rule
def fill_shares(state: Any, shares: Any, begin: int) -> int:
    """Write how likely chance draws each number, one after another; returns the place after them.

    Nothing is written where chance is not to move, and nan where the rules give no weight.
    """
    drawn, total, number, end = chance(state), 0.0, 1, begin
    while drawn >> number:
        if drawn >> number & 1:
            found = weight(state, number)
            shares[end] = 1.0 * found if 1 <= found <= MAX_WEIGHT else nan
            total += shares[end]
            end += 1
        number += 1
    for place in range(begin, end):
        shares[place] /= total
    return end


@rule
def times_seen(seen: Any, last: int) -> int:
    """How often the last position of a match has come up; `seen` has a row of fields for each."""
    fields, times = seen.shape[1], 0
    for earlier in range(last + 1):
        field = 0
        while field < fields and seen[earlier, field] == seen[last, field]:
            field += 1
        times += 1 if field == fields else 0
    return times
