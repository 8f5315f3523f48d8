"""Drama metrics: lead changes, comebacks, and rounds until the lead is final.

The seat with the better expected score under best play leads. Matches are followed round by round,
as masses of all that are at a position, and of those among them with some history. All figures are
exact: nothing is sampled.
"""

from typing import Any, Final

import numpy as np

from evenodds.claims.study_figures import Drama
from evenodds.core.vocabulary import SEATS, other
from evenodds.figures import VALUE_TOLERANCE
from evenodds.graph import (
    MAX_FOLLOWED_ROUNDS,
    OPEN_SHARE_TOLERANCE,
    StrategyShares,
    round_step,
)
from evenodds.study.solved_game import SolvedGame

COMEBACK_SCORE: Final = 0.25
"""An expected score from which a win is a comeback."""


def drama_of(solved: SolvedGame, first: StrategyShares, second: StrategyShares) -> Drama | None:
    """The drama between two strategies; None where too many matches go on for too long."""
    size, values = solved.graph.size, solved.values
    advance = round_step(solved.graph, first, second)
    level = np.abs(values) <= VALUE_TOLERANCE
    leads = [~level & (values > 0), ~level & (values < 0)]
    is_far_behind = [
        side * values / 2 + 0.5 <= COMEBACK_SCORE + VALUE_TOLERANCE for side in (1, -1)
    ]
    masses: Any = np.zeros(values.size)
    masses[0] = 1.0
    led, behind = np.zeros((2, 2, values.size))
    """For each seat the matches in which it was the last to lead, and was far behind some time."""
    late: Any = np.zeros(values.size)
    """The mean round of the last change between a lead of either seat and none, times the mass."""
    changes = comebacks = open_rounds = 0.0
    for round in range(1, MAX_FOLLOWED_ROUNDS + 1):
        for seat in SEATS:
            changes += float(led[other(seat)][leads[seat]].sum())
            comebacks += float(behind[seat][size:][leads[seat][size:]].sum())
        for seat in SEATS:
            led[seat] = np.where(leads[seat], masses, np.where(level, led[seat], 0.0))
            behind[seat] = np.where(is_far_behind[seat], masses, behind[seat])
        open_rounds += float(late[size:].sum())
        if masses[:size].sum() <= OPEN_SHARE_TOLERANCE:
            return Drama(changes, open_rounds, comebacks)
        led, behind = (list(map(advance, each)) for each in (led, behind))
        arrived = [(side, advance(masses * side), advance(late * side)) for side in (*leads, level)]
        masses = sum(mass for _, mass, _ in arrived)
        late = sum(np.where(side, kept, round * mass) for side, mass, kept in arrived)
    return None
