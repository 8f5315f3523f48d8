"""What a program asks of a match and of a rule book: hints, reviews, sweeps and repairs.

The figures are those of the commands. The root package hands these functions on.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from evenodds.coach import reasons
from evenodds.coach.reasons import Hint
from evenodds.coach.review import Review
from evenodds.coach.review import review as review_by_solution
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.match import Match
from evenodds.core.rulings import ruling_texts
from evenodds.core.terms import check_seat
from evenodds.core.vocabulary import Seat
from evenodds.engine.on_demand import solution_for
from evenodds.study.grid import read_grid
from evenodds.study.measures import select_measures
from evenodds.study.repair import parse_goals
from evenodds.system import Progress, silent
from evenodds.workers.processes import ProcessPool
from evenodds.workers.task import TaskRunner

if TYPE_CHECKING:
    from evenodds.study.repair import RepairResult
    from evenodds.study.sweep import SweepResult


def review(match: Match) -> Review:
    """What each pick of a match cost, and what luck did; raises where it cannot be solved."""
    return review_by_solution(match, solution_for(match.terms))


def hint(match: Match, seat: Seat) -> Hint | None:
    """How a seat of a match should pick now, and why; None where it has no pick to make."""
    return reasons.hint(match, solution_for(match.terms), check_seat(seat))


def sweep(
    game: GameLike,
    rulings: Mapping[str, object],
    *,
    measures: str | Iterable[str] = (),
    progress: Progress = silent,
) -> "SweepResult":
    """Figures of a game under every combination: `sweep("circle", {"numbers": "6..12"})`.

    A ruling has a value, a list of values, or text as the command takes it; other rulings are those
    of `game`. Figures are kept one by one. Raises `BadRuling` or another `EvenOddsError`.
    """
    from evenodds.study.sweep import sweep as sweep_grid  # needs NumPy

    ruled = catalog.settle(game, {})
    book, own = (ruling_texts(each) for each in (ruled.game.rulings(), ruled.rulings))
    fixed = {key: text for key, text in own.items() if text != book[key]}
    swept = {key: _as_typed(values) for key, values in rulings.items()}
    grid = read_grid(ruled.game, fixed | swept)
    chosen = select_measures(tuple(filter(None, _names(measures))))
    return sweep_grid(grid, chosen, _runner(ruled.game), progress)


def repair(
    game: GameLike,
    want: str | Iterable[str] = ("fair", "no-draws", "skill"),
    *,
    progress: Progress = silent,
) -> "RepairResult":
    """The rulings nearest to the book under which a game is what you want.

    Raises `BadGame` where none could be solved, or another `EvenOddsError`.
    """
    from evenodds.study.repair import repair as repair_game  # as above

    about = catalog.get(game)
    goals = parse_goals(",".join(_names(want)))
    return repair_game(about, goals, _runner(about), progress)


def _runner(game: AnyGame) -> TaskRunner:
    """Processes, or this one for a game that is known nowhere else."""
    from evenodds.study.sweep import IN_THIS_PROCESS  # as above

    catalog.add(game)
    return ProcessPool() if game in catalog.list_games() else IN_THIS_PROCESS


def _names(given: str | Iterable[str]) -> list[str]:
    """Names in a list, or in a text with commas, as a command takes them."""
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else [*given]


def _as_typed(values: object) -> str:
    if isinstance(values, Iterable) and not isinstance(values, str):
        return ",".join(map(str, values))
    return str(values)
