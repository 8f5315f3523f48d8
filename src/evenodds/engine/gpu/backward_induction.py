"""CUDA kernels that solve positions and matrix games: one thread each, as on the processor."""

from typing import Any

import numba

from evenodds.engine import matrix_batch as batch
from evenodds.engine.gpu.binding import DeviceRules, bound_rules
from evenodds.engine.gpu.cuda import cuda, kernel
from evenodds.engine.simplex import Dictionary

number, index, flag = numba.float64, numba.int32, numba.boolean


def solve_kernel(rules: DeviceRules, size: int) -> Any:
    """The kernel that solves the positions of a layer, whose children are solved."""
    unpack, locate = rules.unpack, rules.locate
    fill_payoff, solve_game = rules.fill_payoff, rules.solve_game
    length, lines, variables = (size + 5) & -4, size + 1, 2 * size + 1

    @kernel
    def solve_layer(
        rulings: Any, layout: Any, layer: Any, keys: Any, values: Any, worths: Any, gaps: Any
    ) -> None:
        work = Dictionary(
            cuda.local.array((size, size), number),
            cuda.local.array((lines, length), number),
            cuda.local.array(lines, index),
            cuda.local.array(length, index),
            cuda.local.array(length, number),
            cuda.local.array(size, number),
            cuda.local.array(size, number),
            cuda.local.array(variables, flag),
            cuda.local.array(variables, flag),
        )
        widest = 0.0
        place = cuda.grid(1)
        while place < layer.size:
            state = unpack(layer[place], rulings, layout)
            _, sign = locate(state, layout)
            worths[place] = 0.0
            if sign != 0:
                height, width = fill_payoff(state, layout, keys, values, work.payoff)
                lower, upper = solve_game(work, work.payoff, height, width)
                worths[place] = 0.5 * (lower + upper)
                widest = max(widest, upper - lower)
            place += cuda.gridsize(1)
        cuda.atomic.max(gaps, 0, widest)

    return solve_layer


def matrix_kernel(size: int) -> Any:
    """The kernel that solves many matrix games of one size, with payoffs of any scale."""
    solve_matrices = bound_rules(batch.__name__)["solve_matrices"]
    length, lines, variables = (size + 5) & -4, size + 1, 2 * size + 1

    @kernel
    def solve_all(payoffs: Any, values: Any, gaps: Any, row_mixes: Any, column_mixes: Any) -> None:
        work = Dictionary(
            cuda.local.array((size, size), number),
            cuda.local.array((lines, length), number),
            cuda.local.array(lines, index),
            cuda.local.array(length, index),
            cuda.local.array(length, number),
            cuda.local.array(size, number),
            cuda.local.array(size, number),
            cuda.local.array(variables, flag),
            cuda.local.array(variables, flag),
        )
        game = cuda.grid(1)
        while game < payoffs.shape[0]:
            solve_matrices(payoffs, game, game + 1, values, gaps, row_mixes, column_mixes, work)
            game += cuda.gridsize(1)

    return solve_all
