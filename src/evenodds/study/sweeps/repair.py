"""Search for rulings that meet design goals, ranked by distance from the rule book."""

from itertools import combinations
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.core.rulings import OneOf, Option, options, spoken
from evenodds.solver import Progress, silent
from evenodds.study.sweeps.goals import DesignGoal, design_goal, impossibility_proofs
from evenodds.study.sweeps.grid import Grid
from evenodds.study.sweeps.measures import MEASURES, Figures
from evenodds.study.sweeps.sweep import SweepResult, sweep
from evenodds.study.sweeps.tables import REASON_COLUMN
from evenodds.system.tolerance import VALUE_TOLERANCE
from evenodds.workers.task import TaskRunner

MIN_RANGE_CHANGE: Final = 3
"""How far a ruling is changed at least, where its limits allow."""
MAX_TRIED_VALUES: Final = 16
"""Values of one ruling that are tried one by one; of more only some."""
TRIED_FRACTIONS: Final = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
"""The parts of the book's value that are tried where there are many."""
MAX_POSITIONS_BY_LOOPS: Final = {False: 20_000, True: 3_000}
"""Positions of a ruling that is tried, in games without loops and with them, which take longer."""
REPORTED_MEASURES: Final = ("length", "draws", "positions")
"""What it is told how it changes."""


class RulingChange(NamedTuple):
    """A ruling that keeps the wishes, and what it costs."""

    rules: dict[str, str]
    """The rulings that are changed."""
    far: float
    """How far in all: a word by 1, a number by its change as a part of the book's."""
    figures: Figures


class RepairResult(NamedTuple):
    """What a search found."""

    game: AnyGame
    wishes: tuple[str, ...]
    proofs: dict[str, str]
    """Why there can be no such ruling at all, by what is ruled out."""
    book: Figures
    sweep: SweepResult
    thresholds: Thresholds = DEFAULT_THRESHOLDS

    def wish(self, name: str) -> DesignGoal:
        """A wish by name, with the thresholds of this search."""
        return design_goal(name, self.thresholds)

    def keeping(self, wishes: tuple[str, ...]) -> list[RulingChange]:
        """The rulings searched that keep some wishes, the nearest to the book first."""
        found = [
            _ruling_change(self.game, row.rules, row.figures)
            for row in self.sweep.found
            if row.figures and all(self.wish(name).kept(row.figures) for name in wishes)
        ]
        return sorted(found, key=lambda one: (len(one.rules), one.far))

    @property
    def remedies(self) -> list[RulingChange]:
        """The rulings that keep every wish."""
        return self.keeping(self.wishes)

    @property
    def nearest(self) -> RulingChange | None:
        """The ruling that comes nearest to keeping every wish, the nearest to the book of several.

        None where nothing could be told.
        """
        found = [
            (sum(self.wish(name).short(row.figures) for name in self.wishes), row)
            for row in self.sweep.found
            if row.figures
        ]
        if not found:
            return None
        least = min(short for short, _ in found)
        near = [row for short, row in found if short <= least + VALUE_TOLERANCE]
        remedies = [_ruling_change(self.game, row.rules, row.figures or {}) for row in near]
        return min(remedies, key=lambda one: (len(one.rules), one.far))

    def compromises(self) -> dict[tuple[str, ...], list[RulingChange]]:
        """Where not every wish can be kept: the most that can be, and by which rulings."""
        for count in range(len(self.wishes) - 1, 0, -1):
            found = {some: self.keeping(some) for some in combinations(self.wishes, count)}
            kept = {some: remedies for some, remedies in found.items() if remedies}
            if kept:
                return kept
        return {}


def repair(
    game: AnyGame,
    wishes: tuple[str, ...],
    team: TaskRunner,
    progress: Progress = silent,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> RepairResult:
    """Search the rulings around the book's for those that keep the wishes."""
    proved = impossibility_proofs(game, wishes)
    grid = repair_search_grid(game)
    if proved and len(wishes) == 1:  # there is nothing to look for
        grid = grid._replace(picked=[spoken(game.rulings())])
    needed = {name for each in wishes for name in design_goal(each).measures} | {*REPORTED_MEASURES}
    measures = tuple(name for name in MEASURES if name in needed)
    found = sweep(grid, measures, team, progress, MAX_POSITIONS_BY_LOOPS[game.loops])
    book = spoken(game.rulings())
    figures = next(row.figures for row in found.rows if row.rules == book)
    return RepairResult(game, wishes, proved, figures or {}, found, thresholds)


def repair_search_grid(game: AnyGame) -> Grid:
    """The rulings that are tried: all words, and numbers around the book's up to twice as much."""
    book = spoken(game.rulings())
    grid = Grid(game, {key: _tried(option, book[key]) for key, option in game.options.items()})
    return grid._replace(picked=[given for given in grid.combinations() if _allowed(game, given)])


def _tried(option: Option, book: str) -> list[str]:
    if isinstance(option, OneOf):
        return list(option.words)
    usual = int(book)
    high = option.high if isinstance(option.high, int) else 2 * usual + MIN_RANGE_CHANGE
    low, top = min(usual // 2, usual - MIN_RANGE_CHANGE), max(2 * usual, usual + MIN_RANGE_CHANGE)
    tried = range(max(option.low, low), min(high, top) + 1)
    if len(tried) > MAX_TRIED_VALUES:
        some = (round(usual * part) for part in TRIED_FRACTIONS)
        return [str(number) for number in some if option.low <= number <= high]
    return [str(number) for number in tried]


def _allowed(game: AnyGame, rules: dict[str, str]) -> bool:
    try:
        game.settle_typed(rules)
    except ValueError:
        return False
    return True


def _ruling_change(game: AnyGame, rules: dict[str, str], figures: Figures) -> RulingChange:
    book = spoken(game.rulings())
    changed = {key: value for key, value in rules.items() if value != book[key]}
    far = sum(_distance(options(game.rulings)[key], book[key], rules[key]) for key in changed)
    return RulingChange(changed, far, figures)


def _distance(option: Option, book: str, ruled: str) -> float:
    if isinstance(option, OneOf):
        return 1.0
    return abs(int(ruled) - int(book)) / max(1, int(book))


def as_json(found: RepairResult) -> dict[str, Any]:
    """The finding as data."""
    return {
        "game": found.game.name,
        "wishes": {name: found.wish(name).about for name in found.wishes},
        "kept": bool(found.remedies),
        "proofs": found.proofs,
        "book": found.book,
        "remedies": [one._asdict() for one in found.remedies],
        "compromises": [
            {"wishes": list(some), "remedies": [one._asdict() for one in remedies]}
            for some, remedies in found.compromises().items()
        ]
        if not found.remedies
        else [],
        "nearest": None if found.remedies or not found.nearest else found.nearest._asdict(),
        "searched": found.sweep.grid.axes,
        "solved": len(found.sweep.found),
        "left_out": [
            {"rules": row.rules, REASON_COLUMN: row.reason} for row in found.sweep.left_out
        ],
        "exact": True,
    }
