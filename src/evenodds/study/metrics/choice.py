"""Choice metrics: idle decisions, dominated and useless numbers, pick frequencies."""

from typing import Any

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, ChoiceMetrics
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat
from evenodds.figures import VALUE_TOLERANCE
from evenodds.graph import TransitionBlock, masses_by_round
from evenodds.study.metrics.simple_strategies import habit_scores_of
from evenodds.study.solved_game import SolvedGame


def choice_metrics_of(solved: SolvedGame) -> ChoiceMetrics:
    """The choice metrics of a solved game."""
    count = count_decisions(solved)
    return ChoiceMetrics(
        count.share(count.idle),
        count.share(count.single),
        count.share(count.mixed),
        int(count.worse.sum()) / max(1, int(count.open.sum())),
        count.first,
        useless_numbers_of(solved, count),
        {
            int(number): float(count.sound[number] / count.open[number])
            for number in np.flatnonzero(count.open)
        },
        pick_frequencies_by_round(solved),
        habit_scores_of(solved),
    )


def idle_share_of(solved: SolvedGame) -> float | None:
    """The share of decisions in which nothing depends on the pick; None without decisions."""
    decisions = idle = 0
    for block in solved.graph.blocks:
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                decisions += len(block.places)
                for piece in block.pieces():
                    idle += int(find_idle_matrices(seat_payoffs(solved, block, piece, seat)).sum())
    return idle / decisions if decisions else None


def count_decisions(solved: SolvedGame) -> "DecisionCounts":
    """Count every decision of a solved game."""
    count = DecisionCounts()
    for index, block in enumerate(solved.graph.blocks):
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                count.add_block(solved, block, seat, solved.selected.losses(seat)[index])
    return count


class DecisionCounts:
    """Counts of decisions, and of numbers in them.

    `covered` counts decisions in which another number is never worse, `worse` those in which the
    number is dominated.
    """

    def __init__(self) -> None:
        self.decisions = self.idle = self.single = self.mixed = 0
        self.open, self.sound, self.worse, self.covered = np.zeros((4, 64), np.int64)
        self.first: dict[str, list[int]] = {}

    def share(self, some: int) -> float:
        """A count as a share of all decisions."""
        return some / max(1, self.decisions)

    def add_block(
        self, solved: SolvedGame, block: TransitionBlock, seat: Seat, losses: Any
    ) -> None:
        """Count the decisions of a seat in a block."""
        numbers = block.numbers(seat)
        sound = losses <= VALUE_TOLERANCE
        self.decisions += len(numbers)
        self.single += int((sound.sum(axis=1) == 1).sum())
        self.open += np.bincount(numbers.ravel(), minlength=64)
        self.sound += np.bincount(numbers[sound], minlength=64)
        for piece in block.pieces():
            payoffs = seat_payoffs(solved, block, piece, seat)
            worth = solved.values[block.places[piece]] * (1 if seat == FIRST else -1)
            self.idle += int(find_idle_matrices(payoffs).sum())
            self.mixed += int((payoffs.min(axis=2).max(axis=1) < worth - VALUE_TOLERANCE).sum())
            covered, worse = find_dominated_rows(payoffs)
            self.covered += np.bincount(numbers[piece][covered], minlength=64)
            self.worse += np.bincount(numbers[piece][worse], minlength=64)
            if piece.start == 0 and block.places[0] == 0:
                name = "first" if seat == FIRST else "second"
                self.first[name] = numbers[0][worse[0]].tolist()


def useless_numbers_of(solved: SolvedGame, count: DecisionCounts) -> list[int]:
    """Numbers that can all be removed at once: others are never worse, and sometimes better."""
    # Candidates are covered everywhere. A second pass compares them with the others only: where two
    # candidates cover just each other, one of them must stay, so neither is useless.
    found = (count.covered == count.open) & (count.worse > 0)
    if not found.any():
        return []
    useless = found.copy()
    for block in solved.graph.blocks:
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                for piece in block.pieces():
                    numbers = block.numbers(seat)[piece]
                    payoffs = seat_payoffs(solved, block, piece, seat)
                    covered, _ = find_dominated_rows(payoffs, ~found[numbers])
                    useless[numbers[~covered]] = False
    return np.flatnonzero(useless).tolist()


def seat_payoffs(solved: SolvedGame, block: TransitionBlock, piece: slice, seat: Seat) -> Any:
    """The payoff matrices of a seat at some positions; its own picks are the rows."""
    payoff = solved.payoff(block, piece)
    return payoff if seat == FIRST else -payoff.transpose(0, 2, 1)


def find_idle_matrices(payoffs: Any) -> Any:
    """Which matrices do not depend on the row."""
    return (np.ptp(payoffs, axis=1) <= VALUE_TOLERANCE).all(axis=1)


def find_dominated_rows(payoffs: Any, stays: Any = None) -> tuple[Any, Any]:
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


def pick_frequencies_by_round(solved: SolvedGame) -> list[dict[int, float]]:
    """How often perfect play picks each number where it is legal, round by round."""
    found: list[dict[int, float]] = []
    for mass in masses_by_round(solved.graph, *solved.equilibrium):
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
