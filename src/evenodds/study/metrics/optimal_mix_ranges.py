"""Ranges of draw share and length over all equilibria, not only the selected one.

Only mixes count that are best in every position, also off the path of perfect play: a perfect
player could go on with them after any mistake (subgame perfection).
"""

from typing import NamedTuple

import numpy as np

from evenodds.core.claims.mix_notes import NAMED_MIXES, OTHERS_REACHED, named_mixes_note
from evenodds.policy.optimal_mix_ranges import Extremes, Figure, Range
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.metrics.solved_game import SolvedGame


class EquilibriumRanges(NamedTuple):
    """Ranges of figures over other best mixes; None where they are not known."""

    room: Range | None
    """The score of perfect play against random picks: bounds over all such mixes."""
    draw: Range | None
    """Draws between perfect players: the range that was reached, which may be wider."""
    length: Range | None
    """The mean length of their matches: the range that was reached."""


def equilibrium_ranges_of(solved: SolvedGame) -> EquilibriumRanges:
    """How far figures depend on the selected equilibrium; mostly unknown in games with loops."""
    draw = _drawn(solved)
    if solved.game.loops:
        return EquilibriumRanges(None, draw, None)
    extremes = Extremes(solved.graph, solved.values)
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


def draws_range_note(ranges: EquilibriumRanges) -> str:
    """The note on the draws between perfect players."""
    return named_mixes_note(ranges.draw, others=OTHERS_REACHED)


def length_range_note(ranges: EquilibriumRanges) -> str:
    """The note on the length of their matches."""
    return named_mixes_note(ranges.length, lambda length: f"{length:,.1f}", OTHERS_REACHED)


def equilibrium_ranges_note(ranges: EquilibriumRanges) -> str:
    """The note that figures of perfect play depend on the named mixes, where they do."""
    notes = [draws_range_note(ranges), length_range_note(ranges), named_mixes_note(ranges.room)]
    if not any(notes):
        return ""
    return (
        f"Figures of perfect play were found {NAMED_MIXES}; others are best in every position too."
    )
