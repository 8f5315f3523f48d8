"""What play between policies stands on: every open position, and the shares of a policy there."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver.compile import Loops, loops_of
from evenodds.solver.large import BYTES, PICKS
from evenodds.solver.layout import Layout, packing
from evenodds.solver.listing import (
    Keys,
    Lister,
    Listing,
    Progress,
    TooLarge,
    capacity,
    empty_table,
    memory_limit,
    refuse_unsolvable,
    silent,
)
from evenodds.solver.policies import Policy, Uniform, mix_of, solution_of
from evenodds.solver.sheet import sheet_for
from evenodds.solver.solution import Solution
from evenodds.vocabulary import Seat

SMALL: Final = 3_000
"""Positions up to which compiling takes longer than going through them as they stand."""
BLOCK: Final = 1_000
"""Positions whose shares are held at once."""

Shares = NDArray[np.float64]


class Table(NamedTuple):
    """Keys in places that `kernels.find` finds, and a figure beside each."""

    keys: Keys
    figures: Any


def ground_of(
    game: AnyGame | str, rulings: dict[str, object], progress: Progress | None
) -> "Ground":
    """The ground of a game; `BadRuling`, `TooLarge` or `BadGame` in one line."""
    game = catalog.get(game) if isinstance(game, str) else game
    refuse_unsolvable(game)
    return Ground(game, game.settle(rulings), memory_limit(), progress or silent)


class Ground:
    """Every open position of a game under some rulings, in layers, both mirror images listed."""

    def __init__(self, game: AnyGame, rulings: Any, memory: int, progress: Progress) -> None:
        self.game = game
        self.rulings = rulings
        self.progress = progress
        try:
            self._list(compiled=False, most=SMALL)
        except TooLarge:
            self._list(compiled=True, most=memory // BYTES)
        self.layout = self.listing.layout
        self._unpack = packing(game.start(rulings)).unpack

    def _list(self, compiled: bool, most: int) -> None:
        whole = self.game._replace(mirror=None)
        self.compiled = compiled
        self.loops: Loops = loops_of(self.game, compiled)
        lister = Lister(whole, self.rulings, loops_of(whole, compiled), most, self.progress)
        self.listing: Listing = lister.run()

    @property
    def layers(self) -> list[Keys]:
        """The open positions by the rounds that lead to them; the last layer is empty."""
        return self.listing.layers

    def state(self, key: int) -> Any:
        """The position of a key."""
        return self._unpack(int(key), self.rulings, self.layout)

    def table(self, keys: Keys, figures: Any = None) -> Table:
        """A table of some keys, with the figure of each beside it: its place, unless given."""
        figures = np.arange(keys.size, dtype=np.int32) if figures is None else figures
        held = empty_table(capacity(keys.size))
        self.loops.admit(held, keys, np.empty_like(keys))
        beside = np.zeros(held.size, figures.dtype)
        self.loops.store(held, beside, keys, figures)
        return Table(held, beside)

    def shares(self, policy: Policy, seat: Seat) -> "PolicyShares":
        """The shares of a policy in a seat, to be asked for block by block."""
        return PolicyShares(self, policy, seat)


class PolicyShares:
    """The shares of one policy in one seat: a line for each position, a place for each number."""

    def __init__(self, ground: Ground, policy: Policy, seat: Seat) -> None:
        self.ground = ground
        self.policy = policy
        self.seat = seat
        found = solution_of(policy)
        known = found is not None and found.game == ground.game
        self.solution: Solution | None = found if known and ground.game.simultaneous else None
        self.kept: tuple[Layout, Keys, Any] | None = None
        if self.solution is not None:
            solved = self.solution.solved
            self.kept = (solved.layout, *ground.table(solved.keys, solved.values))

    def block(self, layer: Keys, begin: int, end: int) -> Shares:
        """The shares at some positions of a layer; none for a number that is not open."""
        ground = self.ground
        shares = np.zeros((end - begin, PICKS + 1))
        where = (ground.rulings, ground.layout, layer)
        if isinstance(self.policy, Uniform):
            ground.loops.flows.fill_uniform(*where, begin, end, self.seat, shares)
        elif self.kept is not None:
            self._fill_named(where, begin, end, shares)
        else:
            for place in range(begin, end):
                self._ask(layer, begin, place, shares)
        return shares

    def _fill_named(self, where: Any, begin: int, end: int, shares: Shares) -> None:
        """Named mixes by compiled loops; what rounding spoils there is asked for with care."""
        square = np.zeros((PICKS, PICKS))
        desk = (square, square.copy(), sheet_for(PICKS, PICKS), np.zeros(PICKS))
        place = begin
        while place < end:
            fill = self.ground.loops.flows.fill_named
            place = fill(*where, place, end, self.seat, self.kept, desk, shares[place - begin :])
            if place < end:
                self._ask(where[-1], begin, place, shares)
                place += 1

    def _ask(self, layer: Keys, begin: int, place: int, shares: Shares) -> None:
        state = self.ground.state(int(layer[place]))
        for number, share in mix_of(self.ground.game, self.policy, state, self.seat).items():
            shares[place - begin, number] = share
