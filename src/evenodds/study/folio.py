"""All that is to be said about a rule book under some rulings, gathered for those who tell it."""

from typing import Any, NamedTuple

from evenodds.catalog import AnyGame
from evenodds.solver import Progress, silent
from evenodds.study.promises import Kept, promises_of, questions_of
from evenodds.study.readings import Reading, readings_of
from evenodds.study.study import Study, study_of


class Folio(NamedTuple):
    """A study, what became of the promises, our own questions, and every ruling each way."""

    study: Study
    promises: list[Kept]
    questions: list[Kept]
    readings: list[Reading]


def folio_of(game: AnyGame, rulings: Any, progress: Progress = silent) -> Folio:
    """Everything about a game: opened where it is kept, else found and kept.

    Raises `TooLarge` or `BadGame` in one line.
    """
    study = study_of(game, rulings, progress)
    return Folio(
        study,
        promises_of(game, rulings, progress),
        questions_of(game, rulings, progress),
        readings_of(game, study, progress),
    )
