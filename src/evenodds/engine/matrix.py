"""Zero-sum matrix games of anybody's: value, optimal mixes and a certificate.

    >>> import evenodds
    >>> evenodds.matrix.solve([[3, -1], [-1, 1]])
    Equilibrium(value=0.333..., row_mix=[0.333..., 0.666...], ...)

The row player maximises the payoff, the column player minimises it.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

from evenodds.core.vocabulary import RULES
from evenodds.engine.gpu.device import MATRIX_SIZES, array_module, is_for_gpu, require_gpu
from evenodds.engine.matrix_batch import solve_matrices, solve_scaled
from evenodds.engine.simplex import guarantees, make_workspace, solve_game
from evenodds.engine.threads import WorkerThreads, split_range
from evenodds.system import EvenOddsError
from evenodds.system.environment import Device, choose_device
from evenodds.system.imports import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BadPayoffs", "Equilibria", "Equilibrium", "solve"]

MIN_GAMES_FOR_GPU: Final = 100_000
"""With fewer the processor is done before the GPU has its kernels."""
POOR_GAP: Final = 1e-6
"""A gap above this share of the value and of the smallest payoff is worth rational arithmetic."""
ROUNDING: Final = 2.0**-52
"""The share of the largest payoff that a sum may be off by: no gap is better known."""
MAX_EXACT_PICKS: Final = 12
"""Larger games would take seconds each."""
MAX_EXACT_GAMES: Final = 100
"""The most games of an array that are solved again, which takes a few seconds at most."""
WITHOUT_ROUNDING: Final = {
    "PIVOT_TOLERANCE": 0,
    "RATIO_TOLERANCE": 0,
    "MAX_PIVOTS_PER_DIMENSION": 1 << 40,
}
"""Constants of the simplex method over fractions: there Bland's rule always ends."""


class BadPayoffs(EvenOddsError, ValueError):
    """The payoffs are no matrix of finite numbers."""


class Equilibrium(NamedTuple):
    """The solution of one game."""

    value: float
    """What the row player wins on average when both play optimally; exact up to `gap`."""
    row_mix: list[float]
    """One optimal mix of the row player; there may be others."""
    column_mix: list[float]
    gap: float
    """The best reply to either mix improves on the value by at most this."""


class Equilibria(NamedTuple):
    """The solutions of an array of games; the fields are those of `Equilibrium`, as arrays."""

    value: "NDArray[np.float64]"
    row_mix: "NDArray[np.float64]"
    column_mix: "NDArray[np.float64]"
    gap: "NDArray[np.float64]"


@overload
def solve(payoffs: Sequence[Sequence[float]], *, device: Device | None = None) -> Equilibrium: ...


@overload
def solve(payoffs: Any, *, device: Device | None = None) -> Equilibria: ...


def solve(payoffs: Any, *, device: Device | None = None) -> Equilibrium | Equilibria:
    """Solve one game, or many of the same size at once.

    A matrix of lists gives floats and lists, and needs no NumPy. An array of shape (..., rows,
    columns), or a list of matrices, gives arrays, `value` and `gap` of shape (...); that is
    compiled and runs on all cores. With `device="gpu"` they are solved on the GPU; "auto", which
    EVENODDS_DEVICE may change, takes it for many games where there is one. Games of more than 48
    picks stay on the processor. An array that is on the GPU already (CuPy, PyTorch) is solved
    there, and so are its results. Raises `BadPayoffs`.

    Payoffs of very different magnitude can leave a large `gap`. Such games of up to 12 picks are
    solved again in rational arithmetic, of an array in memory up to 100.
    """
    where = choose_device(device)
    if hasattr(payoffs, "ndim") or _depth(payoffs) > 2:
        return _solve_arrays(payoffs, where)
    matrix = _checked_matrix(payoffs)
    if where == "gpu":
        require_gpu()
    height, width = len(matrix), len(matrix[0])
    work = make_workspace(height, width)
    value, gap = solve_scaled(matrix, height, width, work)
    sizes = [abs(entry) for row in matrix for entry in row if entry] or [0.0]
    if max(height, width) <= MAX_EXACT_PICKS and _is_poor(gap, value, max(sizes), min(sizes)):
        return _solved_exactly(matrix)
    return Equilibrium(value, work.row_mix, work.column_mix, gap)


def _is_poor(gap: Any, value: Any, largest: Any, smallest: Any = 0.0) -> Any:
    """Whether the gap of a solution, or of each of many, is worth rational arithmetic."""
    poor: Any = True
    for size in (abs(value), smallest):
        poor &= (gap > POOR_GAP * size) | (ROUNDING * largest > POOR_GAP * size)
    return poor


def _solved_exactly(matrix: list[list[float]]) -> Equilibrium:
    """The solution by the same method over fractions; the gap is that of the rounded mixes."""
    payoff = [[Fraction(entry) for entry in row] for row in matrix]
    height, width = len(matrix), len(matrix[0])
    names: dict[str, Any] = solve_game.__globals__ | WITHOUT_ROUNDING
    for each in RULES[solve_game.__module__]:
        names[each.__name__] = FunctionType(each.__code__, names)
    work = make_workspace(height, width)
    value, _ = names["solve_game"](work, payoff, height, width)
    row_mix, column_mix = list(map(float, work.row_mix)), list(map(float, work.column_mix))
    for mix, rounded in ((work.row_mix, row_mix), (work.column_mix, column_mix)):
        shares = list(map(Fraction, rounded))
        mix[:] = [share / sum(shares) for share in shares]
    lower, upper = guarantees(work, payoff, height, width)
    return Equilibrium(float(value), row_mix, column_mix, float(upper - lower))


def _depth(payoffs: Any) -> int:
    depth = 0
    while isinstance(payoffs, Sequence) and not isinstance(payoffs, str) and payoffs:
        payoffs, depth = payoffs[0], depth + 1
    return depth


def _checked_matrix(payoffs: Any) -> list[list[float]]:
    try:
        matrix = [[float(entry + 0.0) for entry in row] for row in payoffs]
    except (TypeError, ValueError, OverflowError):
        raise BadPayoffs("payoffs are rows of numbers, one row for each pick") from None
    if not matrix or not matrix[0] or any(len(row) != len(matrix[0]) for row in matrix):
        raise BadPayoffs("payoffs are at least one row, all of the same length")
    _check_span(min(map(min, matrix)), max(map(max, matrix)), sum(map(sum, matrix)))
    return matrix


def _check_span(low: float, high: float, total: float) -> None:
    # NaN may hide from minimum and maximum, but not from a sum.
    if not isfinite(high - low) or total != total:
        raise BadPayoffs("payoffs are finite numbers, and so is the range between them")


def _solve_arrays(payoffs: Any, device: str) -> Equilibria:
    with needs("solver"):
        import numpy as np

        from evenodds.engine.compile import shared_kernel

    on_device = hasattr(payoffs, "__cuda_array_interface__")
    if on_device:
        require_gpu()
    xp = array_module() if on_device else np
    try:
        games = xp.asarray(payoffs)
        if not np.can_cast(games.dtype, np.float64):
            raise TypeError
        games = games.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise BadPayoffs("payoffs are an array of numbers, all games of one size") from None
    if games.ndim < 2 or 0 in games.shape[-2:]:
        raise BadPayoffs(f"payoffs of shape (..., rows, columns) are needed, not {games.shape}")
    *shape, height, width = games.shape
    games = xp.ascontiguousarray(games).reshape(-1, height, width)
    low = high = 0.0
    if len(games):
        with np.errstate(all="ignore"):
            low, high = float(games.min()), float(games.max())  # NaN where there is one
            _check_span(low, high, low)
    values, gaps = xp.empty(len(games)), xp.empty(len(games))
    mixes = xp.empty((len(games), height)), xp.empty((len(games), width))
    fits = max(height, width) <= MATRIX_SIZES[-1]  # larger ones stay on the processor
    if on_device and not fits:
        raise BadPayoffs(
            f"a GPU solves games of up to {MATRIX_SIZES[-1]} picks; pass a NumPy array"
        )
    if on_device or (is_for_gpu(device, len(games) >= MIN_GAMES_FOR_GPU) and fits):
        from evenodds.engine.gpu.solve import solve_matrices_on_gpu

        solve_matrices_on_gpu(games, values, gaps, *mixes)
    else:
        kernel = shared_kernel(solve_matrices)

        def run(piece: tuple[int, int]) -> None:
            kernel(games, *piece, values, gaps, *mixes, make_workspace(height, width, np.array))

        with WorkerThreads() as threads:
            list(threads.map(run, split_range(len(games))))
    found = Equilibria(values, *mixes, gaps)
    if not on_device and max(height, width) <= MAX_EXACT_PICKS:
        _improve_all(games, found, max(-low, high))
    return Equilibria(*(part.reshape((*shape, *part.shape[1:])) for part in found))


def _improve_all(games: "NDArray[np.float64]", found: Equilibria, largest: float) -> None:
    """Replace solutions with a poor gap; no payoff is larger than `largest`."""
    import numpy as np

    # Most games pass this already, which reads no payoffs.
    doubtful = np.flatnonzero(_is_poor(found.gap, found.value, largest))
    sizes = np.abs(games[doubtful])
    smallest = np.where(sizes > 0, sizes, np.inf).min((1, 2))
    given = found.gap[doubtful], found.value[doubtful], sizes.max((1, 2), initial=0), smallest
    for game in doubtful[_is_poor(*given)][:MAX_EXACT_GAMES]:
        better: Any = _solved_exactly(games[game].tolist())
        for part, figures in zip(found, better, strict=True):
            part[game] = figures
