"""Expected score of the first seat by pair of points, rounds won or health."""

from typing import Any, Final

import numpy as np

from evenodds.claims.study_figures import RANDOM_POLICY, ScoreValues
from evenodds.core.vocabulary import Pair
from evenodds.engine.flows import masses_by_round
from evenodds.engine.position_keys import fields_of
from evenodds.study.solved_game import SolvedGame

MAX_SCALE_STEPS: Final = 25
"""Steps of a scale at most; a longer scale has steps of several points."""


def score_values_of(solved: SolvedGame) -> list[ScoreValues]:
    """A table for each state field that is a pair and not constant."""
    start = solved.game.start(solved.rulings)
    pairs = [name for name, kind in type(start).__annotations__.items() if kind == Pair]
    if not pairs:
        return []
    # The share of random matches that reach each position.
    visits = sum(masses_by_round(solved.graph, *solved.both_shares(RANDOM_POLICY)))
    weights, fields = visits[: solved.graph.size], position_fields(solved)
    columns = {
        name: np.stack([fields[f"{name} first"], fields[f"{name} second"]], axis=1)
        for name in pairs
    }
    return [
        _table(name, pair, weights, solved.values)
        for name, pair in columns.items()
        if np.ptp(pair, axis=0).any()
    ]


def position_fields(solved: SolvedGame) -> dict[str, Any]:
    """Each field of the states of all positions as an array, and of a pair as two.

    These are called `scores first` and `scores second`.
    """
    start = solved.game.start(solved.rulings)
    names = []
    for name, value in zip(start._fields[1:], start[1:], strict=True):
        count = len(fields_of((None, value)))
        seats = ("first", "second") if count == 2 else range(1, count + 1)
        names += [name] if count == 1 else [f"{name} {seat}" for seat in seats]
    # A key packs the fields of a state into bits, the last one lowest; so it is unpacked backwards.
    layout, keys = solved.graph.layout, solved.graph.keys.copy()
    columns = {}
    for name, low, width in zip(names[::-1], layout.lows[::-1], layout.widths[::-1], strict=True):
        columns[name] = (keys & ((1 << width) - 1)) + low
        keys >>= width
    return columns


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
