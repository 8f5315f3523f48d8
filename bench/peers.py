"""What other solvers do in a second, measured in their own environment; the answer is JSON.

`.peers/bin/python -m bench.peers WHAT` knows nothing of Even Odds; WHAT is one of the functions.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import highspy
import numpy as np
import pyspiel
from open_spiel.python.algorithms import value_iteration
from scipy.optimize import linprog

from bench.move_rate import aec_move_rate

SIZE = 10
BATCH = 10_000
SECONDS = 3.0
CERTIFIED = 50
"""Games whose gap is looked at."""


def rate(work: Callable[[int], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How often something can be done in a second, by some clock."""
    work(0)
    done, start = 0, clock()
    while (spent := clock() - start) < SECONDS:
        work(done)
        done += 1
    return done / spent


def matrices() -> dict[str, float]:
    """Matrix games of 10 x 10 a second, and the widest gap that the mixes of some leave."""
    games = np.random.default_rng(1).uniform(-1, 1, (200, SIZE, SIZE))
    found: dict[str, float] = {}
    for solve in (scipy, highs, nashpy, openspiel):
        name = "highspy" if solve is highs else solve.__name__
        once = partial(lambda solve, place: solve(games[place % 200]), solve)
        found[name] = rate(once, time.process_time)
        found[f"{name} gap"] = max(gap(payoff, *solve(payoff)) for payoff in games[:CERTIFIED])
    return found


def gap(payoff: Any, row_mix: Any, column_mix: Any) -> float:
    """The distance between what two mixes guarantee."""
    return float((payoff @ column_mix).max() - (row_mix @ payoff).min())


def program(payoff: Any) -> tuple[Any, Any, Any]:
    """Most v with what each column gives at least v: goal, rows of columns, row of the whole."""
    goal = np.append(np.zeros(SIZE), 1.0)
    whole = np.append(np.ones(SIZE), 0.0)[None, :]
    return goal, np.hstack([-payoff.T, np.ones((SIZE, 1))]), whole


def scipy(payoff: Any) -> tuple[Any, Any]:
    """Both mixes by scipy: those of the columns are the duals."""
    goal, rows, whole = program(payoff)
    bounds = [(0, None)] * SIZE + [(None, None)]
    found = linprog(-goal, rows, np.zeros(SIZE), whole, [1.0], bounds)
    assert found.x is not None
    return found.x[:SIZE], -found.ineqlin.marginals


def highs(payoff: Any) -> tuple[Any, Any]:
    """Both mixes by HiGHS: those of the columns are the duals."""
    goal, rows, whole = program(payoff)
    solver = highspy.Highs()
    solver.silent()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = SIZE + 1, SIZE + 1
    model.col_cost_ = -goal
    model.col_lower_ = np.append(np.zeros(SIZE), -highspy.kHighsInf)
    model.col_upper_ = np.full(SIZE + 1, highspy.kHighsInf)
    model.row_lower_ = np.append(np.full(SIZE, -highspy.kHighsInf), 1.0)
    model.row_upper_ = np.append(np.zeros(SIZE), 1.0)
    rows = np.vstack([rows, whole])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.arange(0, rows.size + 1, SIZE + 1)
    model.a_matrix_.index_ = np.tile(np.arange(SIZE + 1), SIZE + 1)
    model.a_matrix_.value_ = rows.ravel()
    solver.passModel(model)
    solver.run()
    found = solver.getSolution()
    return np.array(found.col_value[:SIZE]), -np.array(found.row_dual[:SIZE])


def nashpy(payoff: Any) -> tuple[Any, Any]:
    """Both mixes by nashpy."""
    import nashpy as library

    first, second = library.Game(payoff).linear_program()
    return first, second


def openspiel(payoff: Any) -> tuple[Any, Any]:
    """Both mixes by OpenSpiel."""
    from open_spiel.python.algorithms import lp_solver

    game = pyspiel.create_matrix_game(payoff.tolist(), (-payoff).tolist())
    first, second, _, _ = lp_solver.solve_zero_sum_matrix_game(game)
    return np.ravel(first), np.ravel(second)


def positions() -> dict[str, float]:
    """Positions a second by value iteration on goofspiel with 5 cards in descending order."""
    game = pyspiel.load_game("goofspiel(num_cards=5,points_order=descending,imp_info=False)")
    start = time.perf_counter()
    found = value_iteration.value_iteration(game, -1, 1e-6)
    return {"openspiel": len(found) / (time.perf_counter() - start)}


def rollouts() -> dict[str, float]:
    """Matches a second of goofspiel with 10 cards in descending order, picked at random."""
    game = pyspiel.load_game("goofspiel(num_cards=10,points_order=descending)")
    chance = random.Random(1)

    def play(_: int) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_actions([chance.choice(state.legal_actions(seat)) for seat in (0, 1)])

    return {"openspiel": rate(play)}


def environments() -> dict[str, float]:
    """Moves a second of PettingZoo's own games, and of pgx with whole games in batches."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    from pettingzoo.classic import rps_v2, tictactoe_v3

    moves, games = batches()
    return {
        "rps": aec_move_rate(rps_v2.env()),
        "tictactoe": aec_move_rate(tictactoe_v3.env()),
        "pgx": moves,
        "pgx games": games,
    }


def batches() -> tuple[float, float]:
    """Moves and games a second of tic-tac-toe in pgx: every game to its end in one call."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("tic_tac_toe")

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        scores = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(key, scores, axis=-1)
        return jax.vmap(env.step)(state, actions), ~state.terminated

    def games(key: Any) -> Any:
        first, *rest = jax.random.split(key, 10)
        state = jax.vmap(env.init)(jax.random.split(first, BATCH))
        state, moved = jax.lax.scan(move, state, jnp.stack(rest))
        return moved.sum(), state.terminated.all()

    play, made = jax.jit(games), []
    once = rate(lambda seed: made.append(jax.block_until_ready(play(jax.random.PRNGKey(seed)))))
    assert all(bool(ended) for _, ended in made)
    return once * sum(int(moved) for moved, _ in made) / len(made), once * BATCH


WHAT = {
    "environments": environments,
    "matrices": matrices,
    "positions": positions,
    "rollouts": rollouts,
}
json.dump(WHAT[sys.argv[1]](), sys.stdout)
