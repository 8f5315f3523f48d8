"""What play between policies stands on: every open position, and the shares of a policy there."""

from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.validation import validate
from evenodds.core.vocabulary import PASS, Seat
from evenodds.graph.positions import (
    Keys,
    Lister,
    Listing,
    TooLarge,
    capacity,
    empty_table,
    memory_limit,
    refuse_unsolvable,
)
from evenodds.kernels.compile import Loops, loops_of
from evenodds.kernels.keys import Layout, packing
from evenodds.kernels.threads import Progress, silent
from evenodds.matrix.linear_program import sheet_for
from evenodds.policy.policies import Policy, Uniform, check_policy, mix_of, solution_of
from evenodds.policy.softmax import Blend
from evenodds.solver.compiled import BYTES, PICKS
from evenodds.solver.solution import Solution

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
    game = catalog.get(game)
    return Ground(game, game.settle(rulings), memory_limit(), progress or silent)


class Ground:
    """Every open position of a game under some rulings, in layers, both mirror images listed."""

    def __init__(self, game: AnyGame, rulings: Any, memory: int, progress: Progress) -> None:
        refuse_unsolvable(game)
        validate(game, rulings)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        try:
            self._list(compiled=False, most=SMALL)
        except TooLarge:
            self._list(compiled=True, most=memory // BYTES)
        self.layout = self.listing.layout
        self._unpack = packing(game.start(rulings)).unpack
        self._kept: tuple[Solution, tuple[Layout, Keys, Any]] | None = None
        self.judged: dict[Any, Any] = {}
        """What policies remember: of blocks of positions, each with the layer it belongs to, or in
        games of turns of all links."""
        self.room = memory // 4
        """Bytes that may still be remembered."""
        self.memory = memory
        self.atlas: Any = None
        """Where each pair of picks leads, once `atlas` has followed them."""
        self.web: Any = None
        """In games of turns the links between positions, once `turns` has woven them."""

    def _list(self, compiled: bool, most: int) -> None:
        whole = self.game._replace(mirror=None)
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

    def kept(self, solution: Solution) -> tuple[Layout, Keys, Any]:
        """The values of a solution as loops look them up."""
        if self._kept is None or self._kept[0] is not solution:
            solved = solution.solved
            table = self.table(solved.keys, solved.values)
            self._kept = (solution, (solved.layout, *table))
        return self._kept[1]


class PolicyShares:
    """The shares of one policy in one seat: a line for each position, a place for each number."""

    def __init__(self, ground: Ground, policy: Policy, seat: Seat) -> None:
        self.ground = ground
        self.policy = check_policy(ground.game, ground.rulings, policy)
        self.seat = seat
        self.solution = solution_of(policy) if ground.game.simultaneous else None
        if self.solution is not None:
            ground.kept(self.solution)  # now, and not in every thread

    def block(self, layer: Keys, begin: int, end: int) -> Shares:
        """The shares at some positions of a layer; none for a number that is not open."""
        ground = self.ground
        where = (ground.rulings, ground.layout, layer)
        if isinstance(self.policy, Uniform):
            shares = np.zeros((end - begin, PICKS + 1))
            ground.loops.flows.fill_uniform(*where, begin, end, self.seat, shares)
            return shares
        if self.solution is None:
            return self._asked(layer, begin, end)
        if not isinstance(self.policy, Blend):
            return self._solved(where, begin, end, yields=False)
        return cast(Shares, self.policy.shares(*self._judged(where, begin, end)))

    def _judged(self, where: Any, begin: int, end: int) -> tuple[Shares, Shares]:
        """Named mixes and what numbers give up: remembered, as many blends are made of them."""
        place = (self.seat, id(where[-1]), begin, end)
        found = self.ground.judged.get(place)
        if found is None:
            yields = self._solved(where, begin, end, yields=True)
            named = self._solved(where, begin, end, yields=False)
            used = int(np.flatnonzero(np.isfinite(yields).any(axis=0))[-1]) + 1
            losses = yields.max(axis=1, keepdims=True) - yields[:, :used]
            found = (where[-1], named[:, :used].copy(), losses)
            self.ground.room -= 2 * losses.nbytes
            if self.ground.room > 0:
                self.ground.judged[place] = found
        return found[1], found[2]

    def _solved(self, where: Any, begin: int, end: int, yields: bool) -> Shares:
        """Named mixes or what numbers yield, by loops; what rounding spoils is asked for."""
        assert self.solution is not None
        loops, kept = self.ground.loops.flows, self.ground.kept(self.solution)
        fill = loops.fill_yields if yields else loops.fill_named
        found = np.full((end - begin, PICKS + 1), -np.inf if yields else 0.0)
        square = np.zeros((PICKS, PICKS))
        desk = (square, square.copy(), sheet_for(PICKS, PICKS), np.zeros(PICKS))
        place = begin
        while place < end:
            place = fill(*where, place, end, self.seat, kept, desk, found[place - begin :])
            if place < end:
                state = self.ground.state(where[-1][place])
                ask = self.solution.yields if yields else self.solution.mix
                for number, figure in (ask(state, self.seat) or {PASS: float(not yields)}).items():
                    found[place - begin, number] = figure
                place += 1
        return found

    def _asked(self, layer: Keys, begin: int, end: int) -> Shares:
        shares = np.zeros((end - begin, PICKS + 1))
        for place in range(begin, end):
            state = self.ground.state(layer[place])
            for number, share in mix_of(self.ground.game, self.policy, state, self.seat).items():
                shares[place - begin, number] = share
        return shares
