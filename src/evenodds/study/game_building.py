"""Building the solved game of a study, where its figures are not in the cache.

Imports no NumPy: reading a study that is precomputed or cached needs none.
"""

from typing import TYPE_CHECKING, Protocol

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled
from evenodds.system.imports.extras import needs
from evenodds.system.progress import Progress

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame


class SolvedGameFactory(Protocol):
    """Builds the solved game of a study that is not in the cache."""

    def __call__(
        self,
        game: AnyGame,
        rulings: Settled,
        progress: Progress,
        /,
        *,
        max_positions: int | None = None,
    ) -> "SolvedGame":
        """The solved game; `TooLarge` with more than `max_positions` positions."""


def build_solved_game(
    game: AnyGame, rulings: Settled, progress: Progress, /, *, max_positions: int | None = None
) -> "SolvedGame":
    """Solve a game for a study; `MissingExtra` without the solver."""
    with needs("solver"):
        from evenodds.study.solved_game import SolvedGame
    return SolvedGame(game, rulings, progress, max_positions=max_positions, index_first=True)
