"""Ranges of draw share and length over all equilibria, not only the selected one.

Only mixes count that are best in every position, also off the path of perfect play: a perfect
player could go on with them after any mistake (subgame perfection).
"""

import numpy as np

from evenodds.claims.study_data import EquilibriumRanges
from evenodds.figures.ranges import Range
from evenodds.policy import Figure, OptimalMixRanges
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.solved.solved_game import SolvedGame


def equilibrium_ranges_of(solved: SolvedGame) -> EquilibriumRanges:
    """How far figures depend on the selected equilibrium; mostly unknown in games with loops."""
    draw = _drawn(solved)
    if solved.game.loops:
        return EquilibriumRanges(None, draw, None)
    extremes = OptimalMixRanges(solved.position_index, solved.solution)
    ends = np.zeros(len(solved.graph.ends))
    return EquilibriumRanges(
        extremes.score_against_chance(),
        draw or extremes.reached(Figure(solved.graph.outcomes() == 0.0), solved.equilibrium),
        extremes.reached(Figure(ends, 1.0), solved.equilibrium),
    )


def _drawn(solved: SolvedGame) -> Range | None:
    # With perfect information the value decides whether perfect play is drawn, whichever best
    # picks are chosen.
    if solved.game.simultaneous:
        return None
    draw = outcome_odds_of(solved, *solved.equilibrium).draw
    return Range(draw, draw)
