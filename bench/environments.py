"""Environments: steps a second, beside PettingZoo's own, `AsyncVectorEnv` and pgx."""

import statistics
import time
from typing import Any, Final

import gymnasium
import numpy as np

from bench.comparison import REPEATS, peers
from bench.move_rate import SECONDS, aec_move_rate
from evenodds.adapters import pettingzoo
from evenodds.adapters.gymnasium import environment_id
from evenodds.adapters.vector import TwoSeatVectorEnv
from evenodds.core.catalog import AnyGame, list_games

PROCESSES: Final = 8
MATCHES: Final = 4096
BATCH: Final = 10_000
"""Matches side by side, as many as pgx plays here."""
BOTH: Final = ("rounds", "with choosing", "matches")
"""What is measured where both seats pick."""


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
        both = stepping(TwoSeatVectorEnv(BATCH, game))
        found |= {f"{what} {game.name}": rate for what, rate in zip(BOTH, both, strict=True)}
    return found


def row(name: str, *rates: float) -> str:
    """A line of a table: rates as whole numbers, what is below a hundred as a ratio."""
    cells = [f"{rate:,.0f}" if rate >= 100 else f"{rate:.1f}" for rate in rates]
    return f"| {name} | {' | '.join(cells)} |"


def section() -> str:
    """Environments, as a section of the page on performance."""
    games = list_games()
    runs = [one_run(games) for _ in range(REPEATS)]
    rates = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    rps, tictactoe = rates["rps"], rates["tictactoe"]
    alone, many, whole = [], [], []
    for game in games:
        name, own = f"`{game.name}`", rates[game.name]
        alone.append(row(name, own, own / rps, own / tictactoe))
        theirs, ours = rates[f"async {game.name}"], rates[f"vector {game.name}"]
        many.append(row(name, theirs, ours, ours / theirs))
        whole.append(row(name, *(rates[f"{what} {game.name}"] for what in BOTH)))
    return "\n".join(
        [
            "## Environments",
            "",
            f"All agents pick by chance; the medians of {REPEATS} runs taken in turn. One agent",
            "after the other in PettingZoo, each looking before it picks:",
            "",
            "| | moves a second | times `rps` | times `tictactoe` |",
            "|---|---|---|---|",
            row("PettingZoo `rps`", rps, 1, rps / tictactoe),
            row("PettingZoo `tictactoe`", tictactoe, tictactoe / rps, 1),
            *alone,
            "",
            f"Steps a second of one seat against chance in Gymnasium: {PROCESSES} processes of",
            f"`AsyncVectorEnv`, and {MATCHES:,} matches in one step of the compiled rules. The",
            "latter is to be 20 times as fast.",
            "",
            "| | `AsyncVectorEnv` | vector environment | times |",
            "|---|---|---|---|",
            *many,
            "",
            f"Batches of {BATCH:,} matches with both seats, on one core; pgx on the processor, by",
            "all cores, with picks chosen inside what it compiles. Ours are chosen by NumPy.",
            "",
            "| | rounds a second | with choosing | whole matches a second |",
            "|---|---|---|---|",
            f"| pgx `tic_tac_toe` | | {rates['pgx']:,.0f} | {rates['pgx games']:,.0f} |",
            *whole,
        ]
    )
