"""Pick probabilities of a policy at every position, in blocks."""

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import PASS, Seat
from evenodds.graph import MAX_PICKS, Keys, PositionIndex
from evenodds.policy.policies import Policy, Uniform, check_policy, mix_of, solution_of
from evenodds.policy.softmax import SoftmaxPolicy
from evenodds.simplex.arrays import as_arrays
from evenodds.simplex.linear_program import make_linear_program

BLOCK_POSITIONS: Final = 1_000
"""Positions per block."""

ShareArray = NDArray[np.float64]


class PolicyShares:
    """The shares of one policy in one seat: a row for each position, a column for each number."""

    def __init__(self, index: PositionIndex, policy: Policy, seat: Seat) -> None:
        self.index = index
        self.policy = check_policy(index.game, index.rulings, policy)
        self.seat = seat
        self.solution = solution_of(policy) if index.game.simultaneous else None
        if self.solution is not None:
            index.value_table(self.solution.solved)  # built here once: threads then only read it

    def block(self, layer: Keys, begin: int, end: int) -> ShareArray:
        """The shares at some positions of a layer; 0 for an illegal pick."""
        index = self.index
        where = (index.rulings, index.layout, layer)
        if isinstance(self.policy, Uniform):
            shares = np.zeros((end - begin, MAX_PICKS + 1))
            index.kernels.policy_play.fill_uniform(*where, begin, end, self.seat, shares)
            return shares
        if self.solution is None:
            return self._by_function(layer, begin, end)
        if not isinstance(self.policy, SoftmaxPolicy):
            return self._by_solution(where, begin, end, yields=False)
        return cast(ShareArray, self.policy.shares(*self._mixes_and_losses(where, begin, end)))

    def _mixes_and_losses(self, where: Any, begin: int, end: int) -> tuple[ShareArray, ShareArray]:
        """Selected mixes and losses of picks: cached, as many softmax policies use them.

        The key holds the id of the layer, so the entry holds the layer itself: while it lives no
        other array can get that id.
        """
        key = (self.seat, id(where[-1]), begin, end)
        found = self.index.policy_cache.get(key)
        if found is None:
            yields = self._by_solution(where, begin, end, yields=True)
            selected = self._by_solution(where, begin, end, yields=False)
            used = int(np.flatnonzero(np.isfinite(yields).any(axis=0))[-1]) + 1
            losses = yields.max(axis=1, keepdims=True) - yields[:, :used]
            found = (where[-1], selected[:, :used].copy(), losses)
            self.index.cache_bytes_left -= 2 * losses.nbytes
            if self.index.cache_bytes_left > 0:
                self.index.policy_cache[key] = found
        return found[1], found[2]

    def _by_solution(self, where: Any, begin: int, end: int, yields: bool) -> ShareArray:
        """Selected mixes or yields by kernels, or by the solution where rounding spoilt one."""
        assert self.solution is not None
        kernels = self.index.kernels.policy_play
        values = self.index.value_table(self.solution.solved)
        fill = kernels.fill_yields if yields else kernels.fill_selected_mixes
        found = np.full((end - begin, MAX_PICKS + 1), -np.inf if yields else 0.0)
        square = np.zeros((MAX_PICKS, MAX_PICKS))
        workspace = (
            square,
            square.copy(),
            as_arrays(make_linear_program(MAX_PICKS, MAX_PICKS)),
            np.zeros(MAX_PICKS),
        )
        place = begin
        while place < end:
            place = fill(*where, place, end, self.seat, values, workspace, found[place - begin :])
            if place < end:
                state = self.index.state(where[-1][place])
                ask = self.solution.yields if yields else self.solution.mix
                for number, figure in (ask(state, self.seat) or {PASS: float(not yields)}).items():
                    found[place - begin, number] = figure
                place += 1
        return found

    def _by_function(self, layer: Keys, begin: int, end: int) -> ShareArray:
        shares = np.zeros((end - begin, MAX_PICKS + 1))
        for place in range(begin, end):
            state = self.index.state(layer[place])
            for number, share in mix_of(self.index.game, self.policy, state, self.seat).items():
                shares[place - begin, number] = share
        return shares
