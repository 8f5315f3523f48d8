"""Exact odds between named ways to play; cached."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from evenodds.claims.study_figures import (
    LEVEL_NAMES,
    NEIGHBOURS,
    RANDOM_POLICY,
    Odds,
    compare_levels,
)
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import PlayerLike, ladder_of
from evenodds.study import ODDS_KIND
from evenodds.system import Progress, silent
from evenodds.system.imports import needs

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame

Solve = Callable[[], "SolvedGame"]
"""Solves a game where its figures are not cached."""
UNIFORM: Final = "uniform"
"""Another name of `random`."""
MEASURED_AGAINST: Final = (RANDOM_POLICY, LEVEL_NAMES[-1])
"""The players against which each level is measured, beside the level below."""
LEVEL_PAIRS: Final = (
    *NEIGHBOURS,
    *product(LEVEL_NAMES, MEASURED_AGAINST),
    *product(MEASURED_AGAINST, LEVEL_NAMES),
)


def solve_for_study(
    game: AnyGame, rulings: Settled, progress: Progress, notes: list[str] | None = None
) -> "SolvedGame":
    """Solve a game for its odds and its study; `MissingExtra` without the solver."""
    with needs("solver"):
        from evenodds.study.solved_game import SolvedGame
    return SolvedGame(game, rulings, progress, index_first=True, notes=notes)


Pairs = dict[str, Odds]
"""The odds of some pairs, by `first second`."""


class KeptOdds(NamedTuple):
    """What is cached about the players whose picks depend on the position alone."""

    repetition: int
    notes: list[str]
    pairs: Pairs
    best_opponent: dict[str, float]
    """The score of the best response to each level, once somebody has asked; none where there is no
    decision."""
    value: float | None
    """The value of the start; None until then."""


class OddsTable:
    """The odds between all pairs of `POLICY_NAMES` in a game, in one cached file.

    What is missing is computed when it is asked for; positions and policies are made once.
    `repetition` is by default that of matches. Where the draw by repetition cannot be computed
    exactly, it is left out, and a note says so; where it was asked for, `UncountedRepetition` is
    raised. Others are `TooLarge` and `BadGame`.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        repetition: int | None,
        progress: Progress = silent,
        solve: Solve | None = None,
    ) -> None:
        self.repetition = repetition
        self._asked = check_repetition(DEFAULT_REPETITION if repetition is None else repetition)
        self._key = game, rulings, ODDS_KIND, str(ladder_of(game)), str(repetition)
        self.notes: list[str] = []
        """What is to be said of this run, such as a full disk, and of the odds that were found."""
        self._solve = solve or partial(solve_for_study, game, rulings, progress, self.notes)

    def between(self, first: str, second: str) -> Odds:
        """The odds of a match in which `first` has the first seat."""
        first, second = (RANDOM_POLICY if name == UNIFORM else name for name in (first, second))
        kept = self.of([(first, second)])
        self.notes += [note for note in kept.notes if note not in self.notes]
        return kept.pairs[f"{first} {second}"]._replace(repetition=kept.repetition)

    def of(self, pairs: Iterable[tuple[str, str]]) -> KeptOdds:
        """What is cached once the odds of these pairs are: faster together than one by one."""
        kept = self._kept()
        missing = [pair for pair in pairs if " ".join(pair) not in kept.pairs]
        if not missing:
            return kept
        solved, (repetition, _) = self._solved, self._counted
        from evenodds.study.metrics.skill import odds_between_all

        return self.keep(odds_between_all(solved, missing, repetition))

    def scores(self, pairs: Sequence[tuple[PlayerLike, PlayerLike]]) -> list[float]:
        """What the first of each pair scores on average over both seats; kept for those with names.

        Empty where repetitions cannot be counted.
        """
        if not pairs:
            return []  # nothing is solved for it
        kept = self._kept()
        repetition = kept.repetition if kept.pairs else self._counted[0]
        if self._key[0].can_repeat and not repetition:
            return []
        named = [(one, two) for one, two in pairs if isinstance(one, str) and isinstance(two, str)]
        known = self.of([*named, *(pair[::-1] for pair in named)]).pairs
        found: dict[Any, float] = {pair: compare_levels(*pair, known).score for pair in named}
        return [found[pair] if pair in found else self._solved.score(*pair) for pair in pairs]

    def of_levels(self) -> KeptOdds:
        """What is cached once all is that levels are measured by."""
        kept = self.of(LEVEL_PAIRS)
        if kept.value is not None:
            return kept
        solved, (repetition, _) = self._solved, self._counted
        from evenodds.study.metrics.skill import best_opponent_score

        names = LEVEL_NAMES if any(solved.decisions()) else ()
        best = {name: best_opponent_score(solved, name, repetition) for name in names}
        return self.keep(kept.pairs, best_opponent=best, value=solved.value)

    def without_repetition(self) -> "OddsTable":
        """The table where play goes on, however often a position comes up."""
        game, rulings, *_ = self._key
        return OddsTable(game, rulings, 0, solve=lambda: self._solved)

    def keep(self, pairs: Pairs, **levels: Any) -> KeptOdds:
        """Cache the odds of some pairs, and what levels are measured by; all that is known then."""
        # Another process may have added pairs meanwhile; one that is lost is computed again.
        (repetition, notes), kept = self._counted, self._kept()
        pairs = kept.pairs | pairs
        found = kept._replace(repetition=repetition, notes=notes, pairs=pairs, **levels)
        save_result(found, *self._key)
        return found

    def _kept(self) -> KeptOdds:
        with suppress(msgspec.ValidationError):  # not in the cache, or damaged
            return msgspec.convert(load_result(*self._key), KeptOdds)
        return KeptOdds(0, [], {}, {}, None)

    @cached_property
    def _solved(self) -> "SolvedGame":
        return self._solve()

    @cached_property
    def _counted(self) -> tuple[int, list[str]]:
        """How many repetitions make a draw, and a note if they cannot be counted."""
        with needs("solver"):
            from evenodds.engine.odds import UncountedRepetition, check_countable
        try:
            return check_countable(self._solved.graph, self._asked), []
        except UncountedRepetition:
            if self.repetition is not None:
                raise
            return 0, [REPETITION_NOT_COUNTED_NOTE]
