"""Kernel over blocks of positions and their pairs of picks, the same for all games."""

from typing import Any

from evenodds.core.vocabulary import rule


@rule
def push_mass_along_blocks(
    mass: Any, first: Any, second: Any, targets: Any, arrived: Any, ends: Any
) -> None:
    """Add the mass of each row, times the shares of both picks, to the target of each pair.

    The targets of ends are numbered after those of all positions.
    """
    for row in range(targets.shape[0]):
        for i in range(targets.shape[1]):
            part = mass[row] * first[row, i]
            if part == 0.0:
                continue
            for j in range(targets.shape[2]):
                target = targets[row, i, j]
                if target < arrived.size:
                    arrived[target] += part * second[row, j]
                else:
                    ends[target - arrived.size] += part * second[row, j]
