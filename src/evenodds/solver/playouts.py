"""Matches played in bulk, compiled together with a game's rules and two ways of picking.

A way of picking is a rule of its own: from the position, the seat, the numbers open to it and a
random number of 62 bits to a pick. The loops are written against names that `compile.py` fills in:
`start`, `legal`, `step`, `outcome`, `ending`, `first_pick` and `second_pick`.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.solver.chance import any_of, drawn, stream
from evenodds.solver.kernels import ONGOING
from evenodds.vocabulary import Moves, Seat, rule


@rule
def uniform(state: Any, seat: Seat, moves: Moves, chance: int) -> int:
    """Every number open to the seat with the same chance."""
    return any_of(moves, chance)


@rule
def play_out(rulings: Any, seed: int, match: int, longest: int) -> tuple[Any, int]:
    """One match between two ways of picking: the last position and the rounds it took."""
    chance = stream(seed, match)
    state = start(rulings)
    rounds = 0
    while rounds < longest and outcome(state) == ONGOING:
        chance = drawn(chance)
        first = first_pick(state, 0, legal(state, 0), chance)
        chance = drawn(chance)
        second = second_pick(state, 1, legal(state, 1), chance)
        state = step(state, (first, second))
        rounds += 1
    return state, rounds


@rule
def simulate(
    rulings: Any, seed: int, begin: int, end: int, outcomes: Any, endings: Any, lengths: Any
) -> None:
    """Play matches and count how they end, by what, and after how many rounds.

    Outcomes are counted from a win of the second seat on; the last place is for what was cut off.
    """
    for match in range(begin, end):
        state, rounds = play_out(rulings, seed, match, lengths.size - 1)
        outcomes[outcome(state) + 1] += 1
        endings[ending(state) + 0] += 1
        lengths[rounds] += 1
