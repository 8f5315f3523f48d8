"""CUDA kernels that solve the positions of a layer, whose children are solved."""

from typing import Any, NamedTuple

import numba

from evenodds.kernels.gpu.binding import DeviceRules
from evenodds.kernels.gpu.cuda import cuda, kernel
from evenodds.kernels.gpu.lanes import lane_operations
from evenodds.kernels.gpu.matrix_game import MAX_GAP, Tableau, matrix_solver
from evenodds.kernels.gpu.shared_memory import KernelShape
from evenodds.kernels.solve import ONGOING
from evenodds.simplex.tableau import SimplexWorkspace


class SolveKernels(NamedTuple):
    """Kernels over the positions of a layer."""

    solve_layer: Any
    """By groups of lanes; lists the positions that it leaves."""
    solve_listed: Any
    """One thread a position, by the method of the processor: for the few that are left."""


def solve_kernels(rules: DeviceRules, shape: KernelShape) -> SolveKernels:
    """The kernels for matrices of some size."""
    legal, step, outcome = rules.legal, rules.step, rules.outcome
    unpack, locate, slot_of = rules.unpack, rules.locate, rules.slot_of
    fill_payoff, solve_matrix = rules.fill_payoff, rules.solve_matrix
    size, pitch, lanes, groups = shape
    tableau_size = size + 1
    operations = lane_operations(lanes)
    sync, mask_of = operations.sync, operations.mask_of
    saddle, optimise, guarantees = matrix_solver(operations, lanes)
    number, index, whole = numba.float64, numba.int32, numba.int64

    @kernel
    def solve_layer(
        rulings: Any,
        layout: Any,
        layer: Any,
        keys: Any,
        values: Any,
        worths: Any,
        gaps: Any,
        left: Any,
        left_count: Any,
    ) -> None:
        payoffs = cuda.shared.array((groups, size, pitch), number)
        cells = cuda.shared.array((groups, tableau_size, pitch), number)
        limits = cuda.shared.array((groups, tableau_size), number)
        factors = cuda.shared.array((groups, tableau_size), number)
        row_mixes = cuda.shared.array((groups, size), number)
        column_mixes = cuda.shared.array((groups, size), number)
        rows = cuda.shared.array((groups, size), index)
        columns = cuda.shared.array((groups, size), index)
        first_picks = cuda.shared.array((groups, size), index)
        second_picks = cuda.shared.array((groups, size), index)
        lane = cuda.threadIdx.x % lanes
        group = cuda.threadIdx.x // lanes
        mask = mask_of(cuda.threadIdx.x)
        tableau = Tableau(
            payoffs[group],
            cells[group],
            limits[group],
            factors[group],
            rows[group],
            columns[group],
            row_mixes[group],
            column_mixes[group],
        )
        slots = keys.size - 1
        widest = 0.0
        place = cuda.blockIdx.x * groups + group
        while place < layer.size:
            state = unpack(layer[place], rulings, layout)
            _, sign = locate(state, layout)
            if sign == 0:
                if lane == 0:
                    worths[place] = 0.0
            else:
                first = legal(state, 0)
                second = legal(state, 1)
                height = 0
                width = 0
                i = 0
                while first >> i or second >> i:
                    if first >> i & 1:
                        if lane == 0:
                            first_picks[group, height] = i
                        height += 1
                    if second >> i & 1:
                        if lane == 0:
                            second_picks[group, width] = i
                        width += 1
                    i += 1
                sync(mask)
                cell = lane
                while cell < height * width:
                    row = cell // width
                    column = cell - row * width
                    child = step(
                        state,
                        (int(first_picks[group, row]), int(second_picks[group, column])),
                    )
                    worth = 1.0 * (outcome(child) + 0)
                    if worth == ONGOING:
                        key, side = locate(child, layout)
                        worth = 0.0
                        if side != 0:
                            slot = slot_of(key, slots)
                            while keys[slot] != key:
                                slot = (slot + 1) & slots
                            worth = side * values[slot]
                    tableau.payoff[row, column] = worth
                    cell += lanes
                sync(mask)
                lower, upper = saddle(tableau, height, width, lane, mask)
                is_solved = True
                if lower < upper:
                    is_solved = optimise(tableau, height, width, 1.0 - lower, lane, mask)
                    lower, upper = guarantees(tableau, height, width, lane, mask)
                else:
                    upper = lower
                is_solved = is_solved and upper - lower <= MAX_GAP
                if is_solved:
                    widest = max(widest, upper - lower)
                if lane == 0:
                    if is_solved:
                        worths[place] = 0.5 * (lower + upper)
                    else:
                        left[cuda.atomic.add(left_count, 0, 1)] = place
                sync(mask)
            place += cuda.gridDim.x * groups
        if lane == 0:
            cuda.atomic.max(gaps, 0, widest)

    @kernel
    def solve_listed(
        rulings: Any,
        layout: Any,
        layer: Any,
        keys: Any,
        values: Any,
        worths: Any,
        gaps: Any,
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
        widest = 0.0
        work = cuda.grid(1)
        while work < left_count[0]:
            place = left[work]
            state = unpack(layer[place], rulings, layout)
            height, width = fill_payoff(state, layout, keys, values, workspace.payoff)
            value, gap, _ = solve_matrix(workspace, height, width)
            worths[place] = value
            widest = max(widest, gap)
            work += cuda.gridsize(1)
        cuda.atomic.max(gaps, 0, widest)

    return SolveKernels(solve_layer, solve_listed)
