"""Exact strength of the levels of a game, read from the odds between players."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from evenodds.claims.checks import NO_CHOICE
from evenodds.claims.study_figures import LEVEL_NAMES, NEIGHBOURS, RANDOM_POLICY, compare_levels
from evenodds.claims.thresholds import COUNTS, DECIDES, MUCH, is_fair, percent_beside
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import Settled
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.study.named_odds import OddsTable
from evenodds.system import Progress, silent

LEVEL_KEYS: Final = ("name", "below", "random", "perfect", "best_opponent", "drawn", "played_on")
"""The keys of a level's scores in JSON, in the order of `LevelStrength`."""


class LevelStrength(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `below`, `random` and `perfect` are its scores against the level below, random picks and perfect
    play; `best_opponent` is the score of the best response against it. Where repetition is a draw,
    `drawn` is the share of drawn matches against the level below, and `played_on` the score against
    it without that rule.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    best_opponent: float
    drawn: float | None
    played_on: float | None


class Strengths(NamedTuple):
    """The levels of a game, the score of perfect play against random play, the value of the start.

    `repetition` is how often a position may come up before the match is a draw; 0 for no limit.
    """

    levels: tuple[LevelStrength, ...]
    perfect_score: float
    value: float
    repetition: int
    decides: bool
    """Whether there is a decision."""


def strengths(
    game: AnyGame, rulings: Settled, progress: Progress = silent, repetition: int | None = None
) -> Strengths:
    """The exact strength of every level under some rulings; for `repetition` see `OddsTable`."""
    table = OddsTable(game, rulings, repetition, progress)
    kept = table.of_levels()
    pairs, repetition = kept.pairs, kept.repetition
    ignored = table.without_repetition().of(NEIGHBOURS).pairs if repetition else {}
    levels = tuple(
        LevelStrength(
            name,
            compare_levels(name, below, pairs).score if below else None,
            compare_levels(name, RANDOM_POLICY, pairs).score,
            compare_levels(name, LEVEL_NAMES[-1], pairs).score,
            kept.best_opponent.get(name, 0.5),
            compare_levels(name, below, pairs).drawn if below and ignored else None,
            compare_levels(name, below, ignored).score if below and ignored else None,
        )
        for below, name in pairwise(("", *LEVEL_NAMES))
    )
    assert kept.value is not None
    decides = bool(kept.best_opponent)
    return Strengths(levels, levels[-1].random, kept.value, repetition, decides)


def below_half(scores: Mapping[str, float | None]) -> str:
    """A sentence on levels that score below half against the level below; empty if none does."""
    scores_below_half = {
        name.removeprefix("level:"): score
        for name, score in scores.items()
        if score is not None and score < 0.5 - VALUE_TOLERANCE
    }
    if not scores_below_half:
        return ""
    names = join_words(list(scores_below_half))
    said = f"Level {names} scores" if len(scores_below_half) == 1 else f"Levels {names} score"
    least = percent(min(scores_below_half.values()), 2)
    least = "by less than 0.01%" if least == "50%" else f"{least} at the lowest"
    return f"{said} below 50% against the level below: {least}."


def are_levels_alike(found: Strengths) -> bool:
    """Whether all ways to play score the same: nothing can be gained against any level."""
    return all(abs(level.best_opponent - 0.5) < VALUE_TOLERANCE for level in found.levels)


def skill_sentence(game: AnyGame, found: Strengths) -> str:
    """How much skill matters in a game, in a sentence."""
    if not found.decides:
        return NO_CHOICE
    score, alike = found.perfect_score, are_levels_alike(found)
    return describe_skill_range(score, found.value, luck=luck_of(game), alike=alike)


def luck_of(game: AnyGame) -> str:
    """What else than skill decides matches; empty in games of turns without chance."""
    kinds = {"guessing right": game.simultaneous, "luck": bool(game.chance)}
    return " and ".join(kind for kind, is_there in kinds.items() if is_there)


def describe_skill_range(perfect_score: float, value: float, *, luck: str, alike: bool) -> str:
    """A sentence on how much skill matters, by the score of perfect play against random play.

    `luck` is what else decides; `alike` says that all ways to play score the same.
    """
    if alike:
        return "There is no room for skill: however you play, the result is the same."
    figure = percent_beside(perfect_score, DECIDES, MUCH, COUNTS)
    scored = f"A perfect player scores {figure} against random picks"
    if DECIDES.reached_by(perfect_score):
        return f"{scored}. That is {DECIDES} or more: skill decides."
    if MUCH.reached_by(perfect_score):
        return f"{scored}. That is {MUCH} or more: skill counts for much."
    if not luck:
        return f"{scored}. Nothing is left to chance: {under_best_play(value)}."
    do, count = ("do", "count") if " and " in luck else ("does", "counts")
    if COUNTS.reached_by(perfect_score):
        return f"{scored}. That is {COUNTS} or more: skill counts, and so {do} {luck}."
    if perfect_score <= 0.5 + VALUE_TOLERANCE:
        return f"{scored}: perfect play is safe, but wins nothing from them."
    return f"{scored}. That is less than {COUNTS}: {luck} {count} for most."


def under_best_play(value: float) -> str:
    """Who wins a game of turns from the start with best play by both."""
    if is_fair(value):
        return "with best play by both it is a draw"
    return f"with best play by both whoever goes {'first' if value > 0 else 'second'} wins"


def as_json(game: AnyGame, rulings: Settled, found: Strengths) -> dict[str, Any]:
    """The strengths of all levels as data; none where there is no decision."""
    return {
        "game": game.name,
        "rules": as_data(rulings),
        "perfect_score": found.perfect_score,
        "value": found.value,
        "repetition": found.repetition,
        "levels": [dict(zip(LEVEL_KEYS, level, strict=True)) for level in found.levels]
        if found.decides
        else [],
    }
