"""A second, deliberately naive statement of the rule books, and what they share.

Each `judge` starts again from the empty table and walks through the whole history, in words
as near to the rule books as Python allows. Nothing is clever here, and nothing is fast: it is a
yardstick to hold against the real implementation. Draws by repetition are a setting of a match
and no rule, so they are left out.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

Rulings = Mapping[str, int | str]
History = Sequence[tuple[int, int]]


class Judgement(NamedTuple):
    """What the rules say of a game after its history.

    choices: the numbers open to first and to second in the next round.
    result: "first", "second", "draw" or "open".
    figures: what the players see as numbers, each for (first, second).
    """

    choices: tuple[set[int], set[int]]
    result: str
    figures: dict[str, tuple[int, int]]


def judge(game: str, rulings: Rulings, history: History) -> Judgement:
    """Judge a game by its rule book, as `tests/games/NAME/naive.py` states it."""
    judged: Judgement = import_module(f"tests.games.{game}.naive").judge(rulings, history)
    return judged


def stated(game: Any, rulings: Any) -> dict[str, int | str]:
    """Rulings as a naive statement takes them: numbers, and words."""
    shown = {key: option.show(getattr(rulings, key)) for key, option in game.options.items()}
    return {key: int(value) if value.isdigit() else value for key, value in shown.items()}


def percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def number(rulings: Rulings, key: str) -> int:
    value = rulings[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} should be a number, not {value!r}")
    return value


def word(rulings: Rulings, key: str, words: set[str]) -> str:
    value = rulings[key]
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{key} should be one of {sorted(words)}, not {value!r}")
    return value


def pool(highest: int) -> set[int]:
    return set(range(1, highest + 1))


def hands_left(highest: int, history: History) -> tuple[set[int], set[int]]:
    """Each number can be used only once by each player."""
    first = pool(highest) - {mine for mine, _ in history}
    second = pool(highest) - {theirs for _, theirs in history}
    return first, second


def turns_taken(history: History) -> list[tuple[str, int]]:
    """Who picked what, in a game where first begins and the players alternate."""
    turns: list[tuple[str, int]] = []
    for mine, theirs in history:
        if whose_turn(turns) == "first":
            turns.append(("first", mine))
        else:
            turns.append(("second", theirs))
    return turns


def whose_turn(turns: Sequence[tuple[str, int]]) -> str:
    if not turns:
        return "first"
    last_mover, _ = turns[-1]
    return other(last_mover)


def choices_of_mover(mover: str, numbers: set[int]) -> tuple[set[int], set[int]]:
    """In a turn game only the player to move has anything to choose."""
    if mover == "first":
        return set(numbers), set()
    return set(), set(numbers)


def other(player: str) -> str:
    return "second" if player == "first" else "first"


def who_has_more(first: int, second: int) -> str:
    """The player with the larger figure; equal figures are a draw."""
    if first > second:
        return "first"
    if second > first:
        return "second"
    return "draw"


def judgement(
    choices: tuple[set[int], set[int]], result: str, figures: dict[str, tuple[int, int]]
) -> Judgement:
    if result != "open":
        choices = (set(), set())
    return Judgement(choices, result, figures)
