"""The rules against a second, naive statement of the rule books, and pinned counts of play."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import PASS, Outcome
from tests.support.game_data import WITH_DATA, ruled
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
@settings(max_examples=30)
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


COUNTS: list[tuple[str, int, tuple[int, int, int, int]]] = [
    ("circle", 10, (0, 0, 20, 0)),
    ("circle numbers=9", 9, (18, 0, 0, 0)),
    ("circle numbers=7 reach=2", 7, (476, 0, 168, 0)),
    ("circle numbers=1", 3, (1, 0, 0, 0)),
    ("circle numbers=6 leaps=1", 6, (120, 0, 180, 0)),
    ("circle numbers=5 leaps=2", 5, (120, 0, 0, 0)),
    ("duel", 4, (606, 15, 606, 5334)),
    ("duel hp=4", 6, (137, 63, 137, 0)),
    ("duel hp=4 knockout=draw", 6, (127, 83, 127, 0)),
    ("duel hp=4 numbers=4 overreach=1", 4, (272, 87, 272, 0)),
    ("duel hp=4 numbers=4 overreach=2 knockout=draw", 6, (253, 125, 253, 0)),
    ("factors", 3, (0, 0, 0, 729)),
    ("factors target=8 numbers=4 same=twice", 6, (222, 0, 409, 2499)),
    ("factors target=8 numbers=4 opening=live", 6, (130, 0, 467, 2989)),
    ("factors target=8 numbers=4 echo=barred", 6, (129, 0, 236, 569)),
    ("factors target=8 numbers=4 finish=round opening=live echo=barred", 6, (135, 0, 204, 601)),
    ("factors target=8 numbers=4 finish=round same=twice opening=live", 6, (237, 0, 495, 3289)),
    ("factors target=4 numbers=4 finish=round", 6, (290, 0, 309, 194)),
    ("margin", 3, (0, 0, 0, 3600)),
    ("margin numbers=4", 4, (240, 96, 240, 0)),
    ("margin numbers=4 last_round=decisive", 4, (276, 24, 276, 0)),
    ("underdog", 2, (0, 0, 0, 8100)),
    ("underdog numbers=5 target=2", 3, (746, 0, 746, 1116)),
    ("underdog numbers=5 target=2 gap=0", 3, (770, 0, 770, 1260)),
    ("underdog numbers=5 target=2 gap=2", 3, (738, 0, 738, 1068)),
    ("underdog numbers=4 target=4", 4, (144, 288, 144, 0)),
    ("underdog numbers=4 target=4 exhausted=draw", 4, (24, 528, 24, 0)),
]
"""Rulings, the depth, and the lines of play to it that are won, drawn, lost and open."""


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("typed", "depth", "pinned"), COUNTS)
def test_line_counts_are_pinned(typed: str, depth: int, pinned: tuple[int, int, int, int]) -> None:
    game, chosen = evenodds.game(*ruled(typed))
    expected = Counter(dict(zip(("first", "draw", "second", "open"), pinned, strict=True)))
    assert lines_of_play(game, game.start(chosen), depth) == expected


def test_every_ruling_of_every_game_is_counted() -> None:
    given = [ruled(typed) for typed, _, _ in COUNTS]
    counted = {(name, key) for name, rules in given for key in rules}
    assert counted == {(game.name, key) for game in WITH_DATA for key in game.options}


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
