"""A game is one folder in the tests, too: those for all games name none of them."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from evenodds.core.catalog import built_in
from tests.support.paths import TESTS

FILES: Final = [
    path
    for path in sorted(TESTS.rglob("*.py"))
    if path.relative_to(TESTS).parts[0] not in ("games", "releases")
]


def names_in(nodes: Iterable[ast.AST | None]) -> set[str]:
    """The games that some expressions are, or are tuples, lists or sets of."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value in built_in():
            found.add(node.value)
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            found |= names_in(node.elts)
    return found


def decisions(node: ast.AST) -> list[ast.AST]:
    """What is asked in a statement or an expression that goes on in one way or another."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return list(ast.walk(node.test))
    if isinstance(node, ast.comprehension):
        return [part for test in node.ifs for part in ast.walk(test)]
    return []


def listed_games(nodes: list[ast.expr]) -> set[str]:
    """The games that a list names, or that rows of a table begin with.

    Lists in a list are no rows: `["duel", "--rule", "hp=3"]` is what somebody types.
    """
    heads = [node.elts[0] if isinstance(node, ast.Tuple) and node.elts else node for node in nodes]
    return names_in(head for head in heads if isinstance(head, ast.Constant))


def lines_naming_games(source: str) -> Iterator[int]:
    """Lines with a table by game, a decision by game, or a list of several games."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict) and names_in(node.keys):
            yield node.lineno
        elif isinstance(node, ast.MatchValue) and names_in([node.value]):
            yield node.value.lineno
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and len(listed_games(node.elts)) > 1:
            yield node.lineno
        for part in decisions(node):
            if isinstance(part, ast.Compare) and names_in([part.left, *part.comparators]):
                yield part.lineno


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_shared_test_knows_games_by_name(path: Path) -> None:
    """What is true of one game stands in `tests/games/NAME/data.py`, or in a test of its own.

    A game that stands for others has a name in `tests/support/examples.py`.
    """
    assert list(lines_naming_games(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'SMALL = {"duel": 1}',
        'LIMITS = {("duel", "hp"): 1}',
        'if name == "duel":\n    pass',
        'given = 1 if "duel" == name else 2',
        'few = [game for game in GAMES if game.name in ("duel", "circle")]',
        'match name:\n    case "duel":\n        pass',
        f"GAMES = {sorted(built_in())}",
        'FEW = ["duel", "circle"]',
        'for name, given in (("duel", {}), ("circle", {})):\n    pass',
        f"CASES = {[(name, 1) for name in sorted(built_in())]}",
    ],
)
def test_tables_and_decisions_by_game_are_found(source: str) -> None:
    assert list(lines_naming_games(source))


@pytest.mark.parametrize(
    "source",
    [
        'play("duel", hp=3)',
        'assert found == "duel"',
        'wish = {"game": "duel"}',
        'CASES = [("duel", {"hp": 1}), ("duel", {"hp": 2})]',
        'TYPED = [(["duel", "--first", "2"], "refused"), (["circle", "--first", "3"], "refused")]',
    ],
)
def test_a_test_may_play_any_game(source: str) -> None:
    assert not list(lines_naming_games(source))
