"""Range of a figure over all optimal mixes of a solved game.

Perfect play is a mix in every position that nobody gains anything against, and often there are
several. A figure between one that is best in every position and a policy that is given lies between
two bounds: both are found from the ends back, by a linear program over the best mixes of each
position. Where both seats play best mixes that is no linear program; there one seat after the other
is changed as far as it goes, and what was reached is told: there may be more.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, other
from evenodds.graph.position_index import MAX_INTERPRETED_POSITIONS
from evenodds.graph.transitions import TransitionBlock, TransitionGraph
from evenodds.kernels.compile import equilibrium_range_kernel
from evenodds.kernels.threads import split_range, worker_threads
from evenodds.matrix.linear_program import make_linear_program
from evenodds.policy.shares import BLOCK_POSITIONS

RANGE_TOLERANCE: Final = 1e-9
"""A change this small is rounding."""
MAX_ALTERNATIONS: Final = 8
"""How often one seat after the other is changed at most."""

SharesByBlock = list[Any]
"""For each sheet of an atlas a line for each position, with a place for each number."""


class Range(NamedTuple):
    """The least and the most that a figure comes to."""

    least: float
    most: float

    @property
    def is_wide(self) -> bool:
        """Whether there is any difference between the two."""
        return self.most - self.least > RANGE_TOLERANCE


class Figure(NamedTuple):
    """A figure of matches: what it comes to at each end, and what each round adds."""

    ends: Any
    step: float = 0.0


class Extremes:
    """Best mixes that bring most or least of a figure, in a game without loops.

    `values` is what each place, and behind them each end, is worth to the first seat.
    """

    def __init__(self, atlas: TransitionGraph, values: Any) -> None:
        self.atlas = atlas
        self.values = values

    def score_against(self, theirs: SharesByBlock, seat: Seat) -> Range:
        """What perfect play in a seat scores against the shares of the other."""
        outcomes = self.atlas.outcomes()
        score = Figure(0.5 + (outcomes if seat == FIRST else -outcomes) / 2)
        return Range(*(self.best(score, theirs, seat, side)[0] for side in (-1, 1)))

    def score_against_chance(self) -> Range:
        """What perfect play scores against random picks, on average over both seats."""
        even = self.atlas.ground.game.mirror is not None
        seats = SEATS[:1] if even else SEATS
        found = [self.score_against(self.atlas.uniform(other(seat)), seat) for seat in seats]
        return Range(*np.mean(found, axis=0).tolist())

    def reached(self, figure: Figure, named: tuple[SharesByBlock, SharesByBlock]) -> Range:
        """What a figure comes to between two perfect players, as far as it was changed.

        `named` are the mixes of both seats to begin with. There may be pairs beyond.
        """
        return Range(*(self._changed(figure, named, side) for side in (-1, 1)))

    def _changed(
        self, figure: Figure, named: tuple[SharesByBlock, SharesByBlock], side: int
    ) -> float:
        """A figure raised or lowered by changing one seat after the other until it stands still."""
        first, second = named
        before = -side * np.inf
        for _ in range(MAX_ALTERNATIONS):
            _, first = self.best(figure, second, FIRST, side)
            found, second = self.best(figure, first, SECOND, side)
            if side * (found - before) <= RANGE_TOLERANCE:
                break
            before = found
        return found

    def best(
        self, figure: Figure, theirs: SharesByBlock, seat: Seat, side: int
    ) -> tuple[float, SharesByBlock]:
        """The most (`side` 1) or the least (-1) of a figure, and the best mixes that bring it."""
        atlas = self.atlas
        figures = np.concatenate([np.zeros(atlas.size), figure.ends])
        fill = equilibrium_range_kernel(compiled=atlas.size > MAX_INTERPRETED_POSITIONS)
        shares = [np.zeros(sheet.numbers(seat).shape) for sheet in atlas.blocks]
        done = 0
        with worker_threads(atlas.ground.progress) as at_work:
            for sheet, own, others in zip(
                reversed(atlas.blocks), reversed(shares), reversed(theirs), strict=True
            ):

                def work(
                    piece: tuple[int, int],
                    sheet: TransitionBlock = sheet,
                    own: Any = own,
                    others: Any = others,
                ) -> None:
                    part = slice(*piece)
                    lines = sheet.places[part], sheet.targets[part], others[part]
                    how = seat, float(side), figure.step, _workspace(max(sheet.targets.shape[1:]))
                    fill(self.values, figures, *lines, *how, own[part])

                list(at_work.pool.map(work, split_range(len(own), BLOCK_POSITIONS)))
                done += len(own)
                atlas.ground.progress("trying other best mixes", done, atlas.size)
        return float(figures[0]), shares


def _workspace(size: int) -> Any:
    """Room to work in: payoffs, gains, a sheet and a mix."""
    return np.zeros((size, size)), np.zeros(size), make_linear_program(size, size), np.zeros(size)
