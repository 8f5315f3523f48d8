"""Environments: steps a second, beside PettingZoo's own, `AsyncVectorEnv` and pgx."""

import statistics
import time
from typing import Any, Final

import gymnasium
import numpy as np

from bench.comparison import REPEATS, peers, report
from bench.move_rate import SECONDS, aec_move_rate
from evenodds.adapters import pettingzoo
from evenodds.adapters.gymnasium import environment_id
from evenodds.adapters.vector import TwoSeatVectorEnv
from evenodds.core.catalog import AnyGame, list_games

PROCESSES: Final = 8
MATCHES: Final = 4096
BATCH: Final = 10_000
"""Matches side by side, as many as pgx plays here."""
BOTH: Final = ("rounds", "matches")
"""What is measured where both seats pick."""
HEADS: Final = (
    "", "moves in PettingZoo", "steps of `AsyncVectorEnv`", "steps of the vector environment",
    "times", "rounds of both seats", "whole matches",
)  # fmt: skip


def chosen(masks: Any, chance: np.random.Generator) -> Any:
    """Any open number for each agent."""
    return (chance.random(masks.shape, np.float32) * masks).argmax(axis=-1)


def stepping(envs: Any) -> tuple[float, float, float]:
    """Steps a second of a vector environment, of the steps alone and with picks chosen; matches."""
    chance = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    steps, ended, within = 0, 0, 0.0
    envs.step(chosen(observations["action_mask"], chance))
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        actions = chosen(observations["action_mask"], chance)
        before = time.perf_counter()
        observations, _, terminated, _, _ = envs.step(actions)
        within += time.perf_counter() - before
        steps += envs.num_envs
        ended += int(terminated.sum())
    return steps / within, steps / spent, ended / spent


def vectors(game: AnyGame) -> tuple[float, float]:
    """Steps a second against chance: processes with one environment each, and ours."""
    name = environment_id(game)
    with_processes = gymnasium.make_vec(name, PROCESSES, "async")
    theirs = stepping(with_processes)[0]
    with_processes.close()
    return theirs, stepping(gymnasium.make_vec(name, MATCHES, "vector_entry_point"))[0]


def one_run(games: list[AnyGame]) -> dict[str, float]:
    """Every figure once, in turn."""
    found = peers("environments")
    for game in games:
        found[game.name] = aec_move_rate(pettingzoo.env(game))
        found[f"async {game.name}"], found[f"vector {game.name}"] = vectors(game)
        _, *both = stepping(TwoSeatVectorEnv(BATCH, game))
        found |= {f"{what} {game.name}": rate for what, rate in zip(BOTH, both, strict=True)}
    return found


def section() -> str:
    """Environments, as a section of the page on performance."""
    games = list_games()
    runs = [one_run(games) for _ in range(REPEATS)]
    rates = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    rows = [
        f"| {name} | {' | '.join(f'{rate:,.0f}' if rate else '' for rate in found)} |"
        for name, found in (
            ("PettingZoo `rps`", (rates["rps"], 0, 0, 0, 0, 0)),
            ("PettingZoo `tictactoe`", (rates["tictactoe"], 0, 0, 0, 0, 0)),
            ("pgx `tic_tac_toe`", (0, 0, 0, 0, rates["pgx"], rates["pgx games"])),
            *((f"`{game.name}`", _figures(rates, game.name)) for game in games),
        )
    ]
    about = (
        f"All agents pick by chance; the medians of {REPEATS} runs taken in turn. First one agent "
        "after the other in PettingZoo, each looking before it picks. Then steps of one seat "
        f"against chance in Gymnasium: {PROCESSES} processes of `AsyncVectorEnv`, and {MATCHES:,} "
        f"matches in one step of the compiled rules. Last batches of {BATCH:,} matches with both "
        "seats, picks chosen by NumPy, on one core; pgx on the processor, by all cores, with picks "
        "chosen inside what it compiles. All figures are per second."
    )
    return report("Environments", about, HEADS, rows)


def _figures(rates: dict[str, float], name: str) -> tuple[float, ...]:
    theirs, ours = rates[f"async {name}"], rates[f"vector {name}"]
    return (rates[name], theirs, ours, ours / theirs, *(rates[f"{what} {name}"] for what in BOTH))
