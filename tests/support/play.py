"""Positions and matches as tests go through them: one walker, one play loop."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final

from evenodds import FIRST, SECOND, Match, Outcome

SEATS: Final = (FIRST, SECOND)

Choice = Callable[[Match, int], int]
"""From a match and a seat that is to pick, to its number."""


def pairs(game: Any, state: Any) -> list[tuple[int, int]]:
    """All picks of both seats in an open position; PASS for a seat that has nothing to decide."""
    return list(product(*(game.picks(state, seat) for seat in SEATS)))


def is_open(game: Any, state: Any) -> bool:
    return bool(game.outcome(state) == Outcome.ONGOING)


def links(game: Any, rulings: Any) -> Iterator[tuple[Any, tuple[int, int], Any]]:
    """Every open position that play can reach, with each pair of picks and where it leads."""
    seen = {game.start(rulings)}
    waiting = list(seen)
    for state in waiting:
        if is_open(game, state):
            for picks in pairs(game, state):
                after = game.step(state, picks)
                yield state, picks, after
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def positions(game: Any, rulings: Any) -> list[Any]:
    """Every open position that play can reach, the start first, however often play comes back."""
    return list(dict.fromkeys(state for state, _, _ in links(game, rulings)))


def lowest(match: Match, seat: int) -> int:
    return min(match.choices(seat))


def by_chance(chance: Any) -> Choice:
    return lambda match, seat: chance.choice(match.choices(seat))


def by_players(players: Any) -> Choice:
    return lambda match, seat: players[seat].pick(match.view(seat))


def worth(match: Match) -> float:
    """What a match has brought the first seat: its points, and what the rules pay at its end."""
    is_drawn = is_open(match.game, match.state)  # by repetition, or cut off
    return (match.points or 0) + (0 if is_drawn else match.game.outcome(match.state))


def play(match: Match, choice: Choice = lowest, rounds: int | None = None) -> Match:
    """The match played on, to its end or for so many rounds."""
    last = None if rounds is None else len(match.history) + rounds
    while match.result is None and len(match.history) != last:
        for seat in match.waiting():
            match.pick(seat, choice(match, seat))
    return match
