"""Pick probabilities of a policy at every position, in blocks."""

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import PASS, Seat
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import MAX_PICKS, Keys
from evenodds.matrix.linear_program import make_linear_program
from evenodds.policy.policies import Policy, Uniform, check_policy, mix_of, solution_of
from evenodds.policy.softmax import SoftmaxPolicy

BLOCK_POSITIONS: Final = 1_000
"""Positions whose shares are held at once."""

ShareArray = NDArray[np.float64]


class PolicyShares:
    """The shares of one policy in one seat: a line for each position, a place for each number."""

    def __init__(self, ground: PositionIndex, policy: Policy, seat: Seat) -> None:
        self.ground = ground
        self.policy = check_policy(ground.game, ground.rulings, policy)
        self.seat = seat
        self.solution = solution_of(policy) if ground.game.simultaneous else None
        if self.solution is not None:
            ground.kept(self.solution.solved)  # now, and not in every thread

    def block(self, layer: Keys, begin: int, end: int) -> ShareArray:
        """The shares at some positions of a layer; none for a number that is not open."""
        ground = self.ground
        where = (ground.rulings, ground.layout, layer)
        if isinstance(self.policy, Uniform):
            shares = np.zeros((end - begin, MAX_PICKS + 1))
            ground.loops.flows.fill_uniform(*where, begin, end, self.seat, shares)
            return shares
        if self.solution is None:
            return self._asked(layer, begin, end)
        if not isinstance(self.policy, SoftmaxPolicy):
            return self._solved(where, begin, end, yields=False)
        return cast(ShareArray, self.policy.shares(*self._judged(where, begin, end)))

    def _judged(self, where: Any, begin: int, end: int) -> tuple[ShareArray, ShareArray]:
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

    def _solved(self, where: Any, begin: int, end: int, yields: bool) -> ShareArray:
        """Named mixes or what numbers yield, by loops; what rounding spoils is asked for."""
        assert self.solution is not None
        loops, kept = self.ground.loops.flows, self.ground.kept(self.solution.solved)
        fill = loops.fill_yields if yields else loops.fill_named
        found = np.full((end - begin, MAX_PICKS + 1), -np.inf if yields else 0.0)
        square = np.zeros((MAX_PICKS, MAX_PICKS))
        desk = (
            square,
            square.copy(),
            make_linear_program(MAX_PICKS, MAX_PICKS),
            np.zeros(MAX_PICKS),
        )
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

    def _asked(self, layer: Keys, begin: int, end: int) -> ShareArray:
        shares = np.zeros((end - begin, MAX_PICKS + 1))
        for place in range(begin, end):
            state = self.ground.state(layer[place])
            for number, share in mix_of(self.ground.game, self.policy, state, self.seat).items():
                shares[place - begin, number] = share
        return shares
