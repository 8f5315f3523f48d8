"""Games solved under some rulings, for measures over all positions."""

import evenodds
from tests.support.studies import SolvedGame


def solved_game(name: str, **given: object) -> SolvedGame:
    return SolvedGame(*evenodds.game(name, given))
