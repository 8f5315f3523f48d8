"""Exact odds between named ways to play; cached."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from evenodds.claims.study_figures import PERFECT_POLICY, POLICY_NAMES, RANDOM_POLICY
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE
from evenodds.core.vocabulary import Settled
from evenodds.graph import load_result, save_result
from evenodds.players.levels import ladder_of
from evenodds.policy import Odds
from evenodds.study.study import STUDY_CODE
from evenodds.system.cache_folder import CacheKind
from evenodds.system.imports.extras import needs
from evenodds.system.progress import Progress

if TYPE_CHECKING:
    from evenodds.graph import PositionIndex
    from evenodds.policy import Policy
    from evenodds.solver import Solution

UNIFORM: Final = "uniform"
"""Another name of `random`."""

ODDS_KIND: Final = CacheKind("odds", "odds between players", STUDY_CODE)


class NamedOdds(NamedTuple):
    """Odds between two named ways to play."""

    odds: Odds
    notes: list[str]


def named_odds_of(
    game: AnyGame,
    rulings: Settled,
    names: tuple[str, str],
    repetition: int | None,
    progress: Progress,
) -> NamedOdds:
    """The odds between two players of `POLICY_NAMES`, from the cache where they are there.

    `repetition` is by default that of matches. Where the draw by repetition cannot be computed
    exactly, it is left out, and a note says so. Raises `TooLarge`, `BadGame` or
    `UncountedRepetition`.
    """
    return OddsTable(game, rulings, repetition, progress).between(*names)


class OddsTable:
    """The odds between all pairs of named players of a game, in one cached file.

    What is missing is computed when it is asked for; positions and policies are made once.
    """

    def __init__(
        self, game: AnyGame, rulings: Settled, repetition: int | None, progress: Progress
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.repetition = repetition
        self.progress = progress
        self._notes: list[str] = []
        """Of this run alone, such as a full disk: they are never cached."""

    def between(self, first: str, second: str) -> NamedOdds:
        """The odds of a match in which `first` has the first seat."""
        first, second = (RANDOM_POLICY if name == UNIFORM else name for name in (first, second))
        pair = f"{first} {second}"
        try:
            return msgspec.convert(self._cached()[pair], NamedOdds)
        except (KeyError, msgspec.ValidationError):  # not in the cache, or damaged
            pass
        found = self._computed(first, second)
        # Another process may have added pairs meanwhile; one that is lost is computed again.
        everything = self._cached() | {pair: found}
        save_result(everything, self.game, self.rulings, *self._key)
        return found._replace(notes=[*self._notes, *found.notes])

    def compute_all(self) -> None:
        """Cache the odds of all pairs: faster together than one by one."""
        from evenodds.study.metrics.skill import odds_between_all
        from evenodds.study.solved_game import SolvedGame

        index, counted, notes = self._index
        solved = SolvedGame(self.game, self.rulings, self.progress, self._solution, index=index)
        found = {
            pair: NamedOdds(Odds(*odds[:5], repetition=counted), notes)
            for pair, odds in odds_between_all(solved, POLICY_NAMES).items()
        }
        save_result(found, self.game, self.rulings, *self._key)

    @property
    def _key(self) -> tuple[CacheKind, str, str]:
        return ODDS_KIND, str(ladder_of(self.game)), str(self.repetition)

    def _cached(self) -> dict[str, Any]:
        found = load_result(self.game, self.rulings, *self._key)
        return found if isinstance(found, dict) else {}

    def _computed(self, first: str, second: str) -> NamedOdds:
        with needs("solver"):
            from evenodds.policy import odds_on
        index, counted, notes = self._index
        found = odds_on(index, self._policy(first), self._policy(second), counted)
        return NamedOdds(found, notes)

    @cached_property
    def _index(self) -> "tuple[PositionIndex, int, list[str]]":
        """All positions, how many repetitions make a draw, and a note if they cannot be counted."""
        with needs("solver"):
            from evenodds.graph import PositionIndex, memory_limit
            from evenodds.policy import UncountedRepetition, check_countable
        index = PositionIndex(self.game, self.rulings, memory_limit(), self.progress)
        asked = DEFAULT_REPETITION if self.repetition is None else self.repetition
        try:
            return index, check_countable(index, asked), []
        except UncountedRepetition:
            if self.repetition is not None:
                raise
            return index, 0, [REPETITION_NOT_COUNTED_NOTE]

    @cached_property
    def _solution(self) -> "Solution":
        with needs("solver"):
            from evenodds.kernels import compile_small_games
            from evenodds.solver import solve_settled
        index = self._index[0]
        if index.is_compiled:
            compile_small_games()
        return solve_settled(
            self.game, self.rulings, progress=self.progress, notes=self._notes, index=index
        )

    def _policy(self, name: str) -> "Policy":
        with needs("solver"):
            from evenodds.players.fixed_policies import policy_of
            from evenodds.players.registry import is_exact
        if name == PERFECT_POLICY:
            return self._solution
        found = policy_of(self.game, name, self._solution if is_exact(name) else None)
        assert found is not None, name
        return found
