"""An upper bound on the rounds of a match, as OpenSpiel requires."""

from itertools import product
from typing import Final

from evenodds.core.catalog import AnyGame
from evenodds.core.terms import BadTerms, check_repetition
from evenodds.core.vocabulary import SEATS, Outcome, Settled

MAX_COUNTED_POSITIONS: Final = 20_000
"""Positions that are counted at most where a game declares no `bound`."""


def check_finite_repetition(repetition: int) -> int:
    """The repetition limit; `BadTerms` for 0, as OpenSpiel requires that every match ends."""
    if check_repetition(repetition) == 0:
        raise BadTerms(
            "repetition=0 is not allowed: in OpenSpiel every match ends; allowed: 2 to 9"
        )
    return repetition


def max_rounds(game: AnyGame, rulings: Settled, repetition: int) -> int:
    """No match has more rounds than this.

    A game declares it; or else every round begins at an open position, and each of those occurs
    once, or in games with loops one time less than makes a draw.
    """
    if game.longest is not None:
        return game.longest(rulings)
    positions = game.bound(rulings) if game.bound else count_open_positions(game, rulings)
    return positions * (repetition - 1 if game.loops else 1)


def count_open_positions(game: AnyGame, rulings: Settled) -> int:
    """The number of reachable open positions, by depth-first search."""
    visited, stack = set(), [game.start(rulings)]
    while stack:
        state = stack.pop()
        if state in visited or game.outcome(state) != Outcome.ONGOING:
            continue
        visited.add(state)
        if len(visited) > MAX_COUNTED_POSITIONS:
            raise BadTerms(f"{game.name} does not say how long a match can be: it has no `longest`")
        first, second = (game.picks(state, seat) for seat in SEATS)
        stack += [game.step(state, picks) for picks in product(first, second)]
    return len(visited)
