"""Ruling variants: each ruling changed alone, with the summary figures it leads to."""

from collections.abc import Iterator
from shlex import quote
from typing import Final, NamedTuple

from evenodds.claims.study_figures import Study, StudySummary
from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import BadRuling, OneOf, Whole
from evenodds.core.vocabulary import Settled
from evenodds.graph import TooLarge, load_result, save_result, too_many_positions
from evenodds.players.levels import ladder_of
from evenodds.study.figure_serialization import cached_figures
from evenodds.study.game_building import SolvedGameFactory, build_solved_game
from evenodds.study.study import STUDY_KIND
from evenodds.study.summary import summary_of
from evenodds.system.progress import Progress, silent

Rules = dict[str, int | str]
"""Rulings as data (`rulings.as_data`)."""

MAX_VARIANT_POSITIONS: Final = 1_500_000
"""Variants with more positions are left out."""
MAX_EXHAUSTIVE_VALUES: Final = 4
"""The longest range of numbers that is tried whole; of a longer one only neighbours are."""
OFF_VALUE: Final = 0
"""The value that switches a ruling off, where it is allowed."""


class RulingVariant(NamedTuple):
    """A game with one ruling changed, the others as they are."""

    key: str
    value: str
    brief: StudySummary | None
    reason: str
    """Why there is no summary."""
    command: str
    """The command that studies this variant."""


def ruling_variants_of(
    game: AnyGame,
    study: Study,
    progress: Progress = silent,
    build: SolvedGameFactory = build_solved_game,
) -> list[RulingVariant]:
    """Every value of every ruling, the others as they are; none for one with a single value."""
    found: list[RulingVariant] = []
    for key, rules in _variant_rules(game, study.rules):
        summary: StudySummary | str = summary_of(study)
        if rules != study.rules:
            summary = _cached_summary(game, game.settle(rules), progress, build)
        found.append(_variant(game, key, rules, summary))
    return found


def _variant_rules(game: AnyGame, rules: Rules) -> Iterator[tuple[str, Rules]]:
    """The ruling that a variant changes, and all its rules."""
    for key, values in variant_values(game, rules).items():
        if len(values) > 1:
            for value in values:
                yield key, {**rules, key: value}


def variant_values(game: AnyGame, rules: Rules) -> dict[str, list[int | str]]:
    """The values of each ruling that are studied, as they are typed."""
    found: dict[str, list[int | str]] = {}
    for key, option in game.options.items():
        if isinstance(option, OneOf):
            found[key] = list(option.words)
        else:
            tried = _near(option, int(rules[key]))
            found[key] = [value for value in tried if _fits(game, rules, key, value)]
    return found


def _near(option: Whole, now: int) -> list[int]:
    """Numbers next to the current one, and the one that switches the ruling off."""
    low, high = option.low, option.high
    if isinstance(high, int) and high - low < MAX_EXHAUSTIVE_VALUES:
        return list(range(low, high + 1))
    return sorted({now - 1, now, now + 1} | ({OFF_VALUE} if low == OFF_VALUE else set()))


def _fits(game: AnyGame, rules: Rules, key: str, value: int) -> bool:
    try:
        game.settle({**rules, key: value})
    except BadRuling:
        return False
    return True


def _variant(game: AnyGame, key: str, rules: Rules, found: StudySummary | str) -> RulingVariant:
    usual = game.settle({})
    options = [
        f"--rule {name}={said}"
        for name, said in rules.items()
        if game.options[name].show(getattr(usual, name)) != str(said)
    ]
    command = " ".join(["evenodds study", quote(game.name), *options])
    if isinstance(found, str):
        return RulingVariant(key, str(rules[key]), None, found, command)
    return RulingVariant(key, str(rules[key]), found, "", command)


def _cached_summary(
    game: AnyGame, rulings: Settled, progress: Progress, build: SolvedGameFactory
) -> StudySummary | str:
    """The summary of a variant, or why there is none; from the cache where it is there."""
    key = (
        STUDY_KIND,
        "brief",
        str(ladder_of(game)),
        str(MAX_VARIANT_POSITIONS),
    )
    cached = load_result(game, rulings, *key)
    if isinstance(cached, str):
        return cached

    def compute() -> StudySummary:
        solved = build(game, rulings, progress, max_positions=MAX_VARIANT_POSITIONS)
        from evenodds.study.metrics.all_metrics import summarize_solved_game  # needs the solver

        return summarize_solved_game(solved)

    try:
        return cached_figures(StudySummary, compute, game, rulings, *key)
    except (TooLarge, BadGame) as error:
        # This limit is part of the cache key; other refusals depend on the machine and may pass
        # another time.
        if str(error) == too_many_positions(MAX_VARIANT_POSITIONS):
            save_result(str(error), game, rulings, *key)
        return str(error)
