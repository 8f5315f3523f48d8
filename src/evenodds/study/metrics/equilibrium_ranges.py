"""Ranges of draw share and length over all equilibria, not only the selected one.

Only mixes count that are best in every position, come what may: those that a perfect player could
go on with after any mistake.
"""

from typing import NamedTuple

import numpy as np

from evenodds.core.claims.mix_notes import NAMED_MIXES, OTHERS_REACHED, named_mixes_note
from evenodds.policy.equilibrium_ranges import Extremes, Figure, Range
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.metrics.solved_game import SolvedGame


class EquilibriumRanges(NamedTuple):
    """What figures come to with other best mixes; nothing where that is not known."""

    room: Range | None
    """What perfect play scores against chance: bounds, over all mixes that are best everywhere."""
    draw: Range | None
    """Draws between perfect players: as far as was reached, there may be more."""
    length: Range | None
    """The mean length of their matches: as far as was reached."""


def equilibrium_ranges_of(solved: SolvedGame) -> EquilibriumRanges:
    """How far figures depend on the mixes named; in games with loops most of it is not known."""
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
    """In a game of turns the same however well both play: nothing is left to chance."""
    if solved.game.simultaneous:
        return None
    draw = outcome_odds_of(solved, *solved.equilibrium).draw
    return Range(draw, draw)


def draws_range_note(ranges: EquilibriumRanges) -> str:
    """What is to be added to the draws between perfect players."""
    return named_mixes_note(ranges.draw, others=OTHERS_REACHED)


def length_range_note(ranges: EquilibriumRanges) -> str:
    """What is to be added to the length of their matches."""
    return named_mixes_note(ranges.length, lambda length: f"{length:,.1f}", OTHERS_REACHED)


def equilibrium_ranges_note(ranges: EquilibriumRanges) -> str:
    """That figures of perfect play depend on the mixes named, where they do."""
    notes = [draws_range_note(ranges), length_range_note(ranges), named_mixes_note(ranges.room)]
    if not any(notes):
        return ""
    return (
        f"Figures of perfect play were found {NAMED_MIXES}; others are best in every position too."
    )
