"""The rules against a second, naive statement of the rule books, and pinned counts of play."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenodds import PASS, Outcome, get
from tests.support.game_data import WITH_DATA, cases
from tests.support.naive import judge, stated
from tests.support.play import SEATS, is_open, pairs
from tests.support.strategies import rulings

WORDS = {
    Outcome.FIRST_WINS: "first",
    Outcome.SECOND_WINS: "second",
    Outcome.DRAW: "draw",
    Outcome.ONGOING: "open",
}


def choices(game: Any, state: Any) -> tuple[set[int], ...]:
    return tuple(
        set(game.picks(state, seat)) - {PASS} if is_open(game, state) else set() for seat in SEATS
    )


@pytest.mark.long
@pytest.mark.parametrize("game", WITH_DATA, ids=lambda game: game.name)
@given(data=st.data())
def test_rules_agree_with_the_naive_statement(game: Any, data: st.DataObject) -> None:
    chosen = data.draw(rulings(game, data.draw(st.sampled_from((4, 12, 1000)))))
    state = game.start(chosen)
    history: list[tuple[int, int]] = []
    told = stated(game, chosen)
    while True:
        naive = judge(game.name, told, history)
        assert choices(game, state) == naive.choices
        assert WORDS[Outcome(game.outcome(state))] == naive.result
        for figure, pair in naive.figures.items():
            assert getattr(state, figure) == pair
        if naive.result != "open" or len(history) >= 40:
            return
        first, second = (
            data.draw(st.sampled_from(sorted(naive.choices[seat]) or [PASS])) for seat in SEATS
        )
        history.append((first, second))
        state = game.step(state, history[-1])


def lines_of_play(game: Any, state: Any, depth: int) -> Counter[str]:
    """Lines of play to a depth, by how they stand there; a line that ends sooner counts once."""
    total: Counter[str] = Counter()
    outcome = Outcome(game.outcome(state))
    if depth == 0 or outcome != Outcome.ONGOING:
        total[WORDS[outcome]] = 1
        return total
    for picks in pairs(game, state):
        total.update(lines_of_play(game, game.step(state, picks), depth - 1))
    return total


def naive_lines_of_play(
    name: str, chosen: dict[str, int | str], history: list[Any], depth: int
) -> Counter[str]:
    naive = judge(name, chosen, history)
    if depth == 0 or naive.result != "open":
        return Counter({naive.result: 1})
    total: Counter[str] = Counter()
    for picks in product(*(sorted(naive.choices[seat]) or [PASS] for seat in SEATS)):
        total.update(naive_lines_of_play(name, chosen, [*history, picks], depth - 1))
    return total


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "given", "depth", "pinned"), cases("counts"))
def test_lines_of_play_are_pinned(
    name: str, given: dict[str, object], depth: int, pinned: tuple[int, int, int, int]
) -> None:
    game = get(name)
    chosen = game.settle(given)
    expected = Counter(dict(zip(("first", "draw", "second", "open"), pinned, strict=True)))

    assert lines_of_play(game, game.start(chosen), depth) == expected
    assert naive_lines_of_play(name, stated(game, chosen), [], depth) == expected


def test_every_ruling_of_every_game_is_counted_both_ways() -> None:
    counted = {(name, key) for name, given, _, _ in cases("counts") for key in given}
    assert counted == {(game.name, key) for game in WITH_DATA for key in game.options}
