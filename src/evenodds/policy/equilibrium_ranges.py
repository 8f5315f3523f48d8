"""How far a figure depends on which of several best mixes are played.

Perfect play is a mix in every position that nobody gains anything against, and often there are
several. A figure between one that is best in every position and a policy that is given lies between
two bounds: both are found from the ends back, by a linear program over the best mixes of each
position. Where both seats play best mixes that is no linear program; there one seat after the other
is changed as far as it goes, and what was reached is told: there may be more.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, other
from evenodds.graph.position_index import SMALL
from evenodds.graph.transitions import Atlas, Sheet
from evenodds.kernels.compile import extreme_filler
from evenodds.kernels.threads import crew, pieces_of
from evenodds.matrix.linear_program import sheet_for
from evenodds.policy.shares import BLOCK

STILL: Final = 1e-9
"""A change this small is rounding."""
CHANGES: Final = 8
"""How often one seat after the other is changed at most."""

Shares = list[Any]
"""For each sheet of an atlas a line for each position, with a place for each number."""


class Range(NamedTuple):
    """The least and the most that a figure comes to."""

    least: float
    most: float

    @property
    def is_wide(self) -> bool:
        """Whether there is any difference between the two."""
        return self.most - self.least > STILL


class Figure(NamedTuple):
    """A figure of matches: what it comes to at each end, and what each round adds."""

    ends: Any
    step: float = 0.0


class Extremes:
    """Best mixes that bring most or least of a figure, in a game without loops.

    `values` is what each place, and behind them each end, is worth to the first seat.
    """

    def __init__(self, atlas: Atlas, values: Any) -> None:
        self.atlas = atlas
        self.values = values

    def score_against(self, theirs: Shares, seat: Seat) -> Range:
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

    def reached(self, figure: Figure, named: tuple[Shares, Shares]) -> Range:
        """What a figure comes to between two perfect players, as far as it was changed.

        `named` are the mixes of both seats to begin with. There may be pairs beyond.
        """
        return Range(*(self._changed(figure, named, side) for side in (-1, 1)))

    def _changed(self, figure: Figure, named: tuple[Shares, Shares], side: int) -> float:
        """A figure raised or lowered by changing one seat after the other until it stands still."""
        first, second = named
        before = -side * np.inf
        for _ in range(CHANGES):
            _, first = self.best(figure, second, FIRST, side)
            found, second = self.best(figure, first, SECOND, side)
            if side * (found - before) <= STILL:
                break
            before = found
        return found

    def best(self, figure: Figure, theirs: Shares, seat: Seat, side: int) -> tuple[float, Shares]:
        """The most (`side` 1) or the least (-1) of a figure, and the best mixes that bring it."""
        atlas = self.atlas
        figures = np.concatenate([np.zeros(atlas.size), figure.ends])
        fill = extreme_filler(compiled=atlas.size > SMALL)
        shares = [np.zeros(sheet.numbers(seat).shape) for sheet in atlas.sheets]
        done = 0
        with crew(atlas.ground.progress) as at_work:
            for sheet, own, others in zip(
                reversed(atlas.sheets), reversed(shares), reversed(theirs), strict=True
            ):

                def work(
                    piece: tuple[int, int],
                    sheet: Sheet = sheet,
                    own: Any = own,
                    others: Any = others,
                ) -> None:
                    part = slice(*piece)
                    lines = sheet.places[part], sheet.targets[part], others[part]
                    how = seat, float(side), figure.step, _desk(max(sheet.targets.shape[1:]))
                    fill(self.values, figures, *lines, *how, own[part])

                list(at_work.pool.map(work, pieces_of(len(own), BLOCK)))
                done += len(own)
                atlas.ground.progress("trying other best mixes", done, atlas.size)
        return float(figures[0]), shares


def _desk(size: int) -> Any:
    """Room to work in: payoffs, gains, a sheet and a mix."""
    return np.zeros((size, size)), np.zeros(size), sheet_for(size, size), np.zeros(size)
