"""Search for rulings that meet design goals, ranked by distance from the rule book.

Of some goals it is proved that no ruling can meet them.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final, NamedTuple

from evenodds.claims.thresholds import FEW_DRAWS, STEP
from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import OneOf, Option, ruling_texts, typed_value
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.study.claim_results import claims_module_of
from evenodds.study.grid import Grid, allows, every_ruling, offered
from evenodds.study.measures import MEASURES, Figures, select_names
from evenodds.study.sweep import SweepResult, SweepRow, sweep
from evenodds.study.sweep_output import left_out_as_json
from evenodds.system import Progress, silent
from evenodds.workers.task import TaskRunner

MIN_RANGE_CHANGE: Final = 3
"""How far a number is changed at least in both directions, within its limits."""
MAX_TRIED_VALUES: Final = 16
"""The most values of a ruling that are all tried; of more, only `TRIED_FRACTIONS` are."""
TRIED_FRACTIONS: Final = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
"""Multiples of the rule book's value that are tried."""
MAX_POSITIONS_BY_LOOPS: Final = {False: 20_000, True: 3_000}
"""Largest rulings that are tried, in positions: with loops (True) solving takes longer."""
REPORTED_MEASURES: Final = ("length", "draws", "positions")
FAIR: Final = "fair"
FEW_DRAWS_GOAL: Final = "few-draws"
NO_DRAWS: Final = "no-draws"
SKILL: Final = "skill"


class DesignGoal(NamedTuple):
    """A design goal: a sentence, the measures it needs, and how near figures come to it."""

    about: str
    measures: tuple[str, ...]
    shortfall: Callable[[Figures], float]
    """How far a ruling is from meeting it, from 0 to 1."""
    describe: Callable[[Figures], str]
    """How near a ruling comes, in words."""

    def met(self, figures: Figures) -> bool:
        """Whether a ruling meets it."""
        return self.shortfall(figures) <= VALUE_TOLERANCE


def _undecided(figures: Figures) -> float:
    return (figures["draws"] or 0.0) + (figures["endless"] or 0.0)


def _undecided_share(figures: Figures) -> str:
    return f"{percent(_undecided(figures))} of perfect play has no winner"


def _best_step(figures: Figures) -> str:
    if figures["step"] is None:
        return "its levels cannot be weighed"
    return f"the best step of the ladder is {percent(figures['step'])}"


GOALS: Final = {
    FAIR: DesignGoal(
        "The start is worth the same to both seats.",
        ("value", "fair"),
        lambda figures: abs(figures["value"] or 0.0),
        lambda figures: f"the first seat scores {percent(0.5 + (figures['value'] or 0.0) / 2)}",
    ),
    FEW_DRAWS_GOAL: DesignGoal(
        f"At most {FEW_DRAWS} of perfect play has no winner.",
        ("draws", "endless"),
        lambda figures: max(0.0, _undecided(figures) - FEW_DRAWS.value),
        _undecided_share,
    ),
    NO_DRAWS: DesignGoal(
        "Perfect play ends, and never in a draw.",
        ("draws", "endless"),
        _undecided,
        _undecided_share,
    ),
    SKILL: DesignGoal(
        f"Some level scores {STEP} or better against the one below.",
        ("step",),
        lambda figures: max(0.0, STEP.value - (figures["step"] or 0.0)),
        _best_step,
    ),
}
SYMMETRY_PROOF: Final = (
    "The rules favour neither seat, so best play is the same for both. Both may then pick the same "
    "number round after round; nobody gets ahead, and such a match is a draw, whatever is ruled."
)
TURN_GAME_PROOF: Final = (
    "In a game of turns nothing is hidden, so best play wins for one seat, or is a draw, or goes "
    "on for ever. Fair would be one of the last two, and these are not wanted, whatever is ruled."
)


def parse_goals(text: str) -> tuple[str, ...]:
    """Names of goals separated by commas, each once, in the order of the list."""
    return select_names([part.strip() for part in text.split(",")], GOALS, "goal")


def impossibility_proofs(game: AnyGame, goals: tuple[str, ...]) -> dict[str, str]:
    """Proofs that no ruling meets a goal, by the goal or goals that are ruled out."""
    never: dict[str, str] = getattr(claims_module_of(game), "NEVER", {})
    found = {name: proof for name, proof in never.items() if name in goals}
    if game.chance:  # what is drawn may favour a seat
        return found
    if NO_DRAWS in goals and game.mirror is not None and game.simultaneous and not game.loops:
        found[NO_DRAWS] = SYMMETRY_PROOF
    if FAIR in goals and not game.simultaneous and FAIR not in found:
        wanted = (goal for goal in (FEW_DRAWS_GOAL, NO_DRAWS) if goal in goals)
        found |= {f"{FAIR} and {goal}": TURN_GAME_PROOF for goal in wanted}
    return found


class RulingChange(NamedTuple):
    """Changed rulings with their distance and figures. The fields are keys of the JSON."""

    rules: dict[str, str]
    far: float
    """The distance from the rule book: for a ruling that is a word 1, for a number its relative
    change; and likewise for the mean length and the draws of perfect play."""
    figures: Figures
    livelier: bool = False
    """Whether these are the rulings that a game offers as livelier."""


class RepairResult(NamedTuple):
    """The result of a repair search."""

    game: AnyGame
    goals: tuple[str, ...]
    proofs: dict[str, str]
    """Proofs that some goals cannot be met, by the goals ruled out."""
    book: Figures
    sweep: SweepResult
    complete: bool = False
    """Whether every ruling that the game allows was searched, not those near the book's alone, and
    none was left out."""

    @property
    def tried(self) -> list[RulingChange]:
        """All rulings with figures, the nearest to the rule book first."""
        found = [_ruling_change(self.game, row, self.book) for row in self.sweep.found]
        return sorted(found, key=lambda one: (len(one.rules), one.far))

    def meeting(self, goals: tuple[str, ...]) -> list[RulingChange]:
        """The rulings that meet some goals, the nearest to the rule book first."""
        return [one for one in self.tried if all(GOALS[name].met(one.figures) for name in goals)]

    @property
    def changes(self) -> list[RulingChange]:
        """The rulings that meet every goal."""
        return self.meeting(self.goals)

    @property
    def nearest(self) -> RulingChange | None:
        """The ruling with the least total shortfall; of several the nearest to the rule book.

        None where no ruling has figures.
        """
        tried = self.tried
        short = [sum(GOALS[name].shortfall(one.figures) for name in self.goals) for one in tried]
        # With a tolerance: else rounding would decide between rulings that fall equally short.
        least = min(short, default=0.0) + VALUE_TOLERANCE
        return next((one for one, far in zip(tried, short, strict=True) if far <= least), None)

    def compromises(self) -> dict[tuple[str, ...], list[RulingChange]]:
        """The largest sets of goals that can be met, with the rulings that meet them."""
        for count in range(len(self.goals) - 1, 0, -1):
            result = {subset: self.meeting(subset) for subset in combinations(self.goals, count)}
            kept = {subset: changes for subset, changes in result.items() if changes}
            if kept:
                return kept
        return {}


def repair(
    game: AnyGame,
    goals: tuple[str, ...],
    runner: TaskRunner,
    progress: Progress = silent,
    max_positions: int | None = None,
) -> RepairResult:
    """Search the rulings around the rule book's for those that meet the goals.

    Where none does, and it is not proved that none can, all that the game allows are searched.
    Rulings with more than `max_positions` are left out; by default `MAX_POSITIONS_BY_LOOPS`.
    `BadGame` where none is solved and nothing proved.
    """
    proofs = impossibility_proofs(game, goals)
    book = ruling_texts(game.rulings())
    grid = repair_search_grid(game)
    if proofs and len(goals) == 1:  # nothing to search; the rule book's own figures are shown
        grid = grid._replace(picked=[book])
    needed = {name for each in goals for name in GOALS[each].measures} | {*REPORTED_MEASURES}
    measures = select_names(list(needed), MEASURES, "measure")
    most = max_positions or MAX_POSITIONS_BY_LOOPS[game.loops]
    result = sweep(grid, measures, runner, progress, most)
    figures = next(row.figures for row in result.rows if row.rules == book) or {}
    found = RepairResult(game, goals, proofs, figures, result)
    if not (proofs or found.changes) and (everything := every_ruling(game)):
        result = sweep(everything, measures, runner, progress, most)
        found = found._replace(sweep=result, complete=not result.left_out)
    if not (proofs or result.found):
        raise BadGame(f"none of the rulings could be solved: {result.left_out[0].reason}")
    return found


def repair_search_grid(game: AnyGame) -> Grid:
    """The search space: all words, numbers from half to twice the book's, and livelier rulings."""
    book = ruling_texts(game.rulings())
    grid = Grid(game, {key: _tried(option, book[key]) for key, option in game.options.items()})
    picked = [given for given in grid.combinations() if allows(game, given)]
    more = [texts for texts in map(ruling_texts, offered(game)) if texts not in picked]
    return grid._replace(picked=picked + more)


def _tried(option: Option, book: str) -> list[str]:
    if isinstance(option, OneOf):
        return list(option.words)
    usual = int(book)
    high = option.high if isinstance(option.high, int) else 2 * usual + MIN_RANGE_CHANGE
    low, top = min(usual // 2, usual - MIN_RANGE_CHANGE), max(2 * usual, usual + MIN_RANGE_CHANGE)
    tried = range(max(option.low, low), min(high, top) + 1)
    if len(tried) > MAX_TRIED_VALUES:
        subset = (round(usual * part) for part in TRIED_FRACTIONS)
        return [str(number) for number in subset if option.low <= number <= high]
    return [str(number) for number in tried]


def _ruling_change(game: AnyGame, row: SweepRow, figures: Figures) -> RulingChange:
    book, now = ruling_texts(game.rulings()), row.figures or {}
    changed = {key: value for key, value in row.rules.items() if value != book[key]}
    rulings = sum(_distance(typed_value(book[key]), typed_value(changed[key])) for key in changed)
    played = sum(_distance(figures[name], now[name]) for name in ("length", "draws"))
    lively = bool(changed) and changed == ruling_texts(offered(game)[-1], changed_only=True)
    return RulingChange(changed, rulings + played, now, lively)


def _distance(book: object, now: object) -> float:
    """How far a number is from the book's, relative to it; 1 where one is another word, or none."""
    if not isinstance(book, int | float) or not isinstance(now, int | float):
        return float(book != now)
    return abs(now - book) / max(1, book)


def as_json(result: RepairResult) -> dict[str, Any]:
    """The result as data."""
    compromises = {} if result.changes else result.compromises()
    return {
        "game": result.game.name,
        "goals": {name: GOALS[name].about for name in result.goals},
        "kept": bool(result.changes),
        "proofs": result.proofs,
        "book": result.book,
        "remedies": [one._asdict() for one in result.changes],
        "compromises": [
            {"goals": list(subset), "remedies": [one._asdict() for one in changes]}
            for subset, changes in compromises.items()
        ],
        "nearest": None if result.changes or not result.nearest else result.nearest._asdict(),
        "searched": result.sweep.grid.axes,
        "solved": len(result.sweep.found),
        "left_out": left_out_as_json(result.sweep),
        "exact": True,
    }
