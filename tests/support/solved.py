"""Games solved under some rulings, for measures over all positions."""

from evenodds.core import catalog
from evenodds.study.solved.solved_game import SolvedGame


def solved_game(name: str, **given: object) -> SolvedGame:
    """A game under rulings that are given by name."""
    game = catalog.get(name)
    return SolvedGame(game, game.settle(given))
