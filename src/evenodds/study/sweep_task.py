"""Worker task that solves and measures one ruling."""

from contextlib import suppress
from typing import Final

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.graph import TooLarge, result_path
from evenodds.kernels import (
    are_small_games_compiled,
    compile_small_games,
)
from evenodds.players.levels import ladder_of
from evenodds.study.measures import compute_measures
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import SWEEP_KIND
from evenodds.system import cache_folder
from evenodds.system.files import make_private_folder
from evenodds.system.locks import Lock
from evenodds.workers.task import DIFFERENT_RULES_REASON, Task, TaskResult

MEASURE_FUNCTION: Final = f"{__name__}:work"
MAX_INTERPRETED_RULINGS: Final = 30
"""Rulings after which a process compiles kernels for small games too: interpreting as many takes as
long as compiling once, so that it costs at most twice what the better choice would have."""
MIN_COMPILED_RULINGS: Final = 100
"""Rulings of a sweep from which kernels for small games are compiled at once, by two processes."""

"""Stands for a game: kernels that all games share, which a second process compiles."""


def measured_edition(game: AnyGame, rulings: Settled) -> str:
    """A fingerprint of rules and measures, by which other workers refuse; may be empty."""
    path = result_path(game, rulings, SWEEP_KIND, str(ladder_of(game)))
    return path.name if path else ""


def measure_task(
    game: AnyGame,
    rulings: Settled,
    measures: tuple[str, ...],
    max_positions: int | None,
    sweep_size: int = 1,
) -> Task:
    """The task to measure a ruling of a sweep, if it has no more than `max_positions` positions."""
    edition = measured_edition(game, rulings)
    rules = ruling_texts(rulings)
    return Task(MEASURE_FUNCTION, (game.name, rules, measures, edition, max_positions, sweep_size))


def work(
    name: str,
    rules: dict[str, str],
    measures: tuple[str, ...],
    edition: str,
    max_positions: int | None,
    sweep_size: int,
) -> TaskResult:
    """Measure one ruling, if this process has the same edition of rules and measures."""
    lock = None
    if sweep_size < MIN_COMPILED_RULINGS:
        compile_small_games(after=MAX_INTERPRETED_RULINGS)
    elif not are_small_games_compiled():
        lock = _compile_lock(name)
        if lock:
            compile_small_games()
    try:
        return _measure(name, rules, measures, edition, max_positions)
    finally:
        if lock:
            lock.release()


def _compile_lock(name: str) -> Lock | None:
    """The right to compile the kernels of a game; None while another process does.

    Until it is done, this one interprets: to wait would take longer.
    """
    with suppress(OSError):
        make_private_folder(cache_folder.folder())
        return Lock(cache_folder.folder() / f"{name}.compiling")
    return None


def _measure(
    name: str,
    rules: dict[str, str],
    measures: tuple[str, ...],
    edition: str,
    max_positions: int | None,
) -> TaskResult:
    game = catalog.get(name)
    rulings = game.settle_typed(rules)
    if edition != measured_edition(game, rulings):
        return TaskResult(None, DIFFERENT_RULES_REASON)
    try:
        solved = SolvedGame(game, rulings, max_positions=max_positions, keep=False)
        return TaskResult(compute_measures(solved, tuple(measures)))
    except (TooLarge, BadGame) as error:
        return TaskResult(None, str(error), permanent=True)
