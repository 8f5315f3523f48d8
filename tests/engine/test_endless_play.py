"""Play that can go on for ever by luck or at once: values, and picks where they are known."""

from typing import Any

import pytest

import evenodds
from evenodds import BadGame, Match, Outcome, notation
from evenodds.coach.position_report import PositionReport, as_json, value_sentence
from evenodds.core.catalog import add
from evenodds.core.terms import agree
from evenodds.engine.flows import masses_by_round
from evenodds.engine.graph import graph_of
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.engine.solution import Solution
from evenodds.render.narration import tell_ending
from evenodds.study.study import study_of
from evenodds.study.wording import repetition_note
from tests.support.examples import example
from tests.support.table_games import LOST, WON, Table, table_game


def staying(name: str, *replies: int) -> Any:
    """Stay, for ever if you like, or draw: three times in four that wins. Endless play is a draw.

    The other may reply something, which changes nothing.
    """
    leads = {(own, reply): own - 1 for own in (1, 2) for reply in replies}
    rows = Table(
        [((1, 2), replies), ((1, 2), (0,))],
        [leads, {(1, 0): WON, (2, 0): LOST}],
        [{}, {1: 3, 2: 1}],
    )
    named: Any = {"simultaneous": len(replies) > 1, "loops": True, "chance": True}
    return table_game(name, lambda number: rows, **named)(0)


@pytest.mark.parametrize(("replies", "mix"), [((0,), {2: 1.0}), ((1, 2), {1: 0.5, 2: 0.5})])
def test_play_is_found_to_which_both_best_responses_agree(replies: Any, mix: Any) -> None:
    ruled = staying(f"hold{len(replies)}", *replies)
    solution = evenodds.solve(ruled, fresh=True)
    assert solution.value(solution.start) == pytest.approx(0.5, abs=1e-12)
    assert solution.gap < 1e-12
    assert solution.mix(solution.start, 0) == pytest.approx(mix)
    assert evenodds.odds(ruled, solution, solution)[:4] == pytest.approx((0.75, 0, 0.25, 0))
    report = PositionReport(Match(ruled), solution)
    assert "scores 75% with best play" in value_sentence(report)


@pytest.mark.parametrize("at_once", [False, True])
def test_of_picks_that_keep_the_value_one_that_earns_it_is_made(at_once: bool) -> None:
    replies = (1, 2) if at_once else (0,)
    leads = {(own, reply): WON if own == 3 else 0 for own in (1, 2, 3) for reply in replies}
    rows = Table([((1, 2), (0,)), ((1, 2, 3), replies)], [{(1, 0): 1, (2, 0): 1}, leads])
    rows = rows._replace(weights=[{1: 1, 2: 1}, {}])
    named: Any = {"simultaneous": at_once, "loops": True, "chance": True}
    ruled = table_game(f"earns_{at_once}", lambda number: rows, **named)(0)
    solution = evenodds.solve(ruled, fresh=True)
    assert evenodds.odds(ruled, solution, solution).first == pytest.approx(1)
    mix = solution.mix(solution.start._replace(place=1), 0)
    assert mix == (pytest.approx(dict.fromkeys((1, 2, 3), 1 / 3)) if at_once else {3: 1.0})


def test_where_no_mix_earns_the_value_no_pick_is_called_best() -> None:
    # Hide or run, past one snowball: running seldom enough wins as nearly always as you like.
    leads = {(1, 1): WON, (1, 2): 0, (2, 1): LOST, (2, 2): WON}
    rows = Table([((1, 2), (1, 2))], [leads], [{}])
    named: Any = {"simultaneous": True, "loops": True}
    run: Any = table_game("run", lambda number: rows, **named)(0)
    solution = evenodds.solve(run, fresh=True)
    assert abs(solution.value(solution.start) - 1) <= solution.gap
    said = "run: values are known only to within 9.9e-05, best picks not"
    for ask in (
        lambda: solution.mix(solution.start, 0),
        lambda: evenodds.odds(run, solution, solution),
        lambda: evenodds.exploitability(run, solution),
    ):
        with pytest.raises(BadGame, match=said):
            ask()
    with pytest.raises(NotSolved, match=said):  # so nobody hints, and search plays
        solution_for(agree(run))
    for gap, least in ((solution.gap, ">99.9%"), (2.0, "50%")):
        wider = Solution(run.game, run.rulings, solution.solved._replace(gap=gap))
        report = PositionReport(Match(run), wider)
        told = f"with best play the first player scores from {least} to 100%; more is not known"
        assert value_sentence(report) == told
        assert as_json(report)["first"] == {}


def test_a_match_that_goes_on_for_ever_is_a_draw_in_the_end() -> None:
    add(example("rock_paper_scissors"))
    match = Match("rock_paper_scissors")
    for _ in range(999):
        match.play((3, 3))
    assert not match.result
    assert match.ends_with((3, 3))
    match.undo()
    for _ in range(2):  # one was taken back
        match.play((3, 3))
    assert match.result is not None
    assert match.result[:2] == (Outcome.DRAW, "rounds")
    told = tell_ending(match, match.result, match.names)
    assert told == "The match has lasted 1,000 rounds. It is a draw."
    assert Match.rebuild(match.record) == match
    text = notation.write(match)
    assert '[Reason "rounds"]' in text
    assert notation.parse(text) == match


@pytest.mark.parametrize(("again", "opening"), [(10**6, False), (1, False), (1, True)])
def test_draws_that_are_drawn_again_take_no_round(again: int, opening: bool) -> None:
    draws: Any = ((1, 2), (0,)), {(1, 0): int(not opening), (2, 0): WON}, {1: again, 2: 1}
    picks: Any = ((1, 2), (0,)), {(1, 0): 1, (2, 0): LOST}, {}
    rows = Table(*map(list, zip(*([draws] if opening else [picks, draws]), strict=True)))
    named: Any = {"simultaneous": False, "loops": True, "chance": True}
    ruled = table_game(f"again_{again}_{opening}", lambda number: rows, **named)(0)
    graph = graph_of(ruled, None)
    *_, ended = masses_by_round(graph, graph.uniform(0), graph.uniform(1))
    assert ended[graph.size :].sum() == pytest.approx(1, abs=1e-9)
    if again == 1:
        add(ruled.game)
        found = study_of(*ruled)
        size = found.size
        assert repetition_note(found) == "Play goes on, however often a position comes up."
        assert (size.lines, size.shortest, size.longest) == (None, int(not opening), None)


def test_bounds_close_however_far_from_the_end_a_position_lies() -> None:
    size = 60
    picks: list[Any] = [((1,), (0,)), ((1, 2), (0,))] * size
    after: list[Any] = []
    for place in range(0, 2 * size, 2):
        back = place - 2 if place else WON
        after += [{(1, 0): place + 1}, {(1, 0): back, (2, 0): min(place + 2, 2 * size - 2)}]
    rows = Table(picks, after, [{}, {1: 3, 2: 1}] * size)
    named: Any = {"simultaneous": False, "loops": True, "chance": True}
    solution = evenodds.solve(table_game("walk", lambda number: rows, **named)(0), fresh=True)
    assert solution.value(solution.start) == pytest.approx(1)
    assert solution.gap < 1e-12
