"""How large a game is: positions, decisions, lines of play, and how long a match can be."""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.solver.atlas import Atlas
from evenodds.study.survey import Survey
from evenodds.vocabulary import SEATS

LIMB: Final = 32
"""Bits of a whole number that are counted together: sums of them never overflow."""


class Size(NamedTuple):
    """How large a game is. What has no bound is None."""

    positions: int
    """Open positions that some line of play leads to."""
    decisions: int
    """Positions times seats with two numbers or more to choose from."""
    lines: int | None
    """Lines of play from the start to an end, every one counted."""
    shortest: int
    """Rounds, or picks in a game of turns, that a match takes at least."""
    longest: int | None


def size_of(survey: Survey) -> Size:
    """The size of a game under some rulings, counted exactly."""
    atlas = survey.atlas
    decisions = sum(
        len(sheet.places) * sum(sheet.numbers(seat).shape[1] > 1 for seat in SEATS)
        for sheet in atlas.sheets
    )
    over = [sheet.depth + 1 for sheet in atlas.sheets if (sheet.targets >= atlas.size).any()]
    return Size(
        atlas.size,
        decisions,
        None if survey.loops else lines_of(atlas),
        shortest_of(survey),
        None if survey.loops else max(over),
    )


def shortest_of(survey: Survey) -> int:
    """The fewest rounds to an end: the first layer of positions with a pick that ends the match."""
    atlas = survey.atlas
    ending = np.zeros(atlas.size, bool)
    for sheet in atlas.sheets:
        ending[sheet.places] = (sheet.targets >= atlas.size).any(axis=(1, 2))
    keys = np.sort(atlas.keys[ending])
    for depth, layer in enumerate(survey.ground.layers):
        if np.isin(layer, keys).any():
            return depth + 1
    raise AssertionError("a game without an end")


def lines_of(atlas: Atlas) -> int:
    """The lines of play of a game without loops: summed from the ends back, in whole numbers."""
    limbs = _limbs(atlas)
    counts = np.zeros((atlas.size + len(atlas.ends), limbs), np.uint64)
    counts[atlas.size :, 0] = 1
    for sheet in reversed(atlas.sheets):
        for piece in sheet.pieces():
            sums = counts[sheet.targets[piece]].sum(axis=(1, 2))
            for limb in range(limbs - 1):
                sums[:, limb + 1] += sums[:, limb] >> np.uint64(LIMB)
                sums[:, limb] &= np.uint64((1 << LIMB) - 1)
            counts[sheet.places[piece]] = sums
    return sum(int(limb) << (LIMB * place) for place, limb in enumerate(counts[0]))


def _limbs(atlas: Atlas) -> int:
    """How many parts of a whole number the lines of play need: from how many there are about."""
    about: Any = np.zeros(atlas.size + len(atlas.ends))
    about[atlas.size :] = 1.0
    for sheet in reversed(atlas.sheets):
        about[sheet.places] = about[sheet.targets].sum(axis=(1, 2))
    return int(np.log2(about[0]) // LIMB) + 1
