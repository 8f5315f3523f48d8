"""Games, solutions and the coach from Python; tables and files for other programs."""

import json
import sys
from pathlib import Path
from typing import Any

import pyspiel
import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, Outcome
from tests.support.chance_games import DICE
from tests.support.commands import evenodds_here
from tests.support.examples import example
from tests.support.play import SEATS, positions

SMALL = [
    evenodds.game("margin", numbers=3),
    evenodds.game("duel", hp=4),
    evenodds.game("circle", numbers=5),
    evenodds.game("factors", target=4, numbers=2),
    evenodds.game(DICE),
]
"""At once and in turns, with loops, with chance and points."""
by_name = pytest.mark.parametrize("game", SMALL, ids=[one.game.name for one in SMALL])


def test_a_game_with_rulings_is_played_by_its_own_functions() -> None:
    game = evenodds.game("duel", hp=2)
    start = game.start()
    assert game.legal(start, FIRST) == game.picks(start, SECOND) == (1, 2, 3)
    assert game.outcome(start) == Outcome.ONGOING
    assert game.outcome(game.step(start, (3, 1))) == Outcome.FIRST_WINS


@by_name
def test_a_solution_is_a_collection_of_positions(game: Any) -> None:
    solution = evenodds.solve(game)
    found = list(solution)
    assert len(solution) == len(found) == len(set(found))
    assert set(found) == set(positions(*game))
    assert found[0] == solution.start in solution
    assert evenodds.solve("underdog").start not in solution
    assert repr(solution).startswith(f"<Solution of {game.game.name}")


def test_of_positions_that_are_alike_a_solution_has_one() -> None:
    solution = evenodds.solve(evenodds.game(example("goofspiel"), cards=3))
    assert len(solution) == len(list(solution)) < len(positions(solution.game, solution.rulings))
    assert {solution.value(state) for state in solution} >= {-1.0, 0.0, 1.0}


@by_name
def test_columns_hold_values_and_mixes_of_all_positions(game: Any) -> None:
    solution = evenodds.solve(game)
    columns = {name: column.tolist() for name, column in evenodds.to_numpy(solution).items()}
    mixes = [[name for name in columns if name.startswith(("first ", "second "))] for _ in SEATS]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    expected = [(solution.value(state), *told(solution, state)) for state in solution]
    found = [(row["value"], *({n: row[n] for n in mixes[0] if row[n] > 0},)) for row in rows]
    assert [*map(rounded, found)] == [*map(rounded, expected)]


def told(solution: Any, state: Any) -> tuple[dict[str, float]]:
    """The mixes of both seats at a position, as the columns name them."""
    seats = zip(("first", "second"), SEATS, strict=True)
    mixes = [(name, solution.mix(state, seat)) for name, seat in seats]
    return ({f"{name} {number}": one for name, mix in mixes for number, one in mix.items()},)


def rounded(row: tuple[float, dict[str, float]]) -> str:
    value, mix = row
    return f"{value + 0.0:.6f} {sorted((name, round(share, 6)) for name, share in mix.items())}"


def test_parquet_needs_pyarrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(evenodds.EvenOddsError, match=r"^Parquet needs pyarrow, which is not inst"):
        evenodds.to_parquet(evenodds.solve(SMALL[0]), tmp_path / "margin.parquet")


@pytest.mark.parametrize(
    "game",
    [*SMALL[:3], evenodds.game(DICE), evenodds.game(example("goofspiel"), cards=3)],
    ids=lambda game: game.game.name,
)
def test_openspiel_reads_the_tree_and_finds_the_value(game: Any, tmp_path: Path) -> None:
    path = tmp_path / "tree.efg"
    path.write_text(evenodds.to_efg(game))
    tree = pyspiel.load_game("efg_game", {"filename": str(path)})
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, False)[0]
    solution, taken = evenodds.solve(game), pyspiel.nash_conv(tree, policy)
    assert taken < 0.1
    assert value == pytest.approx(solution.value(solution.start), abs=taken + 1e-9)


def test_a_matrix_lists_the_payoffs_of_the_first_seats_picks_first() -> None:
    text = evenodds.to_nfg(evenodds.solve(SMALL[0]))
    assert '{ { "1" "2" "3" } { "1" "2" "3" } }' in text
    assert text.splitlines()[-1].startswith("0 0 0.333333333333 -0.333333333333 -1 1 ")


def test_where_chance_draws_there_is_no_matrix() -> None:
    with pytest.raises(evenodds.UnreachablePosition, match="nobody picks at this position"):
        evenodds.to_nfg(evenodds.solve(evenodds.game(DICE)))


def test_an_ended_position_has_no_matrix() -> None:
    game = evenodds.game("duel", hp=2)
    with pytest.raises(evenodds.UnreachablePosition, match="nobody picks at this position"):
        evenodds.to_nfg(evenodds.solve(game), game.step(game.start(), (3, 1)))


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("underdog", "the tree of underdog has more than 100,000 nodes, which is the limit; take"),
        ("factors", "play in factors can come back to a position: its tree has no end"),
    ],
)
def test_a_tree_that_is_too_large_is_refused(game: str, said: str) -> None:
    with pytest.raises(evenodds.TooLarge) as caught:
        evenodds.to_efg(game)
    assert str(caught.value).startswith(said)


def test_odds_take_names() -> None:
    game = evenodds.game("margin", numbers=3)
    found = evenodds.odds(game, "perfect", "random")
    assert found == evenodds.odds(game, evenodds.solve(game), evenodds.Uniform(game))
    assert "| 3.00 |" in found._repr_markdown_()
    with pytest.raises(evenodds.UnknownPlayer, match="reader depends on more than the position"):
        evenodds.odds(game, "reader", "random")


def test_who_of_the_players_begins_is_a_seat() -> None:
    for first, name in ((FIRST, "Ann"), (SECOND, "Bob")):
        assert Match("circle", players=("Ann", "Bob"), first=first).names[FIRST] == name
    with pytest.raises(evenodds.BadTerms, match=r"first=2 is not allowed; allowed: FIRST \(0\)"):
        Match("circle", first=2)


def test_the_coach_says_in_python_what_the_command_says(home: Path, tmp_path: Path) -> None:
    match = Match("margin", {"numbers": 3})
    hint = evenodds.hint(match, FIRST)
    assert hint is not None
    assert {one.number: round(one.share, 3) for one in hint.advice} == {1: 0.2, 2: 0.6, 3: 0.2}
    for picks in ((1, 3), (3, 1), (2, 2)):
        match.play(picks)
    assert evenodds.hint(match, FIRST) is None
    path = tmp_path / "match.txt"
    path.write_text(evenodds.notation.write(match))
    (line,) = evenodds_here("review", str(path), "--json", home=home).stdout.splitlines()
    review = evenodds.review(match)
    assert json.loads(line)["curve"] == pytest.approx(review.curve)
    assert [pick["gave"] for pick in json.loads(line)["picks"]] == [p.loss for p in review.picks]


@pytest.mark.processes
def test_sweeps_and_repairs_are_those_of_the_commands(home: Path) -> None:
    found = evenodds.sweep("duel", {"hp": "3..4", "numbers": [2, 3]}, measures=["value", "draws"])
    told = ("sweep", "duel", "hp=3..4", "numbers=2,3", "--measure", "value", "--measure", "draws")
    same = json.loads(evenodds_here(*told, "--json", home=home).stdout)
    figures = [row.figures for row in found.rows]
    assert figures == [{key: row[key] for key in ("value", "draws")} for row in same["rows"]]
    one = evenodds.sweep(evenodds.game("duel", numbers=2), {"hp": 3}, measures=["value", "draws"])
    assert [row.figures for row in one.rows] == figures[:1]
    with pytest.raises(evenodds.EvenOddsError, match="there is no goal called"):
        evenodds.repair("duel", "fun")


def test_a_game_of_the_program_alone_is_swept_and_repaired() -> None:
    mine = DICE._replace(name="mine")
    (row,) = evenodds.sweep(mine, {}, measures="value, fair").rows
    worth = evenodds.solve(mine).value(evenodds.game(mine).start())  # of 21 that can be won
    assert row.figures == {"value": pytest.approx(worth / 21), "fair": False}
    assert evenodds.repair(mine, "few-draws").sweep.found
    with pytest.raises(evenodds.BadGame, match="none of the rulings could be solved: broken: "):
        evenodds.repair(DICE._replace(name="broken", legal=lambda state, seat: 1 // 0), "skill")
