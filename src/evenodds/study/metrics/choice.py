"""Choice metrics: idle decisions, dominated and useless numbers, pick frequencies."""

from typing import Any, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat
from evenodds.graph import TransitionBlock
from evenodds.study.metrics.habits import HabitScores, habit_scores_of
from evenodds.study.metrics.match_flow import MAX_SHOWN_ROUNDS, masses_by_round
from evenodds.study.metrics.solved_game import SolvedGame
from evenodds.system.tolerance import VALUE_TOLERANCE


class ChoiceMetrics(NamedTuple):
    """What choices there are, over every decision that some line of play leads to."""

    idle: float
    """The share of decisions in which nothing depends on the pick, whatever the other picks."""
    single: float
    """The share of decisions with a single best pick: one number that gives nothing away."""
    mixed: float
    """The share of decisions in which no number is safe by itself: whoever is seen through there
    gives something away."""
    dominated: float
    """The share of numbers open in decisions that another is never worse than, and once better."""
    dominated_first: dict[str, list[int]]
    """The numbers that are dominated at the start, by seat."""
    useless: list[int]
    """Numbers that can all be struck out: in every decision that offers one, a number that stays is
    never worse, whatever the other seat picks; and in some it is better."""
    sound: dict[int, float]
    """For each number the share of decisions with it in which it gives nothing away."""
    use: list[dict[int, float]]
    """For each round how often perfect play picks a number that is open to it."""
    habits: dict[str, HabitScores]
    """What simple habits score against perfect play, and against whoever knows them."""


def choice_metrics_of(solved: SolvedGame) -> ChoiceMetrics:
    """What choices a game offers under some rulings."""
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
    """The share of decisions in which nothing depends on the pick; None where there are none."""
    decisions = idle = 0
    for block in solved.graph.blocks:
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                decisions += len(block.places)
                for piece in block.pieces():
                    idle += int(find_idle_matrices(seat_payoffs(solved, block, piece, seat)).sum())
    return idle / decisions if decisions else None


def count_decisions(solved: SolvedGame) -> "DecisionCounts":
    """Every decision, counted."""
    count = DecisionCounts()
    for place, block in enumerate(solved.graph.blocks):
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                count.take(solved, block, seat, solved.losses[seat][place])
    return count


class DecisionCounts:
    """Decisions, and numbers in them, counted sheet by sheet."""

    def __init__(self) -> None:
        self.decisions = self.idle = self.single = self.mixed = 0
        self.open, self.sound, self.worse, self.covered = np.zeros((4, 64), np.int64)
        self.first: dict[str, list[int]] = {}

    def share(self, some: int) -> float:
        """Some decisions as a share of all."""
        return some / max(1, self.decisions)

    def take(self, solved: SolvedGame, block: TransitionBlock, seat: Seat, losses: Any) -> None:
        """Count the decisions of a seat on a sheet."""
        numbers = block.numbers(seat)
        sound = losses <= VALUE_TOLERANCE
        self.decisions += len(numbers)
        self.single += int((sound.sum(axis=1) == 1).sum())
        self.open += np.bincount(numbers.ravel(), minlength=64)
        self.sound += np.bincount(numbers[sound], minlength=64)
        for piece in block.pieces():
            side = seat_payoffs(solved, block, piece, seat)
            worth = solved.values[block.places[piece]] * (1 if seat == FIRST else -1)
            self.idle += int(find_idle_matrices(side).sum())
            self.mixed += int((side.min(axis=2).max(axis=1) < worth - VALUE_TOLERANCE).sum())
            covered, worse = find_dominated_rows(side)
            self.covered += np.bincount(numbers[piece][covered], minlength=64)
            self.worse += np.bincount(numbers[piece][worse], minlength=64)
            if piece.start == 0 and block.places[0] == 0:
                name = "first" if seat == FIRST else "second"
                self.first[name] = numbers[0][worse[0]].tolist()


def useless_numbers_of(solved: SolvedGame, count: DecisionCounts) -> list[int]:
    """Numbers that can all be struck out at once, for others are never worse and sometimes better.

    Where two numbers only stand in for each other, neither is useless: one of them must stay.
    """
    found = (count.covered == count.open) & (count.worse > 0)
    if not found.any():
        return []
    spared = found.copy()
    for block in solved.graph.blocks:
        for seat in SEATS:
            if block.numbers(seat).shape[1] > 1:
                for piece in block.pieces():
                    numbers = block.numbers(seat)[piece]
                    side = seat_payoffs(solved, block, piece, seat)
                    covered, _ = find_dominated_rows(side, ~found[numbers])
                    spared[numbers[~covered]] = False
    return np.flatnonzero(spared).tolist()


def seat_payoffs(solved: SolvedGame, block: TransitionBlock, piece: slice, seat: Seat) -> Any:
    """What each pair of picks is worth to a seat at some positions, a row for each of its picks."""
    payoff = solved.payoff(block, piece)
    return payoff if seat == FIRST else -payoff.transpose(0, 2, 1)


def find_idle_matrices(side: Any) -> Any:
    """In which matrices nothing depends on the row."""
    return (np.ptp(side, axis=1) <= VALUE_TOLERANCE).all(axis=1)


def find_dominated_rows(side: Any, stays: Any = None) -> tuple[Any, Any]:
    """Which rows of each matrix another row is never worse than, and which are dominated.

    Than one that is dominated another is never worse, and somewhere better. With marks only rows
    that are marked are held against others.
    """
    count = side.shape[1]
    covered, worse = np.zeros((2, *side.shape[:2]), bool)
    for one in range(count):
        for two in range(count):
            if one != two:
                gain = side[:, two] - side[:, one]
                never_worse = (gain >= -VALUE_TOLERANCE).all(axis=1)
                if stays is not None:
                    never_worse &= stays[:, two]
                covered[:, one] |= never_worse
                worse[:, one] |= never_worse & (gain > VALUE_TOLERANCE).any(axis=1)
    return covered, worse


def pick_frequencies_by_round(solved: SolvedGame) -> list[dict[int, float]]:
    """How often perfect play picks each number that is open to it, round by round."""
    found: list[dict[int, float]] = []
    for mass in masses_by_round(solved.graph, *solved.equilibrium):
        picked, opened = np.zeros(64), np.zeros(64)
        for place, block in enumerate(solved.graph.blocks):
            here = mass[block.places, None]
            if not here.any():
                continue
            for seat in SEATS:
                numbers = block.numbers(seat)
                held = np.broadcast_to(here, numbers.shape)
                opened += np.bincount(numbers.ravel(), held.ravel(), 64)
                weights = here * solved.equilibrium[seat][place]
                picked += np.bincount(numbers.ravel(), weights.ravel(), 64)
        opened[PASS] = 0.0
        if not opened.any() or len(found) == MAX_SHOWN_ROUNDS:
            break
        found.append({int(n): float(picked[n] / opened[n]) for n in np.flatnonzero(opened)})
    return found
