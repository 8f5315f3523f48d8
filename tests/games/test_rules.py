"""The rules against a second, naive statement of the rule books, and what cards tell."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import PASS, Outcome
from tests.support.game_data import WITH_DATA
from tests.support.naive import judge, stated
from tests.support.play import SEATS, is_open
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
@settings(max_examples=60)
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


@pytest.mark.parametrize(
    ("name", "rulings", "line", "number", "said"),
    [
        ("duel", {}, [], 3, "Beats 1 and 2: they lose 3 HP."),
        ("duel", {}, [], 1, "Beats nothing."),
        ("duel", {"numbers": 4, "overreach": 1}, [], 2, "Beats 1 and 4: they lose 2 or 4 HP."),
        (
            "duel",
            {"numbers": 4, "overreach": 1},
            [],
            4,
            "Beats 3: they lose 4 HP. Overreaches if they pick 1 or 2.",
        ),
        ("margin", {}, [(2, 4)], 5, "Beats 1, 2 and 3: up to 4 points."),
        ("margin", {}, [], 2, "Beats 1: 1 point."),
        ("circle", {}, [(5, PASS)], 4, "Leaves them 3."),
        ("circle", {"numbers": 1}, [], 1, "Leaves them nothing: you win."),
        ("circle", {"leaps": 1}, [(5, PASS)], 8, "Costs a leap. Leaves them 7, 9 or a leap."),
    ],
)
def test_a_card_tells_what_its_number_does(
    name: str, rulings: dict[str, int], line: list[tuple[int, int]], number: int, said: str
) -> None:
    match = evenodds.Match(name, rulings)
    state = match.state
    for picks in line:
        state = match.game.step(state, picks)
    seat = next(seat for seat in SEATS if match.game.picks(state, seat) != (PASS,))
    assert match.game.words.preview(state, seat, number).text == said
