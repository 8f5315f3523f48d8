"""Every ruling each way: what each reading of an unclear sentence does to the game."""

from typing import Any, Final, NamedTuple

from evenodds.catalog import AnyGame
from evenodds.rulings import BadRuling, OneOf, as_data
from evenodds.solver import BadGame, Progress, TooLarge, silent
from evenodds.study.study import Study, study_of
from evenodds.study.survey import Spread, Survey

SMALL: Final = 10_000
"""Positions up to which whole numbers are studied one step either way too."""


class Reading(NamedTuple):
    """A game with one ruling read in one way, the others as they are."""

    key: str
    value: str
    study: Study | None
    reason: str
    """Why there is no study."""


def readings_of(
    game: AnyGame, study: Study, progress: Progress = silent, spread: Spread = Survey
) -> list[Reading]:
    """Each ruling that is a word, each way; in small games whole numbers one less and one more.

    Nothing for a ruling that has only one way to be read.
    """
    found: list[Reading] = []
    for key, values in ways(game, study).items():
        if len(values) > 1:
            found += [_reading(game, study, key, value, progress, spread) for value in values]
    return found


def ways(game: AnyGame, study: Study) -> dict[str, list[int | str]]:
    """The values in which each ruling is studied, as people write them."""
    found: dict[str, list[int | str]] = {}
    for key, option in game.options.items():
        now = study.rules[key]
        if isinstance(option, OneOf):
            found[key] = list(option.meanings)
        elif isinstance(now, int) and study.size.positions <= SMALL:
            near = (now - 1, now, now + 1)
            found[key] = [value for value in near if _fits(game, study, key, value)]
    return found


def _fits(game: AnyGame, study: Study, key: str, value: int) -> bool:
    try:
        game.settle(study.rules | {key: value})
    except BadRuling:
        return False
    return True


def _reading(
    game: AnyGame, study: Study, key: str, value: int | str, progress: Progress, spread: Spread
) -> Reading:
    if study.rules[key] == value:
        return Reading(key, str(value), study, "")
    rulings: Any = game.settle(study.rules | {key: value})
    assert as_data(rulings)[key] == value
    try:
        return Reading(key, str(value), study_of(game, rulings, progress, spread), "")
    except (TooLarge, BadGame) as error:
        return Reading(key, str(value), None, str(error))
