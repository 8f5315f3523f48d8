"""The coach in games with chance and points: what players did, and what nature did."""

from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from evenodds.coach.position_report import as_json, report_position, value_sentence
from tests.support import coaching
from tests.support.coaching import hint, review
from tests.support.examples import example
from tests.support.play import by_chance, play
from tests.support.table_games import LOST as TABLE_LOST
from tests.support.table_games import WON as TABLE_WON
from tests.support.table_games import in_turns, table_game
from tests.support.toll import DRAW, LOSE, LOST, TOLL, WON


def solved(match: Match) -> Any:
    return evenodds.solve(evenodds.RuledGame(match.game, match.terms.rulings))


def toll(*rounds: Any) -> Match:
    match = Match(TOLL, players=("Ann", "Bob"))
    for picks, drawn in rounds:
        match.play(picks, drawn)
    return match


def test_bad_luck_is_no_mistake() -> None:
    match = toll(((0, 2), ()), ((DRAW, 0), (LOST,)))
    found = review(match, solved(match))
    assert [coaching.pick_cells(pick) for pick in found.picks] == [
        ("-3", "-4", "1", "", ""),
        ("4", "-2", "-", "", "-6.0"),
    ]
    assert found.draws == (0, 0, -0.5)
    assert coaching.turning_point(found) == (
        "The turning point was turn 2: chance favoured Bob, who gained 6 points."
    )
    assert coaching.lessons(found) == ["Turn 1: Bob's 2 was a mistake. Better: 1. (Cost: 1 point)"]
    assert "Draw: what chance drew then" in coaching.explain_figures(found)
    assert "-0.5" in str(coaching.as_json(found)["picks"])
    page = coaching.render_review_page([found])
    assert "<th>Draw</th>" in page
    assert "Every pick, points" in page


def test_where_nobody_erred_chance_is_named() -> None:
    match = toll(((0, 1), ()), ((DRAW, 0), (WON,)))
    found = review(match, solved(match))
    assert coaching.accuracies(found) == "Neither player made a mistake: chance favoured Ann."


def test_a_mistake_before_a_lucky_draw_costs_what_it_costs_on_average() -> None:
    match = toll(((0, 1), ()), ((LOSE, 0), ()))
    (_, mistake) = review(match, solved(match)).picks
    assert mistake.loss == pytest.approx(3 / 12)
    assert coaching.turning_point(review(match, solved(match))) == (
        "The turning point was turn 2: Ann's mistake raised Bob's expected score by 3 points."
    )


def test_hints_and_reports_speak_of_points() -> None:
    match = toll(((0, 1), ()))
    found = hint(match, solved(match), FIRST)
    assert found is not None
    assert [advice.text for advice in found.advice] == ["is worth 0 points", "is worth 3 points"]
    assert found.why[0] == "2 is the best pick. 1 is a mistake."
    assert found.worth == "3 points"
    report = report_position(TOLL, {"unit": 10})
    assert value_sentence(report) == (
        "the first player is ahead by 30 points with best play by both"
    )
    told = as_json(report_position(TOLL, {"unit": 1}, "1"))
    assert (told["points"], told["value"]) == (1, 2)


def test_puzzles_ask_before_draws_and_tell_points() -> None:
    solution = evenodds.solve(evenodds.game(TOLL))
    (puzzle,) = coaching.all_puzzles(solution)
    assert (puzzle.seat, puzzle.answer) == (FIRST, DRAW)
    found = coaching.find_puzzles(solution, Random(1), frozenset())
    assert {(each.seat, len(each.history)) for each in found} == {(FIRST, 1)}


CHANCY: list[tuple[Any, dict[str, Any]]] = [
    (TOLL, {"unit": 3}),
    (example("goofspiel"), {"cards": 4, "score": "points"}),
    (example("pig"), {"goal": 6}),
]


@pytest.mark.parametrize(("game", "given"), CHANCY, ids=str)
def test_the_parts_of_a_review_sum_to_the_result(game: Any, given: dict[str, Any]) -> None:
    solution = evenodds.solve(evenodds.game(game, given))
    for seed in range(6):
        match = play(Match(game, given, seed=str(seed)), by_chance(Random(seed)))
        found = review(match, solution)
        side = {FIRST: 1, SECOND: -1}
        guessed = {pick.round: side[pick.seat] * pick.luck for pick in found.picks}
        given_away = sum(side[pick.seat] * pick.loss for pick in found.picks)
        start = coaching.expected_score_of(solution, solution.start, FIRST)
        end = start + sum(found.draws) + sum(guessed.values()) - given_away
        total = (match.points or 0) + match.game.outcome(match.state)
        assert end == pytest.approx((1 + 2 * total / solution.span) / 2)
        assert game.simultaneous or not any(guessed.values())


def test_draws_even_out() -> None:
    """The mean of what is drawn, weighed by how likely it is, is nothing."""
    match = toll(((0, 1), ()))
    brought = {}
    for number, share in ((WON, 3 / 4), (LOST, 1 / 4)):
        played = toll(((0, 1), ()), ((DRAW, 0), (number,)))
        brought[number] = share * review(played, solved(match)).draws[-1]
    assert sum(brought.values()) == pytest.approx(0)


def test_a_win_that_a_pick_can_lose_is_no_win_whatever_is_picked() -> None:
    rows = in_turns([(FIRST, [TABLE_WON, TABLE_LOST])])
    ruled = table_game("sure", lambda number: rows, simultaneous=False, loops=False)(0)
    said = value_sentence(report_position(ruled.game, {"number": 0}, fresh=True))
    assert said == "the first player wins with best play in 1 pick"
