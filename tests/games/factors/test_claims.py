"""Claims of Clash of Numbers, found a second way."""

from itertools import product
from typing import Any

import pytest

from evenodds.core import catalog
from evenodds.core.vocabulary import FIRST, Outcome
from tests.support import naive
from tests.support.claim_results import promised

FINISHES = [
    {"target": target, "numbers": numbers, "finish": finish, "opening": opening}
    for target, numbers in [(1, 1), (3, 2), (5, 3)]
    for finish in ("at_once", "round")
    for opening in ("exempt", "live")
]


@pytest.mark.long
@pytest.mark.parametrize("rules", FINISHES, ids=str)
def test_who_has_the_target_first_may_be_beaten(rules: dict[str, Any]) -> None:
    """Searched pick by pick: whether the second seat wins after the first had the target."""
    game = catalog.get("factors")
    start = game.start(game.settle(rules))
    target = rules["target"]
    waiting, seen, beaten, rounds = [(start, False)], set(), None, 0
    while waiting and beaten is None:
        onward = []
        rounds += 1
        for (state, had), number in product(waiting, range(1, rules["numbers"] + 1)):
            after = game.step(state, (number, 0) if state.turn == FIRST else (0, number))
            if game.outcome(after) == Outcome.SECOND_WINS and had:
                beaten = rounds
            now = had or after.scores[FIRST] >= target
            if game.outcome(after) == Outcome.ONGOING and (after, now) not in seen:
                seen.add((after, now))
                onward.append((after, now))
        waiting = onward
    found = promised("factors", **rules)["first to the target"]
    assert found.verdict == ("holds" if beaten is None else "undefined")
    assert len(found.line.split()) == (beaten or 0)


@pytest.mark.long
def test_answers_subtract_as_often_as_the_naive_rules_say() -> None:
    """Each pair of numbers, held against each other in the third turn."""
    rules: naive.Rulings = {
        "target": 30, "numbers": 6, "finish": "at_once", "same": "once", "opening": "exempt",
        "echo": "free",
    }  # fmt: skip
    taking = sum(
        naive.judge("factors", rules, [(6, 0), (0, last), (number, 0)]).figures["scores"][1] < last
        for last, number in product(range(1, 7), range(1, 7))
    )
    said = promised("factors", target=12, numbers=6)["hindering"].evidence
    assert said.startswith(f"{taking} of 36 answers")


@pytest.mark.parametrize("opening", ["exempt", "live"])
def test_the_opening_decides_on_first_turns_where_echoes_are_barred(opening: str) -> None:
    found = promised("factors", target=12, echo="barred", opening=opening)["first turns"]
    assert found.verdict == "undefined"
    assert found.evidence.endswith(f": opening={opening} decides.")
    assert found.line == "2 1"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"target": 12, "echo": "barred"}, "28 of 72 answers to a number subtract something."),
        ({"target": 4}, "18 of 27 answers to a number subtract something."),
        ({"target": 1}, "No match is long enough for it to come up."),
    ],
)
def test_only_answers_that_can_be_given_are_counted(rules: dict[str, Any], said: str) -> None:
    assert promised("factors", **rules)["hindering"].evidence.startswith(said)


def test_a_pool_without_the_number_just_picked_is_not_whole() -> None:
    found = promised("factors", target=2, numbers=2, echo="barred", opening="live")["number pool"]
    assert (found.verdict, found.line) == ("fails", "1 1")
