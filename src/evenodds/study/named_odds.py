"""Exact odds between named ways to play; cached."""

from contextlib import suppress
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from evenodds.claims.study_figures import LEVEL_NAMES, POLICY_NAMES, RANDOM_POLICY, OutcomeOdds
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE
from evenodds.core.vocabulary import Settled
from evenodds.engine.odds import Odds
from evenodds.players.levels import ladder_of
from evenodds.study import ODDS_KIND
from evenodds.system import Progress
from evenodds.system.imports import needs

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame

UNIFORM: Final = "uniform"
"""Another name of `random`."""


class NamedOdds(NamedTuple):
    """Odds between two named ways to play."""

    odds: Odds
    notes: list[str]


class KeptOdds(NamedTuple):
    """The odds of some pairs as they are cached, by `first second`."""

    repetition: int
    notes: list[str]
    pairs: dict[str, OutcomeOdds]


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
        progress: Progress,
        solved: "SolvedGame | None" = None,
    ) -> None:
        if solved is not None:
            self._solved = solved
        self.repetition = repetition
        self._solving = game, rulings, progress
        self._key = game, rulings, ODDS_KIND, str(ladder_of(game)), str(repetition)
        self._notes: list[str] = []
        """Of this run alone, such as a full disk: they are never cached."""

    def between(self, first: str, second: str) -> NamedOdds:
        """The odds of a match in which `first` has the first seat."""
        first, second = (RANDOM_POLICY if name == UNIFORM else name for name in (first, second))
        pair = f"{first} {second}"
        kept = self._kept()
        if pair not in kept.pairs:
            kept = self.keep({pair: self.compute(first, second)})
        odds = Odds(*kept.pairs[pair][:5], repetition=kept.repetition)
        return NamedOdds(odds, [*self._notes, *kept.notes])

    def compute(self, first: str, second: str) -> OutcomeOdds:
        """The odds of a pair, computed anew."""
        return self._solved.odds(first, second, self._counted[0])

    def compute_all(self) -> None:
        """Cache the odds of all pairs: faster together than one by one."""
        from evenodds.study.metrics.skill import odds_between_all

        self.keep(odds_between_all(self._solved, POLICY_NAMES, repetition=self._counted[0]))

    def keep(self, odds: dict[str, OutcomeOdds]) -> KeptOdds:
        """Cache the odds of some pairs; all that are known then."""
        # Another process may have added pairs meanwhile; one that is lost is computed again.
        found = KeptOdds(*self._counted, self._kept().pairs | odds)
        save_result(found, *self._key)
        return found

    def level_odds(self) -> dict[str, OutcomeOdds]:
        """The cached odds between all levels; `KeyError` where some lack."""
        kept = self._kept().pairs
        return {pair: kept[pair] for pair in map(" ".join, product(LEVEL_NAMES, repeat=2))}

    def _kept(self) -> KeptOdds:
        with suppress(msgspec.ValidationError):  # not in the cache, or damaged
            return msgspec.convert(load_result(*self._key), KeptOdds)
        return KeptOdds(0, [], {})

    @cached_property
    def _solved(self) -> "SolvedGame":
        with needs("solver"):
            from evenodds.study.solved_game import SolvedGame
        return SolvedGame(*self._solving, index_first=True, notes=self._notes)

    @cached_property
    def _counted(self) -> tuple[int, list[str]]:
        """How many repetitions make a draw, and a note if they cannot be counted."""
        with needs("solver"):
            from evenodds.engine.odds import UncountedRepetition, check_countable
        asked = DEFAULT_REPETITION if self.repetition is None else self.repetition
        try:
            return check_countable(self._solved.graph, asked), []
        except UncountedRepetition:
            if self.repetition is not None:
                raise
            return 0, [REPETITION_NOT_COUNTED_NOTE]
