"""Repairs: which rulings keep a designer's goals, at what cost, and proofs where none can."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import Outcome
from evenodds.engine.solve import solve_settled
from tests.support import studies
from tests.support.commands import evenodds_here
from tests.support.packages import NIM, install
from tests.support.play import SEATS, is_open
from tests.support.strategies import GAMES
from tests.support.task_runners import Here, Watched

pytestmark = [pytest.mark.own_tables, pytest.mark.usefixtures("kernels")]

ALL = ("fair", "no-draws", "skill")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "grid"),
    [
        ("duel", {"hp": "1..5", "numbers": "1..3", "knockout": "*"}),
        ("margin", {"numbers": "2..4", "last_round": "*"}),
        ("underdog", {"numbers": "2..4", "target": "1..2", "gap": "0..1", "exhausted": "*"}),
    ],
)
def test_where_seats_are_alike_best_play_can_be_drawn(name: str, grid: dict[str, str]) -> None:
    game = evenodds.game(name).game
    assert studies.impossibility_proofs(game, ALL) == {"no-draws": studies.SYMMETRY_PROOF}
    found = studies.sweep(studies.read_grid(game, grid), ("fair", "draws", "endless"), Here())
    assert len(found.found) > 5
    for row in found.found:
        assert row.figures is not None
        assert row.figures["fair"] is True
        assert (row.figures["draws"] or 0) > 0
        _only_draws(game.start(game.settle_typed(row.rules)), game)


def _only_draws(state: object, game: Any) -> None:
    if not is_open(game, state):
        assert game.outcome(state) == Outcome.DRAW
        return
    first, second = (game.picks(state, seat) for seat in SEATS)
    assert first == second
    for number in first:
        _only_draws(game.step(state, (number, number)), game)


@pytest.mark.long
def test_whoever_begins_wins_on_odd_rings_only() -> None:
    rings = [*product(range(1, 9), (1, 2, 3), (0,)), *product(range(1, 6), (1, 2, 3), (1, 2))]
    for numbers, reach, leaps in rings:
        ruled = evenodds.game("circle", numbers=numbers, reach=reach, leaps=leaps)
        solution = solve_settled(*ruled, keep=False)
        assert solution.value(solution.start) == (1 if numbers % 2 else -1)
    found = studies.impossibility_proofs(evenodds.game("circle").game, ALL)
    assert list(found) == ["fair"]
    assert found["fair"].startswith("A ring has no draws, and whoever begins wins exactly on odd")


def test_in_a_game_of_turns_fair_is_a_draw() -> None:
    game = evenodds.game("factors").game
    assert studies.impossibility_proofs(game, ALL) == {"fair and no-draws": studies.TURN_GAME_PROOF}
    proved = {"fair and few-draws": studies.TURN_GAME_PROOF}
    assert studies.impossibility_proofs(game, ("fair", "few-draws")) == proved
    for goals in (("fair", "skill"), ("no-draws",)):
        assert studies.impossibility_proofs(game, goals) == {}
    by_dice = game._replace(chance=lambda state: 0)
    assert studies.impossibility_proofs(by_dice, ALL) == {}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_search_is_around_the_book(game: Any) -> None:
    grid = studies.repair_search_grid(game)
    tried = list(grid.combinations())
    assert studies.ruling_texts(game.rulings()) in tried
    assert len(tried) == len({tuple(given.values()) for given in tried}) <= 2500
    for given in tried:
        game.settle_typed(given)
    for key, option in game.options.items():
        assert set(getattr(option, "words", ())) <= set(grid.axes[key])
    assert studies.parse_goals("skill, fair") == ("fair", "skill")


def made(*rows: tuple[dict[str, str], studies.Figures]) -> studies.RepairResult:
    game = evenodds.game("duel").game
    usual: studies.Figures = {"value": 0.0, "step": 0.5, "fair": True, "draws": 1.0}
    usual |= {"endless": 0.0, "length": 4.0, "positions": 9}
    listed = [
        studies.SweepRow(studies.ruling_texts(game.rulings()) | rules, usual | figures)
        for rules, figures in [({}, {}), *rows]
    ]
    found = studies.SweepResult(studies.read_grid(game, {"hp": "9..12"}), tuple(usual), listed)
    return studies.RepairResult(game, ALL, {}, usual, found)


def test_the_ruling_nearest_to_the_book_comes_first() -> None:
    kept: studies.Figures = {"draws": 0.0, "step": 0.7}
    found = made(
        ({"hp": "20"}, kept),
        ({"hp": "11", "knockout": "draw"}, kept),
        ({"hp": "9"}, {**kept, "length": 3.5}),
        ({"hp": "10", "numbers": "4"}, {"step": 0.8}),
        ({"hp": "12"}, kept),
    )
    changed = [one.rules for one in found.changes]
    assert changed == [{"hp": "12"}, {"hp": "9"}, {"hp": "20"}, {"hp": "11", "knockout": "draw"}]
    assert [round(one.far, 9) for one in found.changes] == [1.2, 1.225, 2.0, 2.1]
    said = studies.told(found)
    assert "Yes, by other rulings.\n" in said
    assert " 2. hp=9: length 3.500 (was 4), draws 0% (was 100%)\n" in said
    assert " 3. hp=20: draws" in said
    assert json.loads(json.dumps(studies.repair_as_json(found)))["kept"] is True


def test_where_not_all_can_be_kept_the_most_that_can_is_told() -> None:
    found = made(({"hp": "9"}, {"step": 0.6}), ({"hp": "12"}, {"value": 0.5, "draws": 0.0}))
    assert not found.changes
    assert {some: [one.rules for one in kept] for some, kept in found.compromises().items()} == {
        ("fair", "skill"): [{"hp": "9"}]
    }
    said = studies.told(found)
    assert "No: none of the 3 rulings tried keeps all of it.\n" in said
    assert "Only fair and skill:\n 1. hp=9: " in said
    assert "Kept: fair in 2, no-draws in 1, skill in 1.\n" in said


def test_the_best_remedies_are_ranked_with_their_costs() -> None:
    rows: list[tuple[dict[str, str], studies.Figures]] = [
        ({"hp": str(hp)}, {"length": hp / 2}) for hp in range(11, 25)
    ]
    found = made(*rows)._replace(goals=("fair",))
    said = studies.told(found).splitlines()
    assert said[0] == "Yes, as the book has it."
    assert said[1].startswith(" 1. the book as it is: length 4, draws 100%, positions 9")
    assert said[2:4] == [" 2. hp=11: length 5.500 (was 4)", " 3. hp=12: length 6 (was 4)"]
    assert said[10].startswith("10. hp=19")
    assert said[11] == "    and 5 more, which change more: --json lists them"
    far = made(
        (
            {"hp": "11", "numbers": "4", "knockout": "draw"},
            dict.fromkeys(studies.REPORTED_MEASURES, 0.123),
        )
    )
    last = studies.told(far._replace(goals=("fair",))).splitlines()
    assert last[2].startswith(" 2. hp=11 numbers=4 knockout=draw: length 0.123 (was 4)")
    assert re.match(r" {4}\S", last[3])


def test_a_no_without_a_proof_says_how_near_it_came() -> None:
    rows: list[tuple[dict[str, str], studies.Figures]] = [
        ({"hp": "9"}, {"step": 0.55}),
        ({"hp": "12"}, {"step": 0.58}),
        ({"hp": "13"}, {"step": None}),
    ]
    found = made(*rows)._replace(goals=("skill",))
    said = studies.told(found)
    assert "No: none of the 4 rulings tried keeps it.\n" in said
    assert "The nearest is hp=12: the best step of the ladder is 58%.\n" in said
    both = made(({"hp": "9"}, {"draws": 0.1}))._replace(goals=("fair", "no-draws", "skill"))
    assert studies.repair_as_json(both)["nearest"]["rules"] == {"hp": "9"}
    flat = " ".join(studies.told(both).split())
    assert "10% of perfect play has no winner and the best step of the ladder is" in flat


def test_what_is_proved_needs_no_search(home: Path) -> None:
    asked = Watched(Here())
    found = studies.repair(evenodds.game("circle").game, ("fair",), asked)
    assert (len(asked.asked), len(found.sweep.rows), found.changes) == (1, 1, [])
    done = evenodds_here("repair", "circle", "--want", "fair", home=home, COLUMNS="40")
    assert done.returncode == 1
    assert "No, and no ruling can.\n- fair: A ring has no draws" in done.stdout
    assert "Searched" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 40


@pytest.mark.long
def test_what_is_too_large_is_left_out_but_not_the_book() -> None:
    game, goals = evenodds.game("margin").game, ("fair", "no-draws")
    found = studies.repair(game, goals, Here(), max_positions=50)
    solved = [(row.rules["numbers"], row.rules["last_round"]) for row in found.sweep.found]
    small = [(numbers, ruled) for numbers in "23" for ruled in ("final", "decisive")]
    assert solved == [*small, ("5", "final")]
    assert {row.reason for row in found.sweep.left_out} == {"more than 50 positions"}
    again = Watched(Here())
    assert studies.repair(game, goals, again, max_positions=50) == found
    assert again.asked == []
    said = " ".join(studies.told(found).split())
    assert said.startswith("Only fair: 1. the book as it is: length 5, draws 32.3%, pos")
    assert (
        "Searched, solved exactly: 5 of 18 combinations of numbers 2 to 10; "
        "last_round final and decisive."
    ) in said
    assert "Kept: fair in 5, no-draws in 0. Left out: 13 with more than 50 positions;" in said


@pytest.mark.long
def test_few_draws_are_found_and_livelier_rules_whatever_their_size() -> None:
    game = evenodds.game("duel").game
    far = game._replace(lively=(("hp", 30), ("numbers", 9), ("overreach", 4)))
    assert {"hp": "30", "numbers": "9", "knockout": "higher", "overreach": "4"} in (
        studies.repair_search_grid(far).combinations()
    )
    found = studies.repair(game, ("fair", "few-draws"), Here(), max_positions=60)
    assert [one.rules for one in found.changes if one.livelier] == [
        {"numbers": "4", "overreach": "1"}
    ]
    assert all((one.figures["draws"] or 0) <= 0.1 for one in found.changes)
    assert " 2. hp=30 (livelier rules): " in studies.told(
        made(({"hp": "30"}, {}))._replace(goals=("fair",), game=far._replace(lively=(("hp", 30),)))
    )


@pytest.mark.processes
def test_the_command_searches(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "nim", NIM)
    monkeypatch.syspath_prepend(tmp_path)
    done = evenodds_here(
        "repair", "nim", "--want", "no-draws", "--json", home=home, PYTHONPATH=str(tmp_path)
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["remedies"][0]["rules"] == {}
    none = evenodds_here("repair", "nim", "--want", "fair", home=home, PYTHONPATH=str(tmp_path))
    said = "Nothing within reach: none of the 50 rulings that the game allows keeps it.\n"
    assert (none.returncode, said in none.stdout) == (1, True)
