"""Notes on figures that depend on which of several best mixes is named."""

from evenodds.claims.mix_notes import NAMED_MIXES, OTHERS_REACHED, named_mixes_note
from evenodds.claims.study_data import EquilibriumRanges


def draws_range_note(ranges: EquilibriumRanges) -> str:
    """The note on the draws between perfect players."""
    return named_mixes_note(ranges.draw, others=OTHERS_REACHED)


def length_range_note(ranges: EquilibriumRanges) -> str:
    """The note on the length of their matches."""
    return named_mixes_note(ranges.length, lambda length: f"{length:,.1f}", OTHERS_REACHED)


def equilibrium_ranges_note(ranges: EquilibriumRanges) -> str:
    """The note that figures of perfect play depend on the named mixes, where they do."""
    notes = [
        draws_range_note(ranges),
        length_range_note(ranges),
        named_mixes_note(ranges.perfect_score),
    ]
    if not any(notes):
        return ""
    return f"Figures of perfect play hold {NAMED_MIXES}; other strategies are equally good."
