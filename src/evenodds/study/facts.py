"""The facts that claims are checked against: figures of a study, and lines of play."""

from functools import cached_property
from typing import Any

import numpy as np

from evenodds.match import Match
from evenodds.notation import BadNotation, play_line, write_round
from evenodds.solver.atlas import End, Sheet
from evenodds.study.fate import Fate, fate_of
from evenodds.study.study import Study
from evenodds.study.survey import Survey
from evenodds.terms import agree
from evenodds.vocabulary import FIRST, SECOND, Outcome, Pair


class SolvedFacts:
    """Facts of one game under some rulings; the survey is made when a figure needs it."""

    def __init__(self, study: Study, survey: Any) -> None:
        self.study = study
        self._survey = survey

    @cached_property
    def survey(self) -> Survey:
        """The game spread out."""
        found: Survey = self._survey()
        return found

    @property
    def rulings(self) -> Any:
        """What is ruled."""
        return self.survey.rulings

    def fate(self, first: str, second: str) -> Fate:
        """How matches end between two ways of playing."""
        survey = self.survey
        return fate_of(survey, survey.shares(first, FIRST), survey.shares(second, SECOND))

    def line_to(self, outcome: Outcome | None = None, ending: str = "") -> str:
        """The shortest line of play to such an end; nothing where none leads there."""
        atlas = self.survey.atlas

        def wanted(end: End) -> bool:
            return outcome in (None, end.outcome) and ending in ("", end.ending)

        ends = [atlas.size + place for place, end in enumerate(atlas.ends) if wanted(end)]
        picks = self._back(ends)
        return " ".join(write_round(pair) for pair in picks) if picks else ""

    def refused(self, line: str) -> str:
        """Why a line of play is against the rules; nothing where it is not."""
        match = Match(agree(self.survey.game)._replace(rulings=self.survey.rulings))
        try:
            play_line(match, line)
        except BadNotation as error:
            return str(error)
        return ""

    def _back(self, goals: list[int]) -> list[Pair]:
        """The picks of a shortest line from the start to one of some places or ends."""
        atlas = self.survey.atlas
        far = np.full(atlas.size + len(atlas.ends), np.inf)
        far[goals] = 0.0
        before = None
        while before is None or (self.survey.loops and (before != far).any()):
            before = far.copy()
            for sheet in reversed(atlas.sheets):
                nearest = far[sheet.targets].min(axis=(1, 2)) + 1
                far[sheet.places] = np.minimum(far[sheet.places], nearest)
        picks: list[Pair] = []
        where = 0
        while 0 < far[where] < np.inf:
            sheet, line = self._at(where)
            nearest = far[sheet.targets[line]]
            one, two = np.unravel_index(int(nearest.argmin()), nearest.shape)
            picks.append((int(sheet.firsts[line, one]), int(sheet.seconds[line, two])))
            where = int(sheet.targets[line, one, two])
        return picks

    def _at(self, place: int) -> tuple[Sheet, int]:
        """The sheet on which a place lies, and its line there."""
        for sheet in self.survey.atlas.sheets:
            lines = np.flatnonzero(sheet.places == place)
            if lines.size:
                return sheet, int(lines[0])
        raise AssertionError("a place on no sheet")
