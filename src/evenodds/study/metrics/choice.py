"""Choice metrics: idle decisions, dominated and useless numbers, pick frequencies."""

from collections.abc import Callable
from typing import Any

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, PERFECT_POLICY, ChoiceMetrics
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat
from evenodds.engine.flows import masses_by_round
from evenodds.engine.graph import Block
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.metrics.skill import habit_scores_of
from evenodds.study.solved_game import SolvedGame


def choice_metrics_of(solved: SolvedGame) -> ChoiceMetrics:
    """The choice metrics of a solved game."""
    # For each number: decisions in which it is open, optimal, never better than another, dominated.
    opened, sound, covered, worse = np.zeros((4, 64), np.int64)
    dominated_first: dict[str, list[int]] = {}
    for index, block, seat in solved.decisions():
        numbers = block.numbers(seat)
        opened += np.bincount(numbers.ravel(), minlength=64)
        sound += np.bincount(numbers[_optimal(solved, index, seat)], minlength=64)
        for piece in block.pieces():
            found = _find_dominated_rows(seat_payoffs(solved, block, piece, seat))
            covered += np.bincount(numbers[piece][found[0]], minlength=64)
            worse += np.bincount(numbers[piece][found[1]], minlength=64)
            if piece.start == 0 and block.places[0] == 0:
                name = "first" if seat == FIRST else "second"
                dominated_first[name] = numbers[0][found[1][0]].tolist()
    return ChoiceMetrics(
        idle_share_of(solved),
        single_share_of(solved),
        _mixed_share(solved),
        int(worse.sum()) / int(opened.sum()) if opened.any() else None,
        dominated_first,
        _useless_numbers(solved, (covered == opened) & (worse > 0)),
        {int(number): float(sound[number] / opened[number]) for number in np.flatnonzero(opened)},
        _pick_frequencies(solved),
        habit_scores_of(solved),
    )


def _share_of_decisions(
    solved: SolvedGame, count: Callable[[int, Block, Seat, slice], Any]
) -> float | None:
    """The share of decisions that are counted; None without decisions."""
    decisions = found = 0
    for index, block, seat in solved.decisions():
        decisions += len(block.places)
        found += sum(int(count(index, block, seat, piece).sum()) for piece in block.pieces())
    return found / decisions if decisions else None


def idle_share_of(solved: SolvedGame) -> float | None:
    """The share of decisions in which nothing depends on the pick."""
    return _share_of_decisions(
        solved,
        lambda _, block, seat, piece: find_idle_matrices(seat_payoffs(solved, block, piece, seat)),
    )


def single_share_of(solved: SolvedGame) -> float | None:
    """The share of decisions with a single optimal number."""
    return _share_of_decisions(
        solved, lambda index, _, seat, piece: _optimal(solved, index, seat)[piece].sum(axis=1) == 1
    )


def _mixed_share(solved: SolvedGame) -> float | None:
    def is_mixed(_: int, block: Block, seat: Seat, piece: slice) -> Any:
        payoffs = seat_payoffs(solved, block, piece, seat)
        worth = solved.values[block.places[piece]] * (1 if seat == FIRST else -1)
        return payoffs.min(axis=2).max(axis=1) < worth - VALUE_TOLERANCE

    return _share_of_decisions(solved, is_mixed)


def _optimal(solved: SolvedGame, index: int, seat: Seat) -> Any:
    return solved.selected.losses(seat)[index] <= VALUE_TOLERANCE


def _useless_numbers(solved: SolvedGame, candidates: Any) -> list[int]:
    # Candidates are covered everywhere. They are compared with the others only: where two
    # candidates cover just each other, one of them must stay, so neither is useless.
    if not candidates.any():
        return []
    useless = candidates.copy()
    for _, block, seat in solved.decisions():
        for piece in block.pieces():
            numbers = block.numbers(seat)[piece]
            payoffs = seat_payoffs(solved, block, piece, seat)
            covered, _ = _find_dominated_rows(payoffs, ~candidates[numbers])
            useless[numbers[~covered]] = False
    return np.flatnonzero(useless).tolist()


def seat_payoffs(solved: SolvedGame, block: Block, piece: slice, seat: Seat) -> Any:
    """The payoff matrices of a seat at some positions; its own picks are the rows."""
    payoff = solved.payoff(block, piece)
    return payoff if seat == FIRST else -payoff.transpose(0, 2, 1)


def find_idle_matrices(payoffs: Any) -> Any:
    """Which matrices do not depend on the row."""
    return (np.ptp(payoffs, axis=1) <= VALUE_TOLERANCE).all(axis=1)


def _find_dominated_rows(payoffs: Any, stays: Any = None) -> tuple[Any, Any]:
    """Which rows of each matrix are covered by another that is never worse, and which dominated.

    Dominated rows are covered by one that is somewhere better. With `stays` only rows marked there
    can cover others.
    """
    count = payoffs.shape[1]
    covered, worse = np.zeros((2, *payoffs.shape[:2]), bool)
    for one in range(count):
        for two in range(count):
            if one != two:
                gain = payoffs[:, two] - payoffs[:, one]
                never_worse = (gain >= -VALUE_TOLERANCE).all(axis=1)
                if stays is not None:
                    never_worse &= stays[:, two]
                covered[:, one] |= never_worse
                worse[:, one] |= never_worse & (gain > VALUE_TOLERANCE).any(axis=1)
    return covered, worse


def _pick_frequencies(solved: SolvedGame) -> list[dict[int, float]]:
    found: list[dict[int, float]] = []
    for mass in masses_by_round(solved.graph, *solved.both_shares(PERFECT_POLICY)):
        picked, opened = np.zeros(64), np.zeros(64)
        for index, block in enumerate(solved.graph.blocks):
            mass_here = mass[block.places, None]
            if not mass_here.any():
                continue
            for seat in SEATS:
                numbers = block.numbers(seat)
                mass_of_number = np.broadcast_to(mass_here, numbers.shape)
                opened += np.bincount(numbers.ravel(), mass_of_number.ravel(), 64)
                weights = mass_here * solved.selected.mixes(seat)[index]
                picked += np.bincount(numbers.ravel(), weights.ravel(), 64)
        opened[PASS] = 0.0
        if not opened.any() or len(found) == MAX_SHOWN_ROUNDS:
            break
        found.append({int(n): float(picked[n] / opened[n]) for n in np.flatnonzero(opened)})
    return found
