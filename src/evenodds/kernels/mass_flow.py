"""Kernel that propagates probability mass along every pair of picks, for any game."""

from typing import Any

from evenodds.core.vocabulary import rule


@rule
def push_mass_along_blocks(mass: Any, first: Any, second: Any, targets: Any, moved: Any) -> None:
    """Add the mass of each row, times the shares of both picks, to the target of each pair."""
    for row in range(targets.shape[0]):
        for i in range(targets.shape[1]):
            part = mass[row] * first[row, i]
            if part == 0.0:
                continue
            for j in range(targets.shape[2]):
                moved[targets[row, i, j]] += part * second[row, j]
