"""An upper bound on the rounds of a match, as OpenSpiel requires."""

from itertools import product
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.terms import BadTerms, check_repetition
from evenodds.core.vocabulary import SEATS, Outcome

MAX_COUNTED_POSITIONS: Final = 20_000
"""So many positions are counted one by one where a game does not say how many there are."""


def check_finite_repetition(repetition: int) -> int:
    """How often a position may come up before the match is a draw; here it cannot be for ever."""
    if check_repetition(repetition) == 0:
        raise BadTerms(
            "repetition=0 is not allowed: in OpenSpiel every match ends; allowed: 2 to 9"
        )
    return repetition


def max_rounds(game: AnyGame, rulings: Any, repetition: int) -> int:
    """No match has more rounds than this.

    A game says so itself; or else every round begins at an open position, and each of those comes
    up once, or where positions come up again once less than makes a draw.
    """
    if game.longest is not None:
        return game.longest(rulings)
    positions = game.bound(rulings) if game.bound else count_open_positions(game, rulings)
    return positions * (repetition - 1 if game.loops else 1)


def count_open_positions(game: AnyGame, rulings: Any) -> int:
    """The open positions that a match can come to, found by going everywhere."""
    seen, ahead = set(), [game.start(rulings)]
    while ahead:
        state = ahead.pop()
        if state in seen or game.outcome(state) != Outcome.ONGOING:
            continue
        seen.add(state)
        if len(seen) > MAX_COUNTED_POSITIONS:
            raise BadTerms(f"{game.name} does not say how long a match can be: it has no `longest`")
        first, second = (game.picks(state, seat) for seat in SEATS)
        ahead += [game.step(state, picks) for picks in product(first, second)]
    return len(seen)
