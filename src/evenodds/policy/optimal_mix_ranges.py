"""Range of a figure over all optimal mixes of a solved game.

Often there are several optimal mixes. A figure between optimal play and a given policy lies between
two bounds, both found by backward induction with a linear program over the optimal mixes of each
position. Where both seats play optimal mixes the problem is bilinear; there the seats are optimised
alternately, which finds a range that is reached, but perhaps not the widest.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, other
from evenodds.figures.ranges import Range
from evenodds.figures.tolerance import VALUE_TOLERANCE
from evenodds.graph import (
    MAX_INTERPRETED_POSITIONS,
    PositionIndex,
    StrategyShares,
    TransitionBlock,
    transition_graph_of,
)
from evenodds.kernels import shared_kernel, split_range, worker_threads
from evenodds.policy.policy_strategies import BLOCK_POSITIONS, equilibrium_of
from evenodds.simplex.arrays import as_arrays
from evenodds.simplex.linear_program import make_linear_program
from evenodds.solver import Solution

MAX_ALTERNATIONS: Final = 8
"""Limit on rounds of alternating optimisation."""


class Figure(NamedTuple):
    """A figure of matches: its value at each end, and what each round adds."""

    ends: Any
    step: float = 0.0


class OptimalMixRanges:
    """The range of a figure over optimal mixes of a solution, in a game without loops."""

    def __init__(self, index: PositionIndex, solution: Solution) -> None:
        self.index = index
        self.graph = transition_graph_of(index)
        self.values = equilibrium_of(index, solution).values

    def score_against(self, theirs: StrategyShares, seat: Seat) -> Range:
        """The score of optimal play in a seat against the shares of the other."""
        outcomes = self.graph.outcomes()
        score = Figure(0.5 + (outcomes if seat == FIRST else -outcomes) / 2)
        return Range(*(self.best(score, theirs, seat, side)[0] for side in (-1, 1)))

    def score_against_chance(self) -> Range:
        """The score of optimal play against uniform picks, averaged over both seats."""
        is_symmetric = self.index.game.mirror is not None
        seats = SEATS[:1] if is_symmetric else SEATS
        found = [self.score_against(self.graph.uniform(other(seat)), seat) for seat in seats]
        return Range(*np.mean(found, axis=0).tolist())

    def reached(self, figure: Figure, selected: tuple[StrategyShares, StrategyShares]) -> Range:
        """The range of a figure between two optimal players that alternating optimisation reaches.

        `selected` are the mixes of both seats to start from.
        """
        return Range(*(self._alternate(figure, selected, side) for side in (-1, 1)))

    def _alternate(
        self, figure: Figure, selected: tuple[StrategyShares, StrategyShares], side: int
    ) -> float:
        """Optimise one seat after the other until the figure changes no more."""
        first, second = selected
        before = -side * np.inf
        for _ in range(MAX_ALTERNATIONS):
            _, first = self.best(figure, second, FIRST, side)
            found, second = self.best(figure, first, SECOND, side)
            if side * (found - before) <= VALUE_TOLERANCE:
                break
            before = found
        return found

    def best(
        self, figure: Figure, theirs: StrategyShares, seat: Seat, side: int
    ) -> tuple[float, StrategyShares]:
        """The maximum (`side` 1) or minimum (-1) of a figure, and the mixes that reach it."""
        graph = self.graph
        figures = np.concatenate([np.zeros(graph.size), figure.ends])
        if not self.index.game.simultaneous:
            return self._best_picks(figures, figure.step, theirs, seat, side)
        compiled = graph.size > MAX_INTERPRETED_POSITIONS
        fill = shared_kernel("fill_extreme_mixes", compiled)
        shares = [np.zeros(block.numbers(seat).shape) for block in graph.blocks]
        done = 0
        with worker_threads() as threads:
            for block, own, others in zip(
                reversed(graph.blocks), reversed(shares), reversed(theirs), strict=True
            ):

                def work(
                    piece: tuple[int, int],
                    block: TransitionBlock = block,
                    own: Any = own,
                    others: Any = others,
                ) -> None:
                    part = slice(*piece)
                    fill(
                        self.values,
                        figures,
                        block.places[part],
                        block.targets[part],
                        others[part],
                        seat,
                        float(side),
                        figure.step,
                        _workspace(max(block.targets.shape[1:])),
                        own[part],
                    )

                list(threads.map(work, split_range(len(own), BLOCK_POSITIONS)))
                done += len(own)
                self.index.progress("trying other best mixes", done, graph.size)
        return float(figures[0]), shares

    def _best_picks(
        self, figures: Any, step: float, theirs: StrategyShares, seat: Seat, side: int
    ) -> tuple[float, StrategyShares]:
        """The same in a game of turns: of the picks that keep the value the best, without mixes."""
        values = self.values if seat == FIRST else -self.values
        found = []
        for block, others in zip(reversed(self.graph.blocks), reversed(theirs), strict=True):
            targets = block.targets.reshape(len(block.places), -1)
            own = np.ones((len(targets), 1))
            if others.shape[1] == 1:
                kept = values[targets] == values[block.places, None]
                best = np.where(kept, side * figures[targets], -np.inf).argmax(axis=1)
                own = np.eye(targets.shape[1])[best]
            figures[block.places] = step + (own * others * figures[targets]).sum(axis=1)
            found.append(own)
        return float(figures[0]), found[::-1]


def _workspace(size: int) -> Any:
    # Payoffs, gains, a linear program and a mix: what `fill_extreme_mixes` unpacks.
    program = as_arrays(make_linear_program(size, size))
    return np.zeros((size, size)), np.zeros(size), program, np.zeros(size)
