"""Ratings from one fit over all matches: Bradley and Terry's model, with Davidson's draws.

Of players with strengths a and b the one wins with a share of a, the other of b, and they draw with
a share of v times the root of a b, where v is the same for all. A rating is 400 times the
logarithm to the base 10 of a strength, counted from the average of those who play. So that nothing
is endless, everyone is taken to have won half a match and lost half a match against the average,
and two equals to have drawn half a match and not drawn another half.
"""

from math import log
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.estimates import WIDE, Estimate

ELO: Final = 400 / log(10)
PRIOR: Final = 0.5
"""Matches that everyone is taken to have won, and to have lost, beside those that were seen."""
STEPS: Final = 200
CLOSE: Final = 1e-10


class Result(NamedTuple):
    """What became of the matches of two players."""

    one: int
    two: int
    won: float
    drawn: float
    lost: float


class Ratings(NamedTuple):
    """The rating of every player with its interval, and how readily matches are drawn."""

    ratings: tuple[Estimate, ...]
    draws: float
    """Davidson's v: 0 where nobody ever drew."""


def rate(players: int, results: list[Result]) -> Ratings:
    """The likeliest ratings, and intervals from how sharply the likelihood falls off."""
    drawn = any(result.drawn for result in results)
    place = np.zeros(players + drawn)
    for _ in range(STEPS):
        worth, slope, bend = _likelihood(players, results, place)
        step = np.linalg.solve(-bend, slope)
        size = 1.0
        while size > CLOSE and _likelihood(players, results, place + size * step)[0] < worth:
            size /= 2
        place = place + size * step
        if np.abs(size * step).max() < CLOSE:
            break
    spread = np.linalg.inv(-_likelihood(players, results, place)[2])[:players, :players]
    centre = np.eye(players) - 1 / players
    strengths = centre @ place[:players]
    errors = np.sqrt(np.diag(centre @ spread @ centre.T))
    return Ratings(
        tuple(
            Estimate(
                ELO * float(strength),
                *(ELO * float(strength + side * WIDE * error) for side in (-1, 1)),
            )
            for strength, error in zip(strengths, errors, strict=True)
        ),
        float(np.exp(place[players])) if drawn else 0.0,
    )


def _likelihood(players: int, results: list[Result], place: Any) -> tuple[float, Any, Any]:
    """The logarithm of the likelihood at a place, its slope and its bend.

    What is linear in the place counts by how often it happened; from that goes the logarithm of
    the sum over all that could have happened.
    """
    worth, slope, bend = 0.0, np.zeros(len(place)), np.zeros((len(place), len(place)))
    for player in range(players):
        for side in (1.0, -1.0):
            ways = np.zeros((2, len(place)))
            ways[0, player] = side
            worth += _add(slope, bend, ways, place, np.array([PRIOR, 0.0]))
    if len(place) > players:
        ways = np.zeros((3, len(place)))
        ways[2, players] = 1.0
        worth += _add(slope, bend, ways, place, np.array([PRIOR / 2, PRIOR / 2, PRIOR]))
    for one, two, won, drew, lost in results:
        ways = np.zeros((3 if len(place) > players else 2, len(place)))
        ways[0, one] = ways[1, two] = 1.0
        if len(place) > players:
            ways[2, one] = ways[2, two] = 0.5
            ways[2, players] = 1.0
        seen = np.array([won, lost, drew][: len(ways)])
        worth += _add(slope, bend, ways, place, seen)
    return worth, slope, bend


def _add(slope: Any, bend: Any, ways: Any, place: Any, seen: Any) -> float:
    """Add what was seen of some ways, each with the logarithm `ways @ place` of its weight."""
    weights = ways @ place
    top = weights.max()
    total = top + np.log(np.exp(weights - top).sum())
    shares = np.exp(weights - total)
    mean = shares @ ways
    slope += seen @ ways - seen.sum() * mean
    bend -= seen.sum() * (ways.T @ (ways * shares[:, None]) - np.outer(mean, mean))
    return float(seen @ (weights - total))
