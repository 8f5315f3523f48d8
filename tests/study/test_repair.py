"""Repairs: which rulings keep a designer's wishes, at what cost, and proofs where none can."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from evenodds.cli.shared import workers
from evenodds.core import catalog
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import FIRST, SECOND, Outcome
from evenodds.solver import solve_settled
from evenodds.study.sweeps import repair as repairs
from evenodds.study.sweeps import sweep_task
from evenodds.study.sweeps.goals import (
    SYMMETRY_PROOF,
    TURN_GAME_PROOF,
    UnknownGoal,
    impossibility_proofs,
    parse_goals,
)
from evenodds.study.sweeps.grid import read_grid
from evenodds.study.sweeps.measures import Figures
from evenodds.study.sweeps.repair import (
    REPORTED_MEASURES,
    RepairResult,
    as_json,
    repair,
    repair_search_grid,
)
from evenodds.study.sweeps.sweep import SweepResult, SweepRow, sweep
from evenodds.terminal.reports.repair import show
from evenodds.terminal.screen import Screen
from evenodds.workers.processes import ProcessPool
from tests.support.commands import evenodds_here
from tests.support.game_data import data_of
from tests.support.strategies import GAMES
from tests.support.task_runners import Here, Watched

pytestmark = [pytest.mark.own_tables, pytest.mark.usefixtures("kernels")]

ALL = ("fair", "no-draws", "skill")


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in GAMES if data_of(game).grid], ids=str)
def test_where_seats_are_alike_best_play_can_be_drawn(
    game: catalog.AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof, looked at: draws under every ruling, and every line of equal picks is one."""
    for limit in ("MAX_INTERPRETED_RULINGS", "MIN_COMPILED_RULINGS"):
        monkeypatch.setattr(sweep_task, limit, 1000)  # compiling takes longer
    assert impossibility_proofs(game, ALL) == {"no-draws": SYMMETRY_PROOF}
    found = sweep(read_grid(game, dict(data_of(game).grid)), ("fair", "draws", "endless"), Here())
    assert len(found.found) > 5
    for row in found.found:
        assert row.figures is not None
        assert row.figures["fair"] is True
        assert (row.figures["draws"] or 0) > 0
        _only_draws(game.start(game.settle_typed(row.rules)), game)


def _only_draws(state: object, game: catalog.AnyGame) -> None:
    """Every line in which both pick the same number ends in a draw."""
    if game.outcome(state) != Outcome.ONGOING:
        assert game.outcome(state) == Outcome.DRAW
        return
    first, second = game.picks(state, FIRST), game.picks(state, SECOND)
    assert first == second
    for number in first:
        _only_draws(game.step(state, (number, number)), game)


@pytest.mark.long
def test_whoever_begins_wins_on_odd_rings_only() -> None:
    """For every reach and with any leaps, as the proof says; so no ring is fair."""
    game = catalog.get("circle")
    rings = [*product(range(1, 11), (1, 2, 3), (0,)), *product(range(1, 8), (1, 2, 3), (1, 2))]
    for numbers, reach, leaps in rings:
        rulings = game.settle({"numbers": numbers, "reach": reach, "leaps": leaps})
        solution = solve_settled(game, rulings, keep=False)
        assert solution.value(solution.start) == (1 if numbers % 2 else -1)
    found = impossibility_proofs(game, ALL)
    assert list(found) == ["fair"]
    assert found["fair"].startswith("A ring has no draws, and whoever begins wins exactly on odd")


def test_in_a_game_of_turns_fair_is_a_draw() -> None:
    """So both wishes together are refused with the reason, and each by itself is not."""
    game = catalog.get("factors")
    assert impossibility_proofs(game, ALL) == {"fair and no-draws": TURN_GAME_PROOF}
    assert (
        impossibility_proofs(game, ("fair", "skill"))
        == impossibility_proofs(game, ("no-draws",))
        == {}
    )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_search_is_around_the_book(game: catalog.AnyGame) -> None:
    """The book itself, every word, and nothing that the game does not allow."""
    grid = repair_search_grid(game)
    tried = list(grid.combinations())
    assert ruling_texts(game.rulings()) in tried
    assert len(tried) == len({tuple(given.values()) for given in tried}) <= 2500
    for given in tried:
        game.settle_typed(given)
    for key, option in game.options.items():
        assert set(getattr(option, "words", ())) <= set(grid.axes[key])


def made(*rows: tuple[dict[str, str], Figures]) -> RepairResult:
    """A repair of duel from some rulings and their figures."""
    game = catalog.get("duel")
    book = ruling_texts(game.rulings())
    usual: Figures = {
        "value": 0.0,
        "step": 0.5,
        "fair": True,
        "draws": 1.0,
        "endless": 0.0,
        "length": 4.0,
        "positions": 9,
    }
    listed = [SweepRow(book | rules, usual | figures) for rules, figures in [({}, {}), *rows]]
    found = SweepResult(read_grid(game, {"hp": "9..12"}), tuple(usual), listed)
    return RepairResult(game, ALL, {}, usual, found)


def test_the_ruling_nearest_to_the_book_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Fewer rulings are changed, then less far; and what changes with them is told."""
    kept: Figures = {"draws": 0.0, "step": 0.7}
    found = made(
        ({"hp": "20"}, kept),
        ({"hp": "11", "knockout": "draw"}, kept),
        ({"hp": "9"}, {**kept, "length": 3.5}),
        ({"hp": "10", "numbers": "4"}, {"step": 0.8}),
    )
    assert [one.rules for one in found.changes] == [
        {"hp": "9"},
        {"hp": "20"},
        {"hp": "11", "knockout": "draw"},
    ]
    assert [round(one.far, 9) for one in found.changes] == [0.1, 1.0, 1.1]
    show(found, Screen())
    said = capsys.readouterr().out
    assert "Yes, by other rulings.\n" in said
    assert " 1. hp=9: length 3.500 (was 4), draws 0% (was 100%)\n" in said
    assert " 2. hp=20: draws" in said
    assert json.loads(json.dumps(as_json(found)))["kept"] is True


def test_where_not_all_can_be_kept_the_most_that_can_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = made(({"hp": "9"}, {"step": 0.6}), ({"hp": "12"}, {"fair": False, "draws": 0.0}))
    assert not found.changes
    assert {some: [one.rules for one in kept] for some, kept in found.compromises().items()} == {
        ("fair", "skill"): [{"hp": "9"}]
    }
    show(found, Screen())
    said = capsys.readouterr().out
    assert "No: none of the 3 rulings tried keeps all of it.\n" in said
    assert "Only fair and skill:\n 1. hp=9: " in said
    assert "Kept: fair in 2, no-draws in 1, skill in 1.\n" in said


def test_the_best_remedies_are_ranked_with_their_costs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The book too where it is one, then the nearest to it; and how many more there are."""
    rows: list[tuple[dict[str, str], Figures]] = [
        ({"hp": str(hp)}, {"length": hp / 2}) for hp in range(11, 25)
    ]
    found = made(*rows)._replace(goals=("fair",))
    show(found, Screen())
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Yes, as the book has it."
    assert said[1].startswith(" 1. the book as it is: length 4, draws 100%, positions 9")
    assert said[2:4] == [" 2. hp=11: length 5.500 (was 4)", " 3. hp=12: length 6 (was 4)"]
    assert said[10].startswith("10. hp=19")
    assert said[11] == "    and 5 more, which change more: --json lists them"
    far = made(
        ({"hp": "11", "numbers": "4", "knockout": "draw"}, dict.fromkeys(REPORTED_MEASURES, 0.123))
    )
    show(far._replace(goals=("fair",)), Screen())
    told = capsys.readouterr().out.splitlines()
    assert told[2].startswith(" 2. hp=11 numbers=4 knockout=draw: length 0.123 (was 4)")
    assert re.match(r" {4}\S", told[3])


def test_a_no_without_a_proof_says_how_near_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    """How many were tried, which was the nearest, by how much it falls short."""
    rows: list[tuple[dict[str, str], Figures]] = [
        ({"hp": "9"}, {"step": 0.55}),
        ({"hp": "12"}, {"step": 0.58}),
        ({"hp": "13"}, {"step": None}),
    ]
    found = made(*rows)._replace(goals=("skill",))
    show(found, Screen())
    said = capsys.readouterr().out
    assert "No: none of the 4 rulings tried keeps it.\n" in said
    assert "The nearest is hp=12: the best step of the ladder is 58%.\n" in said
    both = made(({"hp": "9"}, {"draws": 0.1}))._replace(goals=("fair", "no-draws", "skill"))
    assert as_json(both)["nearest"]["rules"] == {"hp": "9"}
    show(both, Screen())
    flat = " ".join(capsys.readouterr().out.split())
    assert "10% of perfect play has no winner and the best step of the ladder is" in flat


def test_what_is_proved_needs_no_search(home: Path) -> None:
    """One wish that no ruling can keep is answered without a single ruling but the book's."""
    asked = Watched(Here())
    found = repair(catalog.get("circle"), ("fair",), asked)
    assert (len(asked.asked), len(found.sweep.rows), found.changes) == (1, 1, [])
    done = evenodds_here("repair", "circle", "--want", "fair", home=home, COLUMNS="40")
    assert done.returncode == 1
    assert "No, and no ruling can.\n- fair: A ring has no draws" in done.stdout
    assert "Searched" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 40


@pytest.mark.processes
def test_what_is_too_large_is_left_out_but_not_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit of positions for each ruling; what was found once is not found again."""
    monkeypatch.setattr(repairs, "MAX_POSITIONS_BY_LOOPS", {False: 50, True: 50})
    game = catalog.get("margin")
    found = repair(game, ("fair",), ProcessPool(2))
    solved = [(row.rules["numbers"], row.rules["last_round"]) for row in found.sweep.found]
    small = [(numbers, ruled) for numbers in "23" for ruled in ("final", "decisive")]
    assert solved == [*small, ("5", "final")]
    assert {row.reason for row in found.sweep.left_out} == {"more than 50 positions"}
    assert not found.changes[0].rules
    again = Watched(Here())
    assert repair(game, ("fair",), again) == found
    assert again.asked == []


def test_unknown_wishes_are_refused(home: Path) -> None:
    assert parse_goals("skill, fair") == ("fair", "skill")
    with pytest.raises(UnknownGoal, match="there are fair, no-draws, skill"):
        parse_goals("fair,fun")
    done = evenodds_here("repair", "duel", "--want", "", home=home)
    assert done.returncode == 2
    assert done.stderr == 'there is no wish called ""; there are fair, no-draws, skill\n'


@pytest.mark.long
def test_the_command_says_no_with_the_reason(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof first; then what can be kept, what was searched, and what was left out."""
    monkeypatch.setattr(repairs, "MAX_POSITIONS_BY_LOOPS", {False: 200, True: 200})
    monkeypatch.setattr(workers, "ProcessPool", lambda _: Here())
    done = evenodds_here("repair", "circle", "--want", "fair,no-draws", home=home)
    assert done.returncode == 1
    assert "No, and no ruling can.\n- fair: A ring has no draws, and whoever begins" in done.stdout
    assert "Only no-draws:\n 1. the book as it is: length 10, draws 0%, pos" in done.stdout
    flat = " ".join(done.stdout.split())
    assert (
        "Searched, solved exactly: 18 of 144 combinations of "
        "numbers 5 to 20; reach 1 to 3; leaps 0 to 2."
    ) in flat
    assert "Left out: 126 with more than 200 positions;" in flat
    assert max(map(len, done.stdout.splitlines())) < 80
    data = evenodds_here("repair", "circle", "--want", "no-draws", "--json", home=home)
    assert data.returncode == 0
    assert json.loads(data.stdout)["remedies"][0]["rules"] == {}
