"""The sentence on figures of perfect play, which hold for one of several best strategies."""

from typing import Final

PERFECT_STRATEGY_NOTE: Final = (
    "Perfect play is shown with the computer's strategy; other perfect strategies may score "
    "differently."
)
"""Said once wherever scores or draws of perfect play are shown that may depend on the strategy."""
