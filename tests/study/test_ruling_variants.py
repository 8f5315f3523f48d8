"""Every ruling each way: what is tried, and what is left out."""

from collections.abc import Iterator
from typing import Any

import pytest

import evenodds
from evenodds.workers.task import Task, TaskResult
from tests.support import studies

pytestmark = pytest.mark.long

FIGURES = (*studies.VARIANT_MEASURES, "goes_on")


def test_every_ruling_is_read_each_way() -> None:
    game, rulings = evenodds.game("margin", numbers=2)
    study = studies.study_of(game, rulings)
    read = {(one.key, one.value): one for one in studies.ruling_variants_of(game, study)}
    ways = {"numbers": ("2", "3"), "last_round": ("final", "decisive")}
    assert list(read) == [(key, value) for key, values in ways.items() for value in values]
    for (key, value), found in read.items():
        assert not found.reason
        whole = studies.study_of(
            game, game.settle(study.rules | {key: type(study.rules[key])(value)})
        )
        assert found.figures == pytest.approx(studies.compute_measures(whole, FIGURES), abs=1e-11)


@pytest.mark.long
@pytest.mark.parametrize("rules", [{"same": "once"}, {"same": "twice"}, {"echo": "barred"}])
def test_measures_are_those_of_a_study_where_play_comes_back(rules: dict[str, str]) -> None:
    ruled = evenodds.game("factors", rules, target=8, numbers=3)
    found = studies.compute_measures(studies.SolvedGame(*ruled), FIGURES)
    whole = studies.compute_measures(studies.study_of(*ruled), FIGURES)
    assert found == pytest.approx(whole, abs=1e-11)
    assert (found["steps"] is None) == found["goes_on"] == (len(studies.variant_notes(found)) == 2)


TRIED: dict[str, dict[str, Any]] = {
    "circle": {"numbers": [9, 10, 11], "reach": [1, 2, 3], "leaps": [0, 1, 2]},
    "duel": {"hp": [9, 10, 11], "numbers": [2, 3, 4], "knockout": ["higher", "draw"]}
    | {"overreach": [0, 1]},
    "underdog": {"numbers": [9, 10, 11], "target": [2, 3, 4], "gap": [0, 1, 2]}
    | {"exhausted": ["score", "draw"]},
}


@pytest.mark.parametrize("name", TRIED)
def test_rulings_that_are_tried_each_way(name: str) -> None:
    game = evenodds.game(name).game
    rules = studies.as_data(game.rulings())
    assert studies.variant_values(game, rules) == TRIED[name]
    if "gap" in rules:
        far = rules | {"numbers": 5, "target": 2, "gap": 3}
        assert studies.variant_values(game, far)["gap"] == [0, 2, 3, 4]


@pytest.mark.own_tables
def test_what_does_not_fit_now_is_tried_again() -> None:
    game, rulings = evenodds.game("duel", hp=2)
    study = studies.study_of(game, rulings)

    class Full:
        limits = ""

        def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
            full = TaskResult(None, "the memory limit is 1 MB", permanent=True)
            return enumerate([full] * len(tasks))

    refused = [one for one in studies.ruling_variants_of(game, study, runner=Full()) if one.reason]
    assert {one.reason for one in refused} == {"the memory limit is 1 MB"}
    assert not [one for one in studies.ruling_variants_of(game, study) if one.reason]


@pytest.mark.own_tables
def test_a_ruling_that_is_left_out_says_why_and_how_it_is_studied() -> None:
    game, rulings = evenodds.game("circle", numbers=5)
    study = studies.study_of(game, rulings)
    variants = studies.ruling_variants_of(game, study, max_positions=50)
    report = studies.StudyReport(study, *studies.claim_results_of(game, rulings), variants)
    (left,) = [one for one in variants if one.figures is None and one.value == "3"]
    assert left.reason == "more than 50 positions"
    assert left.command == "evenodds study circle --rule numbers=5 --rule reach=3"
    assert f"<code>{left.command}</code>" in studies.render_report(*report)
    said = " ".join(studies.told(report).split())
    assert f"reach=3 is left out: more than 50 positions. {left.command}" in said
