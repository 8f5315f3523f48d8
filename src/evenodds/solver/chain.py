"""The exact odds of a game between two policies: by summing over positions, not by sampling."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver.listing import TooLarge
from evenodds.solver.plain import Tree
from evenodds.solver.responses import Policy, mix_of
from evenodds.vocabulary import FIRST, SECOND, Outcome, Seat, numbers

STEPS: Final = 2_000_000
"""Steps of the rules that listing a game may take here."""
NEGLIGIBLE: Final = 1e-17


class Odds(NamedTuple):
    """How matches end between two policies, and how long they take on average.

    `endless` is the share of play that goes on for ever. The length counts rounds in simultaneous
    games and picks in games of turns; it is None when play may not end.
    """

    first: float
    draw: float
    second: float
    endless: float
    length: float | None


def uniform_policy(game: AnyGame) -> Policy:
    """Every number open to a seat with the same share."""

    def mix(state: Any, seat: Seat) -> Mapping[int, float]:
        choices = numbers(game.legal(state, seat))
        return {number: 1 / len(choices) for number in choices}

    return mix


def odds(game: AnyGame | str, first: Policy, second: Policy, **rulings: object) -> Odds:
    """The exact odds between a policy in the first seat and one in the second."""
    game = catalog.get(game) if isinstance(game, str) else game
    tree = Tree(game, game.settle(rulings), STEPS)
    if not tree.complete:
        raise TooLarge(f"more than {len(tree.states):,} positions; exact odds stop there for now")
    return _flow(Chain(tree, first, second))


class Chain:
    """A game between two policies as a chain of positions: where each leads with what chance."""

    def __init__(self, tree: Tree, first: Policy, second: Policy) -> None:
        sources: list[int] = []
        targets: list[int] = []
        shares: list[float] = []
        self.ends = np.zeros((len(tree.states), 3))
        for place, state in enumerate(tree.states):
            rows = mix_of(tree.game, first, state, FIRST)
            columns = mix_of(tree.game, second, state, SECOND)
            for i, one in rows:
                for j, two in columns:
                    leads = tree.grids[place][i][j]
                    if isinstance(leads, Outcome):
                        self.ends[place, int(leads) + 1] += one * two
                    else:
                        sources.append(place)
                        targets.append(leads)
                        shares.append(one * two)
        self.sources = np.array(sources, np.int64)
        self.targets = np.array(targets, np.int64)
        self.shares = np.array(shares)
        self.size = len(tree.states)

    def step(self, mass: Any) -> Any:
        """Where the mass of matches is one round later."""
        moved = self.shares * mass[self.sources]
        return np.bincount(self.targets, moved, self.size)

    def can_end(self) -> Any:
        """The positions from which some line of play between these policies ends."""
        ending = self.ends.sum(axis=1) > 0
        while True:
            more = ending.copy()
            more[self.sources[ending[self.targets]]] = True
            if (more == ending).all():
                return ending
            ending = more


def _flow(chain: Chain) -> Odds:
    """Let all matches flow from the start until none is left that can end."""
    can_end = chain.can_end()
    mass = np.zeros(chain.size)
    mass[0] = 1.0
    ended = np.zeros(3)
    endless = length = 0.0
    rounds = 0
    while mass.sum() > NEGLIGIBLE:
        endless += mass[~can_end].sum()
        mass[~can_end] = 0.0
        rounds += 1
        over = mass @ chain.ends
        ended += over
        length += rounds * over.sum()
        mass = chain.step(mass)
    return Odds(
        float(ended[2]),
        float(ended[1]),
        float(ended[0]),
        float(endless),
        None if endless else float(length),
    )
