"""Studies for a program: the figures of a rule book as data, and its page."""

import os
from pathlib import Path

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import StudyReport, study_report_of
from evenodds.system.files import write_output
from evenodds.system.progress import Progress, silent


def run_study(
    game: GameLike,
    *,
    progress: Progress = silent,
) -> StudyReport:
    """The exact truth about a rule book: its figures, claims, questions and variants.

    Raises `TooLarge` for rulings that cannot be solved, or `BadGame`, in one line.
    """
    ruled = catalog.settle(game, {})
    catalog.add(ruled.game)  # a study has the game's name only
    return study_report_of(ruled.game, ruled.rulings, progress)


def write_study_page(report: StudyReport, path: str | os.PathLike[str]) -> None:
    """Write a study as a web page that stands alone."""
    write_output(Path(path), render_report(*report))
