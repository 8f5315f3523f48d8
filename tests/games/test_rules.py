"""The rules against a second, naive statement of the rule books, and pinned counts of play."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import spoken
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Pair, numbers
from tests.support.naive import judge
from tests.support.strategies import GAMES, rulings

WORDS = {
    Outcome.FIRST_WINS: "first",
    Outcome.SECOND_WINS: "second",
    Outcome.DRAW: "draw",
    Outcome.ONGOING: "open",
}


def plain(game: AnyGame, chosen: Any) -> dict[str, int | str]:
    """Rulings as the naive statement takes them."""
    return {key: int(value) if value.isdigit() else value for key, value in spoken(chosen).items()}


def choices(game: AnyGame, state: Any) -> tuple[set[int], set[int]]:
    """The numbers open to both seats; none when the game is over."""
    if game.outcome(state) != Outcome.ONGOING:
        return set(), set()
    return set(numbers(game.legal(state, FIRST))), set(numbers(game.legal(state, SECOND)))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@given(data=st.data())
def test_rules_agree_with_the_naive_statement(game: AnyGame, data: st.DataObject) -> None:
    """Choices, result and figures are the same after every round of any line of play."""
    chosen = data.draw(rulings(game, data.draw(st.sampled_from((4, 12, 1000)))))
    state = game.start(chosen)
    history: list[Pair] = []
    while True:
        naive = judge(game.name, plain(game, chosen), history)
        assert choices(game, state) == naive.choices
        assert WORDS[Outcome(game.outcome(state))] == naive.result
        for figure, pair in naive.figures.items():
            assert getattr(state, figure) == pair
        if naive.result != "open" or len(history) >= 40:
            return
        picks = tuple(
            data.draw(st.sampled_from(sorted(naive.choices[seat]))) if naive.choices[seat] else PASS
            for seat in SEATS
        )
        history.append((picks[FIRST], picks[SECOND]))
        state = game.step(state, history[-1])


def lines_of_play(game: AnyGame, state: Any, depth: int) -> Counter[str]:
    """Lines of play to a depth, by how they stand there; a line that ends sooner counts once."""
    total: Counter[str] = Counter()
    outcome = Outcome(game.outcome(state))
    if depth == 0 or outcome != Outcome.ONGOING:
        total[WORDS[outcome]] = 1
        return total
    for one in numbers(game.legal(state, FIRST)) or (PASS,):
        for two in numbers(game.legal(state, SECOND)) or (PASS,):
            total.update(lines_of_play(game, game.step(state, (one, two)), depth - 1))
    return total


def naive_lines_of_play(
    name: str, chosen: dict[str, int | str], history: list[Pair], depth: int
) -> Counter[str]:
    """The same count from the naive statement."""
    naive = judge(name, chosen, history)
    if depth == 0 or naive.result != "open":
        return Counter({naive.result: 1})
    total: Counter[str] = Counter()
    for one in sorted(naive.choices[FIRST]) or [PASS]:
        for two in sorted(naive.choices[SECOND]) or [PASS]:
            total.update(naive_lines_of_play(name, chosen, [*history, (one, two)], depth - 1))
    return total


# Game, changed rulings, depth; then lines won by first, drawn, won by second, open.
COUNTS: list[tuple[str, dict[str, object], int, tuple[int, int, int, int]]] = [
    ("underdog", {}, 2, (0, 0, 0, 8100)),
    ("underdog", {"numbers": 5}, 5, (4512, 4080, 4512, 0)),
    ("underdog", {"numbers": 5, "target": 1}, 5, (160, 120, 160, 0)),
    ("underdog", {"numbers": 5, "target": 5}, 5, (5160, 4080, 5160, 0)),
    ("underdog", {"numbers": 5, "gap": 0}, 5, (4170, 5520, 4170, 0)),
    ("underdog", {"numbers": 5, "gap": 2}, 5, (4146, 4560, 4146, 0)),
    ("underdog", {"numbers": 4, "target": 4}, 4, (144, 288, 144, 0)),
    ("underdog", {"numbers": 4, "target": 4, "exhausted": "draw"}, 4, (24, 528, 24, 0)),
    ("margin", {}, 5, (6360, 1680, 6360, 0)),
    ("margin", {"numbers": 4}, 4, (240, 96, 240, 0)),
    ("margin", {"numbers": 4, "last_round": "decisive"}, 4, (276, 24, 276, 0)),
    ("circle", {}, 10, (0, 0, 20, 0)),
    ("circle", {"numbers": 9}, 9, (18, 0, 0, 0)),
    ("circle", {"numbers": 8, "reach": 2}, 8, (512, 0, 928, 0)),
    ("circle", {"numbers": 8, "reach": 3}, 8, (1920, 0, 13824, 0)),
    ("circle", {"numbers": 1}, 3, (1, 0, 0, 0)),
    ("circle", {"numbers": 6, "leaps": 1}, 6, (120, 0, 180, 0)),
    ("circle", {"numbers": 7, "leaps": 1}, 7, (476, 0, 378, 0)),
    ("circle", {"numbers": 6, "reach": 2, "leaps": 1}, 6, (0, 0, 624, 0)),
    ("circle", {"numbers": 5, "leaps": 2}, 5, (120, 0, 0, 0)),
    ("duel", {}, 4, (606, 15, 606, 5334)),
    ("duel", {"hp": 4}, 6, (137, 63, 137, 0)),
    ("duel", {"hp": 3, "numbers": 5}, 6, (83, 27, 83, 0)),
    ("duel", {"hp": 4, "knockout": "draw"}, 6, (127, 83, 127, 0)),
    ("duel", {"hp": 5, "numbers": 1}, 6, (0, 1, 0, 0)),
    ("duel", {"hp": 4, "overreach": 1}, 6, (137, 63, 137, 0)),
    (
        "duel",
        {"hp": 4, "numbers": 4, "overreach": 2, "knockout": "draw"},
        6,
        (253, 125, 253, 0),
    ),
    ("factors", {}, 4, (0, 0, 0, 6561)),
    ("factors", {"target": 10}, 6, (9587, 0, 29261, 21977)),
    ("factors", {"target": 8, "numbers": 4}, 8, (3413, 0, 6890, 19959)),
    ("factors", {"target": 8, "numbers": 4, "finish": "round"}, 7, (540, 0, 489, 12004)),
    ("factors", {"target": 8, "numbers": 4, "same": "twice"}, 7, (2684, 0, 409, 7534)),
    ("factors", {"target": 8, "numbers": 4, "opening": "live"}, 7, (2787, 0, 467, 9299)),
    ("factors", {"target": 8, "numbers": 4, "echo": "barred"}, 8, (939, 0, 1560, 1367)),
    (
        "factors",
        {"target": 8, "numbers": 4, "finish": "round", "opening": "live", "echo": "barred"},
        8,
        (1592, 0, 1838, 2270),
    ),
    (
        "factors",
        {"target": 8, "numbers": 4, "finish": "round", "same": "twice", "opening": "live"},
        7,
        (273, 0, 495, 13120),
    ),
]


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "given", "depth", "pinned"), COUNTS)
def test_lines_of_play_are_pinned(
    name: str, given: dict[str, object], depth: int, pinned: tuple[int, int, int, int]
) -> None:
    """Counted by the rules and by the naive statement, and written down."""
    game = catalog.get(name)
    chosen = game.settle(given)
    expected = Counter(dict(zip(("first", "draw", "second", "open"), pinned, strict=True)))

    assert lines_of_play(game, game.start(chosen), depth) == expected
    assert naive_lines_of_play(name, plain(game, chosen), [], depth) == expected


def test_every_ruling_of_every_game_is_counted_both_ways() -> None:
    """No ruling is without a count in which it differs from its default."""
    counted = {(name, key) for name, given, _, _ in COUNTS for key in given}
    assert counted == {(game.name, key) for game in GAMES for key in game.options}
