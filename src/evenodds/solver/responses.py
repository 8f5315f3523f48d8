"""How much can be taken from a way of playing: the best response to it, exactly.

A policy is any mapping from a position and a seat to a mix of picks. The best response knows the
mix but not the draw. It is found by going back from the ends over every reachable position.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver.listing import BadGame
from evenodds.solver.plain import Tree
from evenodds.vocabulary import FIRST, PASS, SECOND, Outcome, Seat, numbers, other

Policy = Callable[[Any, Seat], Mapping[int, float]]

CLOSE = 1e-9
"""How nearly a mix must add up to one."""


class Response(NamedTuple):
    """The best answer of a seat to a policy: what it is worth to that seat, and its picks."""

    value: float
    picks: dict[Any, int]


class BadPolicy(ValueError):
    """A policy whose answer is no mix of the numbers open to it."""


def best_response(game: AnyGame | str, policy: Policy, seat: Seat, **rulings: object) -> Response:
    """What `seat` gains at most against a policy in the other seat, and with which picks.

    Values are the seat's own: 1 a win, 0 a draw, -1 a loss.
    """
    return _respond(_tree(game, rulings), policy, seat)


def exploitability(game: AnyGame | str, policy: Policy, **rulings: object) -> float:
    """What best responses take from a policy on average over both seats; 0 for exact play."""
    tree = _tree(game, rulings)
    return sum(_respond(tree, policy, seat).value for seat in (FIRST, SECOND)) / 2


def _tree(game: AnyGame | str, rulings: dict[str, object]) -> Tree:
    game = catalog.get(game) if isinstance(game, str) else game
    if game.loops:
        raise BadGame(f"{game.name} has loops; best responses in such games are not solved yet")
    return Tree(game, game.settle(rulings), float("inf"))


def _respond(tree: Tree, policy: Policy, seat: Seat) -> Response:
    values = [0.0] * len(tree.states)
    picks: dict[Any, int] = {}
    for place in tree.backwards():
        state = tree.states[place]
        own = tree.game.picks(state, seat)
        mix = mix_of(tree.game, policy, state, other(seat))
        worths = [
            sum(share * _worth(tree, place, values, seat, pick, answer) for answer, share in mix)
            for pick in range(len(own))
        ]
        best = max(range(len(own)), key=lambda pick: worths[pick])
        values[place] = worths[best]
        picks[state] = own[best]
    return Response(values[0], {state: pick for state, pick in picks.items() if pick != PASS})


def _worth(
    tree: Tree, place: int, values: list[float], seat: Seat, pick: int, answer: int
) -> float:
    """What a pair of picks, given by their places among the choices, is worth to the seat."""
    grid = tree.grids[place]
    leads = grid[pick][answer] if seat == FIRST else grid[answer][pick]
    if not isinstance(leads, Outcome):
        return values[leads]
    return float(leads) if seat == FIRST else -float(leads)


def mix_of(game: AnyGame, policy: Policy, state: Any, seat: Seat) -> list[tuple[int, float]]:
    """The mix of a seat by places among its choices; what is no mix is refused."""
    choices = numbers(game.legal(state, seat))
    if not choices:
        return [(0, 1.0)]
    mix = policy(state, seat)
    strange = [number for number in mix if number not in choices]
    if strange or not abs(sum(mix.values()) - 1) <= CLOSE or min(mix.values()) < 0:
        raise BadPolicy(f"{dict(mix)} is no mix of {', '.join(map(str, choices))} at {state}")
    return [(choices.index(number), share) for number, share in mix.items() if share > 0]
