"""Players of games with chance and points: search, reader and levels."""

from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from tests.support.examples import example
from tests.support.opponents import ReaderPlayer, SearchTree
from tests.support.play import by_chance, play
from tests.support.toll import DRAW, TOLL

GAMES: list[tuple[Any, dict[str, Any]]] = [
    (TOLL, {}),
    (example("pig"), {"goal": 5}),
    (example("goofspiel"), {"cards": 3, "score": "points"}),
    (example("goofspiel"), {"cards": 3}),
]


def test_search_proves_what_a_draw_is_worth_on_average() -> None:
    match = Match(TOLL)
    match.play((0, 2))
    tree = SearchTree(TOLL, Random(1))
    root = tree.root(match.state)
    while not root.proven:
        tree.run_playout(root)
    assert root.value == 2  # the points paid before are no part of it
    assert root.mix(FIRST) == {DRAW: 1.0}


@pytest.mark.parametrize(("game", "given"), GAMES, ids=str)
def test_search_comes_near_the_exact_value(game: Any, given: dict[str, Any]) -> None:
    solution, tree = evenodds.solve(evenodds.game(game, given)), SearchTree(game, Random(2))
    match = Match(game, given, seed="search")
    seat = match.waiting()[0]
    root = tree.root(match.state)
    for _ in range(1500):
        tree.run_playout(root)
    assert root.value == pytest.approx(solution.value(match.state), abs=0.04 * solution.span)
    yields = solution.pick_values(match.state, seat)
    found = sum(share * yields[number] for number, share in root.mix(seat).items())
    assert found >= solution.value(match.state, seat) - 0.02 * solution.span


@pytest.mark.parametrize("seat", [FIRST, SECOND])
@pytest.mark.parametrize(("game", "given"), GAMES, ids=str)
def test_the_reader_follows_what_is_drawn(game: Any, given: dict[str, Any], seat: int) -> None:
    solution = evenodds.solve(evenodds.game(game, given))
    for seed in range(4):
        match = Match(game, given, seed=str(seed))
        reader = ReaderPlayer(solution, match.terms, seat, Random(seed), None)
        chance = by_chance(Random(seed))

        def choose(match: Match, who: int, reader: Any = reader, chance: Any = chance) -> int:
            if who != seat:
                return int(chance(match, who))
            mix = reader.mix(match.view(seat))
            assert set(mix) <= set(match.choices(seat))
            if not game.simultaneous:
                assert mix == solution.mix(match.state, seat)
            return int(max(mix, key=lambda number: mix[number]))

        play(match, choose, 1)
        again = match.history
        match.undo()
        play(match, choose)
        assert match.result is not None, again
