"""Kernel that propagates probability mass along every pair of picks, for any game."""

from typing import Any

from evenodds.core.vocabulary import rule


@rule
def push_matches(mass: Any, first: Any, second: Any, targets: Any, moved: Any) -> None:
    """Send the mass of each line on: each pair of picks gets the product of its shares."""
    for line in range(targets.shape[0]):
        for i in range(targets.shape[1]):
            part = mass[line] * first[line, i]
            if part == 0.0:
                continue
            for j in range(targets.shape[2]):
                moved[targets[line, i, j]] += part * second[line, j]
