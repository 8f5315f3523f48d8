"""What holds on a GPU: `python -m tests.gpu`, or in numba-cuda's simulator in `make test`.

It needs no pytest: machines with a GPU may have little installed. Each check prints a line. Rulings
may follow as JSON, such as {"underdog": {"numbers": 5}}; the usual ones of all games otherwise.
"""

import json
import sys
from typing import Any
from unittest.mock import patch

import numpy as np

import evenodds
from evenodds.core.rule_checks import TooLarge
from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import ONGOING
from evenodds.engine.gpu import device
from evenodds.engine.gpu.device import IS_SIMULATED, array_module, to_host
from evenodds.engine.gpu.solve import solve_on_gpu
from evenodds.engine.position_keys import packing
from evenodds.engine.solution import Solution
from evenodds.engine.solve import solve_settled
from evenodds.system import silent
from tests.support.examples import LARGE_GAME, SIMULTANEOUS_GAME
from tests.support.scipy_solver import scipy_value

MEMORY = 32 << 30


def check_game(name: str, rulings: dict[str, Any]) -> None:
    game, settled = evenodds.game(name, **rulings)
    here = solve_settled(game, settled, fresh=True, keep=False, device="cpu").solved
    there = solve_on_gpu(game, settled, MEMORY, silent)
    assert np.array_equal(np.asarray(here.keys), there.keys)
    assert here.positions == there.positions
    worst = abs(np.asarray(here.values) - there.values).max()
    assert worst <= here.gap + there.gap + 1e-15, worst
    assert there.gap <= 1e-10
    sums = [sum(np.abs(np.round(np.asarray(each.values), 9)).tolist()) for each in (here, there)]
    by_scipy = check_drawn(Solution(game, settled, there), 5 if IS_SIMULATED else 10_000)
    sys.stdout.write(
        f"{name} {rulings}: {there.positions:,} positions, differences up to {worst:.1e}; sums of "
        f"rounded magnitudes {sums[0]:.6f} and {sums[1]:.6f}; from linear programs {by_scipy:.1e}\n"
    )


def check_drawn(solution: Solution, count: int) -> float:
    """Solve positions drawn by lot a second way: by SciPy, over the values of what follows."""
    solved, drawn = solution.solved, np.random.default_rng(1)
    unpack = packing(solution.start).unpack
    worst = 0.0
    for place in drawn.integers(0, len(solved.keys), count):
        state = unpack(int(solved.keys[place]), solution.rulings, solved.layout)
        value = scipy_value(np.array(solution.matrix(state).payoff))
        worst = max(worst, abs(value - solution.value(state)))
    assert worst <= 1e-8, worst
    return worst


def check_editions(name: str, rulings: dict[str, Any]) -> None:
    """Kernels are those of a game's own rules, though functions of other rules have their names."""
    game, settled = evenodds.game(name, **rulings)
    for sign in (1, -1):
        edition = game._replace(outcome=signed(game.outcome, sign))
        here = solve_settled(edition, settled, fresh=True, keep=False, device="cpu").solved
        there = solve_on_gpu(edition, settled, MEMORY, silent)
        assert np.allclose(here.values, there.values, rtol=0, atol=1e-12)
    sys.stdout.write(f"{name}: another edition is solved by its own rules\n")


def signed(original: Any, sign: int) -> Any:
    """The outcome of a game, or the opposite."""

    @rule
    def outcome(state: Any) -> Any:
        found = original(state) + 0
        return found if found == ONGOING else sign * found

    return outcome


def check_numpy() -> None:
    """What NumPy lacks and Numba asks for was lent to it while that was imported."""
    with patch.dict(vars(np)):
        vars(np).pop("row_stack", None)
        evenodds.matrix.solve([[[0.0]]], device="gpu")
        assert not hasattr(np, "row_stack")
    sys.stdout.write("NumPy is as it was\n")


class OnDevice:
    """An array of anybody's on the device, by the interface that CuPy and PyTorch share."""

    def __init__(self, games: Any) -> None:
        self.held = array_module().asarray(games)
        self.ndim = self.held.ndim
        interface = "__array_interface__" if IS_SIMULATED else "__cuda_array_interface__"
        self.__cuda_array_interface__ = getattr(self.held, interface)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """For the simulator, in which arrays are NumPy's."""
        return self.held


def check_matrices(count: int) -> None:
    chance = np.random.default_rng(0)
    for shape in ((1, 1), (3, 5), (9, 4), (10, 10)):
        games = np.concatenate(
            [
                chance.normal(size=(count, *shape)) * 1000,
                chance.integers(-1, 2, size=(count, *shape)).astype(float),
                np.full((1, *shape), 7.0),
            ]
        )
        here = evenodds.matrix.solve(games, device="cpu")
        there = evenodds.matrix.solve(games, device="gpu")
        assert np.allclose(here.value, there.value, rtol=0, atol=1e-9)
        resident = evenodds.matrix.solve(OnDevice(games))
        assert hasattr(resident.value, "get") != IS_SIMULATED  # results stay on the device
        assert np.array_equal(to_host(resident.value), there.value)
        assert there.gap.max() <= 1e-9
        wins = np.einsum("gi,gij->gj", there.row_mix, games).min(axis=1)
        gives = np.einsum("gij,gj->gi", games, there.column_mix).max(axis=1)
        assert (wins >= there.value - 1e-9).all()
        assert (gives <= there.value + 1e-9).all()
        sys.stdout.write(f"{len(games)} matrices of {shape}: gaps up to {there.gap.max():.1e}\n")


def check_refusals() -> None:
    """What does not fit names the positions and the memory, of the processor or of the GPU."""
    ruled = evenodds.game(LARGE_GAME)
    for free, host, limit in (
        (MEMORY, 1 << 20, "the memory limit (EVENODDS_MEMORY_MB) of 1 MB allows 65,536"),
        (3 << 20, MEMORY, "the GPU's free memory of 3 MB allows 131,072"),
    ):
        with patch.object(device, "free_memory", lambda free=free: free):
            refusal = "none"
            try:
                solve_on_gpu(*ruled, host, silent)
            except TooLarge as error:
                refusal = str(error)
        assert refusal.endswith(limit), refusal
        assert " positions at least need " in refusal, refusal
        sys.stdout.write(f"{refusal}\n")


def main() -> None:
    """Run all checks; an assertion fails where one does not hold."""
    given: dict[str, dict[str, Any]] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    for game in evenodds.list_games():
        if game.simultaneous:
            check_game(game.name, given.get(game.name, {}))
    check_editions(SIMULTANEOUS_GAME, given.get(SIMULTANEOUS_GAME, {}))
    check_matrices(3 if IS_SIMULATED else 50_000)
    check_refusals()
    check_numpy()
