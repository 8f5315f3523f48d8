"""Puzzles that are the same for everybody, by a key: that of a day, or numbered ones of a game."""

import re
from datetime import UTC, datetime
from datetime import date as Date
from random import Random
from typing import Final, NamedTuple

from evenodds.coach.puzzles import Puzzle, find_puzzles, nearest_puzzle
from evenodds.core import catalog
from evenodds.core.terms import Terms, agree
from evenodds.solver import Solution

DAILY_STRENGTH: Final = 2.0
"""The difficulty of the daily puzzle."""
PRACTICE_KEY: Final = re.compile(r"([a-z]+)-([0-9]{1,9})")
"""A game, and a number that stands for one of its puzzles."""


class PuzzleKey(NamedTuple):
    """What determines a puzzle, with the strength that it is chosen for."""

    terms: Terms
    seed: str

    def puzzle(self, solution: Solution, strength: float = DAILY_STRENGTH) -> Puzzle:
        """The puzzle, given the solution under its terms."""
        return nearest_puzzle(find_puzzles(solution, Random(self.seed), frozenset()), strength)


def puzzle_day() -> Date:
    """The day of the daily puzzle, the same everywhere."""
    return datetime.now(UTC).date()


def parse_puzzle_key(key: str) -> PuzzleKey:
    """The key of a day (`2026-11-17`) or of a game (`margin-5`); `ValueError` for another."""
    practice = PRACTICE_KEY.fullmatch(key)
    games = catalog.built_in()
    if practice and practice[1] in games:
        name = practice[1]
    else:
        try:
            day = Date.fromisoformat(key)
        except ValueError:
            raise ValueError("there is no such puzzle") from None
        name = sorted(games)[day.toordinal() % len(games)]
    # Where the rules decide every match, the variant in which picks matter.
    variant = dict(catalog.get(name).lively)
    return PuzzleKey(agree(name, variant, repetition=0), f"puzzle {key}")
