"""Monte Carlo simulation of matches on all cores: outcomes, endings, lengths."""

import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.rulings import as_int
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, check_repetition
from evenodds.core.validation import validate
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Settled
from evenodds.engine import playouts
from evenodds.engine.compile import kernels_of
from evenodds.engine.compile_errors import compile_error_line, is_compile_error
from evenodds.engine.graph import Graph
from evenodds.engine.listing import Listing
from evenodds.engine.playouts import uniform
from evenodds.engine.policies import BadPolicy, Policy, Uniform
from evenodds.engine.results import REPETITION_ENDING
from evenodds.engine.sampling import cumulative_mixes
from evenodds.engine.softmax import SoftmaxPolicy
from evenodds.engine.solution import Solution
from evenodds.engine.threads import split_range, worker_threads
from evenodds.system.progress import silent
from evenodds.system.text import shorten

BATCH_MATCHES: Final = 200_000
"""Matches per task of a thread."""
DEFAULT_MAX_ROUNDS: Final = 10_000
"""Rounds after which a match is cut off, unless said otherwise."""
SEED_COUNT: Final = 1 << 62
MAX_MATCHES: Final = 10**12
MAX_ROUNDS: Final = 1_000_000

PickFunction = Callable[[Any, int, int, int], int]
"""A pick function: from position, seat, moves and a random number of 31 bits to a pick."""


class Simulation(NamedTuple):
    """Counts of matches: by outcome, by ending, by length in rounds.

    `repetition` says after how many times of the same position they were drawn; 0: never.
    """

    first: int
    draw: int
    second: int
    cut_off: int
    """Matches that were still open after the longest length."""
    endings: dict[str, int]
    lengths: dict[int, int]
    repetition: int


def _checked(name: str, value: Any, least: int, most: int) -> int:
    number = as_int(value)
    if number is None or not least <= number <= most:
        raise BadTerms(f"{name}={shorten(value)} is not allowed; allowed: {least:,} to {most:,}")
    return number


def simulate(
    game: GameLike,
    first: PickFunction | Policy = uniform,
    second: PickFunction | Policy = uniform,
    matches: int = 100_000,
    seed: int = 0,
    *,
    repetition: int = DEFAULT_REPETITION,
    longest: int = DEFAULT_MAX_ROUNDS,
    compiled: bool = True,
) -> Simulation:
    """Play matches between two pick functions or policies and count them.

    The same seed gives the same counts on any number of cores: every match has its own stream.
    A match is drawn when a position comes up 3 times, or as often as `repetition` says; 0 stands
    for never. Sampled, not exact: `solve` and `odds` are exact.
    """
    game, settled = catalog.settle(game, {})
    matches = _checked("matches", matches, 0, MAX_MATCHES)
    seed = _checked("seed", seed, 0, SEED_COUNT - 1)
    longest = _checked("longest", longest, 1, MAX_ROUNDS)
    validate(game, settled)
    functions, mixes = _pick_functions_and_mixes(game, settled, first, second)
    check_repetition(repetition)
    repetition = repetition if game.loops else 0
    kernels = kernels_of(
        game, compiled, repetition, first_pick=functions[FIRST], second_pick=functions[SECOND]
    )
    play = kernels.module(playouts.__name__)["simulate"]
    kinds = list(type(game.ending(game.start(settled))))

    def batch(piece: tuple[int, int]) -> list[Any]:
        counts = [np.zeros(size, np.int64) for size in (4, max(kinds) + 2, longest + 1)]
        try:
            stopped = play(settled, seed, *piece, mixes, *counts)
        except Exception as error:
            raise (_compile_failure(error) if is_compile_error(error) else error) from None
        if stopped < piece[1]:
            raise BadPolicy(f"a pick in match {stopped} is not one of the moves that were given")
        return counts

    with worker_threads() as threads:
        parts = list(threads.map(batch, split_range(matches, BATCH_MATCHES)))
    outcomes, endings, lengths = (sum(column) for column in zip(*parts, strict=True))
    by_name = {kind.name: int(endings[kind]) for kind in kinds} | {
        REPETITION_ENDING: int(endings[-1])
    }
    return Simulation(
        int(outcomes[2]),
        int(outcomes[1]),
        int(outcomes[0]),
        int(outcomes[3]),
        {name: count for name, count in by_name.items() if count},
        {rounds: int(count) for rounds, count in enumerate(lengths) if count},
        repetition,
    )


def _pick_functions_and_mixes(
    game: AnyGame, rulings: Settled, first: Any, second: Any
) -> tuple[list[Any], Any]:
    """For each seat its pick function, or None and a table of cumulative mixes."""
    sides: list[Any] = [uniform if isinstance(side, Uniform) else side for side in (first, second)]
    functions = [side if _is_pick_function(side) else None for side in sides]
    if None not in functions:
        return functions, (0, 0)
    graph = Graph(Listing(game, rulings, silent))
    mixes = [
        0 if functions[seat] else cumulative_mixes(graph, side, seat)
        for seat, side in zip(SEATS, sides, strict=True)
    ]
    return functions, tuple(mixes)


def _is_pick_function(side: Any) -> bool:
    """Whether this is a function of position, seat, moves and a random number."""
    function = getattr(side, "py_func", side)
    if not callable(function) or isinstance(function, SoftmaxPolicy | Solution):
        return False
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some built-ins have no signature
        return False
    if sum(parameter.default is parameter.empty for parameter in parameters) != 4:
        return False
    if not inspect.isfunction(function):
        raise BadPolicy("a way of picking is a plain function, so that it can be compiled")
    return True


def _compile_failure(error: Exception) -> BadPolicy:
    return BadPolicy(f"this way of picking does not compile: {compile_error_line(error)}")
