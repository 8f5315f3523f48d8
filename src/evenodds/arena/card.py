"""The data of a score card: figures with intervals, reference rows, provenance; and its schema."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import msgspec

from evenodds.core.catalog import RuledGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.engine.policies import Uniform
from evenodds.engine.solution import Solution
from evenodds.figures import Z_SCORE_95
from evenodds.study import STUDY_CODE
from evenodds.study.named_odds import OddsTable
from evenodds.system import Progress
from evenodds.system.cache_folder import CacheKind

CARD_EDITION: Final = 2
"""Raised when the method changes: cards of different editions cannot be compared."""
REFERENCE_LEVELS: Final = (2, 4, 8)
REFERENCES: Final = ("random", *(f"level:{number}" for number in REFERENCE_LEVELS), "perfect")
"""The players whose exact figures stand on every card."""
REFERENCE_KIND: Final = CacheKind(
    "reference", "rows of score cards", (*STUDY_CODE, "arena/card.py")
)


class Figure(msgspec.Struct, frozen=True):
    """A sampled figure with its 95% interval."""

    value: float
    low: float
    high: float


class Faults(msgspec.Struct, frozen=True):
    """Answers of a model that held no legal pick."""

    unreadable: int = 0
    """No pick could be found: a fault of form."""
    illegal: int = 0
    """The pick was against the rules: a fault of play."""
    cut_off: int = 0
    """The answer reached the limit of its length before a pick."""


class GameCard(msgspec.Struct, frozen=True):
    """The results of a score card in one game."""

    rulings: dict[str, str]
    exploitability: Figure
    """What an opponent takes that has seen how the player picks: a lower bound."""
    reader: Figure
    """The score against `reader`, which watches how the player picks."""
    loss: float
    """The expected score that a pick gives away against exact play, on average."""
    picks: int
    """The picks that the player was asked for."""
    matches: int
    """The matches that count for the exploitability."""
    forfeits: dict[str, int]
    """Matches lost by forfeit, by the reason."""
    references: dict[str, float]
    """The exact exploitability of players to compare with."""


class ScoreCard(msgspec.Struct, frozen=True):
    """The score card of a player."""

    card: int
    """The edition of the method."""
    version: str
    date: str
    """The day on which the card was begun."""
    player: str
    question: str
    """The edition of the question to a model."""
    parameters: dict[str, Any]
    """What was passed on with each request."""
    requests: int
    """Answers of a model."""
    tokens: int
    guessed: int
    """The answers whose tokens are an estimate."""
    faults: Faults
    overall: Figure
    """The mean of the exploitability in all games."""
    references: dict[str, float]
    games: dict[str, GameCard]


def schema() -> dict[str, Any]:
    """The JSON schema of a card."""
    return msgspec.json.schema(ScoreCard)


def read_card(text: bytes) -> ScoreCard:
    """A card from its JSON; `msgspec.ValidationError` or `msgspec.DecodeError` where it is none."""
    return msgspec.json.decode(text, type=ScoreCard)


def estimated(samples: Sequence[Sequence[float]]) -> Figure:
    """The mean of the means of independent samples, by Agresti and Coull's interval.

    Each mean lies between 0 and 1; the observations that are added are shared among the samples.
    """
    count, value, middle, variance = len(samples), 0.0, 0.0, 0.0
    more = Z_SCORE_95**2 / 2 / count
    for sample in samples:
        size, total = len(sample) + 2 * more, sum(sample)
        mean, squares = (total + more) / size, (sum(each**2 for each in sample) + more) / size
        value += total / len(sample) / count
        middle += mean / count
        variance += max(0.0, squares - mean**2) / size / count**2
    half = Z_SCORE_95 * sqrt(variance)
    found = (min(1.0, max(0.0, bound)) for bound in (value, middle - half, middle + half))
    return Figure(*found)


def reference_rows(ruled: RuledGame, solution: Solution, progress: Progress) -> dict[str, float]:
    """The exact exploitability of the reference players.

    That of levels is known from the odds between players; that of random picks is kept here.
    """
    game, rulings = ruled.game, ruled.rulings
    best = OddsTable(game, rulings, None, progress).of_levels().best_opponent
    levels = {name: 2 * best[name] - 1 for name in REFERENCES if name in best}
    if (random := load_result(game, rulings, REFERENCE_KIND)) is None:
        from evenodds.engine.responses import exploitability

        random = exploitability(ruled, Uniform(game), progress=progress) / (solution.span / 2)
        save_result(random, game, rulings, REFERENCE_KIND)
    return {"random": random, **levels, "perfect": 0.0}
