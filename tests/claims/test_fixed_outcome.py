"""Matches that the rules decide before they begin."""

from typing import Any

import pytest

import evenodds
from evenodds import FIRST, Outcome
from evenodds.claims.fixed_outcome import decided_lines, fixed_outcome, lively_variant
from evenodds.core.terms import agree
from evenodds.engine.solution import payoff_rows
from evenodds.players.profiles import describe_opponents
from tests.support.play import positions


@pytest.mark.parametrize(
    ("game", "rulings", "outcome"),
    [
        ("circle", {}, Outcome.SECOND_WINS),
        ("circle", {"numbers": 24}, Outcome.SECOND_WINS),
        ("circle", {"numbers": 9}, Outcome.FIRST_WINS),
        ("circle", {"leaps": 1}, None),
        ("circle", {"reach": 2}, None),
        ("duel", {}, None),
        ("duel", {"numbers": 1}, Outcome.DRAW),
        ("factors", {}, None),
        ("factors", {"numbers": 1}, None),
        ("factors", {"target": 1}, Outcome.FIRST_WINS),
        ("margin", {}, None),
        ("underdog", {}, None),
    ],
)
def test_what_the_rules_decide(game: str, rulings: dict[str, int], outcome: Outcome | None) -> None:
    assert fixed_outcome(*evenodds.game(game, rulings)) == outcome


def test_the_setup_says_who_wins_and_offers_a_lively_variant() -> None:
    terms = agree("circle", {"numbers": 8}, players=("Ann", "Bob"), first=2)
    assert decided_lines(terms, "choose Livelier rules") == [
        "With these rules the player who goes second always wins, whatever anyone picks.",
        "To make your picks matter, choose Livelier rules.",
    ]
    assert decided_lines(agree("circle"))[0].startswith("With the original rules the player who")
    assert lively_variant(terms.game, terms.rulings) == terms.game.settle(
        {"numbers": 8, "leaps": 1}
    )


def test_nothing_is_said_where_picks_matter() -> None:
    terms = agree("underdog")
    assert decided_lines(terms) == []
    assert lively_variant(terms.game, terms.rulings) is None


def test_a_number_that_is_always_best_is_told_and_livelier_rules_are_offered() -> None:
    terms = agree("duel")
    assert decided_lines(terms, "choose Livelier rules") == [
        "With the original rules 3 is always a best pick.",
        "To make your picks matter, choose Livelier rules.",
    ]

    def best_everywhere(rulings: Any) -> set[int]:
        solution = evenodds.solve(evenodds.game("duel", rulings))
        found = set(range(1, solution.rulings.numbers + 1))
        for state in positions(solution.game, solution.rulings):
            worst = {n: min(row) for n, row in payoff_rows(solution.matrix(state), FIRST).items()}
            found &= {n for n, least in worst.items() if least > solution.value(state) - 1e-9}
        return found

    for rulings in ({}, {"hp": 7, "numbers": 5}, {"knockout": "draw", "numbers": 4}):
        game, settled = evenodds.game("duel", rulings)
        assert game.words.always_best(settled) in best_everywhere(rulings)
    lively = lively_variant(terms.game, terms.rulings)
    assert lively is not None
    assert not best_everywhere(dict(terms.game.lively))


def test_no_variant_is_offered_where_it_would_be_decided_too() -> None:
    assert decided_lines(agree("circle", {"numbers": 3}), "choose Livelier rules") == [
        "With these rules the player who goes first always wins, whatever anyone picks."
    ]
    assert decided_lines(agree("duel", {"numbers": 1})) == [
        "With these rules every match is a draw, whatever anyone picks."
    ]


def test_no_opponent_promises_skill_where_picks_change_nothing() -> None:
    decided = agree("circle", computers=("random", "level:3"))
    assert describe_opponents(decided) == [
        "Random: How it picks changes nothing with these rules.",
        "Level 3: How it picks changes nothing with these rules.",
    ]
    (said,) = describe_opponents(agree("circle", {"leaps": 1}, computers=("", "level:3")))
    assert said == "Level 3: Plays some good picks and some poor ones."
