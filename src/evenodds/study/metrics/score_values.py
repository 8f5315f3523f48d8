"""Expected score of the first seat by pair of points, rounds won or health."""

from typing import Any, Final

import numpy as np

from evenodds.claims.study_figures import RANDOM_POLICY, ScoreValues
from evenodds.core.vocabulary import Pair
from evenodds.graph import masses_by_round, visit_counts
from evenodds.kernels import fields_of
from evenodds.study.solved_game import SolvedGame

MAX_SCALE_STEPS: Final = 25
"""Steps of a scale at most; a longer scale has steps of several points."""


def score_values_of(solved: SolvedGame) -> list[ScoreValues]:
    """A table for each state field that is a pair and not constant."""
    start = solved.game.start(solved.rulings)
    pairs = [name for name, kind in type(start).__annotations__.items() if kind == Pair]
    if not pairs:
        return []
    weights = _visit_weights(solved)
    fields = position_fields(solved)
    found = {name: field_offset(start, name) for name in pairs}
    return [
        _table(name, fields[:, offset : offset + 2], weights, solved.values)
        for name, offset in found.items()
        if np.ptp(fields[:, offset : offset + 2], axis=0).any()
    ]


def _visit_weights(solved: SolvedGame) -> Any:
    """The share of random matches that reach each position."""
    chance = solved.both_shares(RANDOM_POLICY)
    if solved.topologically_ordered:
        return visit_counts(solved.graph, *chance)[: solved.graph.size]
    return sum(masses_by_round(solved.graph, *chance))[: solved.graph.size]


def field_offset(start: Any, name: str) -> int:
    """The offset of a field among the numbers of a state."""
    before = type(start)._fields[: type(start)._fields.index(name)]
    return len(fields_of((None, *(getattr(start, field) for field in before[1:]))))


def position_fields(solved: SolvedGame) -> Any:
    """The numbers of every position, a row for each."""
    # A key packs the fields of a state into bits, the last one lowest; so it is unpacked backwards.
    layout, keys = solved.position_index.layout, solved.graph.keys.copy()
    columns = []
    for low, width in zip(layout.lows[::-1], layout.widths[::-1], strict=True):
        columns.append((keys & ((1 << width) - 1)) + low)
        keys >>= width
    return np.stack(columns[::-1], axis=1)


def _table(name: str, pairs: Any, weights: Any, values: Any) -> ScoreValues:
    low, high = int(pairs.min()), int(pairs.max())
    width = -(-(high - low + 1) // MAX_SCALE_STEPS)
    count = (high - low) // width + 1
    cells = (pairs[:, 0] - low) // width * count + (pairs[:, 1] - low) // width
    mass = np.bincount(cells, weights, count * count)
    worth = np.bincount(cells, weights * values[: weights.size], count * count)
    scores = [
        None if total <= 0 else 0.5 + float(value / total) / 2
        for total, value in zip(mass.tolist(), worth.tolist(), strict=True)
    ]
    lines = [scores[line * count : (line + 1) * count] for line in range(count)]
    return ScoreValues(name, [low + width * step for step in range(count)], lines)
