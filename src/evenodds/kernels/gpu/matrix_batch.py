"""CUDA kernels that solve many matrix games of one size, with payoffs of any scale."""

from math import inf
from typing import Any, NamedTuple

import numba

from evenodds.kernels.gpu.binding import bound_rules
from evenodds.kernels.gpu.cuda import cuda, kernel
from evenodds.kernels.gpu.lanes import lane_operations
from evenodds.kernels.gpu.matrix_game import MAX_GAP, Tableau, matrix_solver
from evenodds.kernels.gpu.shared_memory import KernelShape
from evenodds.simplex import batch
from evenodds.simplex.tableau import SimplexWorkspace


class MatrixKernels(NamedTuple):
    """Kernels over an array of games."""

    solve_mixed: Any
    """By groups of lanes; lists the games that it leaves: saddle points and hard ones."""
    solve_listed: Any
    """One thread a game, by the method of the processor."""


def matrix_kernels(shape: KernelShape) -> MatrixKernels:
    """The kernels for matrices of some size."""
    size, pitch, lanes, groups = shape
    tableau_size = size + 1
    operations = lane_operations(lanes)
    sync, mask_of, least = operations.sync, operations.mask_of, operations.least
    saddle, optimise, guarantees = matrix_solver(operations, lanes)
    solve_matrices = bound_rules(batch.__name__)["solve_matrices"]
    number, index, whole = numba.float64, numba.int32, numba.int64

    @kernel
    def solve_mixed(
        payoffs: Any,
        values: Any,
        gaps: Any,
        row_mixes: Any,
        column_mixes: Any,
        left: Any,
        left_count: Any,
    ) -> None:
        scaled = cuda.shared.array((groups, size, pitch), number)
        cells = cuda.shared.array((groups, tableau_size, pitch), number)
        limits = cuda.shared.array((groups, tableau_size), number)
        factors = cuda.shared.array((groups, tableau_size), number)
        row_shares = cuda.shared.array((groups, size), number)
        column_shares = cuda.shared.array((groups, size), number)
        rows = cuda.shared.array((groups, size), index)
        columns = cuda.shared.array((groups, size), index)
        lane = cuda.threadIdx.x % lanes
        group = cuda.threadIdx.x // lanes
        mask = mask_of(cuda.threadIdx.x)
        tableau = Tableau(
            scaled[group],
            cells[group],
            limits[group],
            factors[group],
            rows[group],
            columns[group],
            row_shares[group],
            column_shares[group],
        )
        height = payoffs.shape[1]
        width = payoffs.shape[2]
        game = cuda.blockIdx.x * groups + group
        while game < payoffs.shape[0]:
            low = inf
            high = inf
            for i in range(height):
                for j in range(lane, width, lanes):
                    low = min(low, payoffs[game, i, j])
                    high = min(high, -payoffs[game, i, j])
            low = least(mask, low)
            span = -least(mask, high) - low
            scale = 1.0 / span if span > 0.0 else 0.0
            for i in range(height):
                for j in range(lane, width, lanes):
                    tableau.payoff[i, j] = (payoffs[game, i, j] - low) * scale
            sync(mask)
            lower, upper = saddle(tableau, height, width, lane, mask)
            is_solved = span > 0.0 and lower < upper
            if is_solved:
                is_solved = optimise(tableau, height, width, 1.0 - lower, lane, mask)
            if is_solved:
                # The bounds hold for the payoffs as they were given, not as they were scaled.
                for i in range(height):
                    for j in range(lane, width, lanes):
                        tableau.payoff[i, j] = payoffs[game, i, j]
                sync(mask)
                lower, upper = guarantees(tableau, height, width, lane, mask)
                is_solved = upper - lower <= MAX_GAP * span
            if is_solved:
                for i in range(lane, height, lanes):
                    row_mixes[game, i] = tableau.row_mix[i]
                for j in range(lane, width, lanes):
                    column_mixes[game, j] = tableau.column_mix[j]
            if lane == 0:
                if is_solved:
                    values[game] = lower + 0.5 * (upper - lower)
                    gaps[game] = max(0.0, upper - lower)
                else:
                    left[cuda.atomic.add(left_count, 0, 1)] = game
            sync(mask)
            game += cuda.gridDim.x * groups

    @kernel
    def solve_listed(
        payoffs: Any,
        values: Any,
        gaps: Any,
        row_mixes: Any,
        column_mixes: Any,
        left: Any,
        left_count: Any,
    ) -> None:
        workspace = SimplexWorkspace(
            cuda.local.array((size, size), number),
            cuda.local.array((tableau_size, tableau_size), number),
            cuda.local.array(size, whole),
            cuda.local.array(size, whole),
            cuda.local.array(size, number),
            cuda.local.array(size, number),
            cuda.local.array(tableau_size, number),
        )
        work = cuda.grid(1)
        while work < left_count[0]:
            game = left[work]
            solve_matrices(
                payoffs, game, game + 1, values, gaps, row_mixes, column_mixes, workspace
            )
            work += cuda.gridsize(1)

    return MatrixKernels(solve_mixed, solve_listed)
