"""The arena: who meets whom, what it comes to, and that it is the same however it is left."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from evenodds import FIRST, notation
from evenodds.arena import tournament
from evenodds.arena.archive import open_archive
from evenodds.arena.bouts import Entrants, play_bout
from evenodds.arena.schedule import BadPlan, Plan, check_plan, plan_of
from evenodds.arena.sequential import SequentialTest
from evenodds.arena.tables import as_data, as_markdown
from evenodds.arena.tally import Tally
from evenodds.arena.tournament import ArenaStopped
from evenodds.core.catalog import add, get
from evenodds.engine.solve import solve_settled
from evenodds.workers.processes import ProcessPool
from tests.support.coaching import review
from tests.support.examples import example
from tests.support.game_data import data_of
from tests.support.opponents import profile
from tests.support.play import SEATS
from tests.support.strategies import GAMES
from tests.support.task_runners import Here


def plan(
    name: str, *players: str, matches: int = 40, seed: int = 0, gauntlet: bool = False
) -> Plan:
    game = get(name)
    rulings = game.settle(data_of(game).small)
    return check_plan(Plan(game, rulings, players, matches, seed, gauntlet))


def played(wanted: Plan, exact: Mapping[tuple[int, int], float] = {}) -> Tally:
    tally = Tally(wanted, exact)
    tournament.play_arena(tally, Here())
    return tally


@pytest.mark.parametrize("gauntlet", [False, True])
def test_every_pair_meets_equally_often_in_either_seat(gauntlet: bool) -> None:
    wanted = plan("duel", "random", "high", "copy", matches=6, gauntlet=gauntlet)
    entrants = Entrants(wanted)
    met: Counter[tuple[int, int]] = Counter()
    for number in range(wanted.bouts):
        met.update(one.players for one in play_bout(entrants, number))
    pairs = [(0, 1), (0, 2)] if gauntlet else [(0, 1), (0, 2), (1, 2)]
    assert met == Counter(dict.fromkeys(pairs, 3) | {pair[::-1]: 3 for pair in pairs})


def test_luck_changes_seats_with_the_players() -> None:
    wanted = plan("underdog", "perfect", "level:8", matches=20)
    entrants = Entrants(wanted)
    for number in range(wanted.bouts):
        one, two = play_bout(entrants, number)
        assert notation.parse(one.text).history == notation.parse(two.text).history
        assert one.score(FIRST) + two.score(FIRST) == 2 * one.score(FIRST)


def test_every_pair_has_luck_of_its_own() -> None:
    """Else opponents who play alike would count as one, and intervals would be too narrow."""
    wanted = plan("duel", "level:5", "perfect", "level:8", matches=40, gauntlet=True)
    entrants = Entrants(wanted)
    texts = [play_bout(entrants, number)[0].text.split("\n\n")[1] for number in range(40)]
    assert texts[0::2] != texts[1::2]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_is_exact_agrees_with_what_is_sampled(game: Any) -> None:
    wanted = plan(game.name, "random", "high", "level:2", "perfect", matches=60, seed=4)
    certain = Entrants(wanted).exact_scores()
    assert set(certain) == set(wanted.pairs)
    tally = played(wanted)
    outside = 0
    for one, two in wanted.pairs:
        met = tally.pair(one, two)
        assert met.sampled is not None
        outside += not met.sampled.low - 1e-9 <= certain[one, two] <= met.sampled.high + 1e-9
        assert sum(tally.outcomes[one, two]) == 60
    assert outside <= 1


def test_a_pace_is_that_of_the_time_it_took() -> None:
    began = perf_counter()
    rows = played(plan("duel", "random", "high")).rows()
    took = perf_counter() - began
    assert all(row.pace and row.matches / row.pace < took for row in rows)


def test_who_is_not_a_policy_is_sampled() -> None:
    wanted = plan("margin", "random", "copy", "reader", "search:20", "perfect")
    certain = Entrants(wanted).exact_scores()
    assert set(certain) == {(0, 4)}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_loss_is_what_the_review_says(game: Any) -> None:
    wanted = plan(game.name, "random", "perfect", matches=6)
    solution, entrants = solve_settled(game, wanted.rulings), Entrants(wanted)
    total, picks = 0.0, 0
    for number in range(wanted.bouts):
        for one in play_bout(entrants, number):
            found = review(notation.parse(one.text), solution)
            given = [sum(c.loss for c in found.picks if c.seat == seat) for seat in SEATS]
            assert one.given == pytest.approx(given, abs=1e-9)
            total += sum(given)
            picks += one.picks[one.players.index(0)]
    rows = {row.player: row for row in played(wanted).rows()}
    assert rows["perfect"].loss == pytest.approx(0, abs=1e-9)
    assert rows["random"].loss == pytest.approx(total / picks)


@pytest.mark.long
def test_ratings_stand_in_the_order_of_strength() -> None:
    wanted = plan("duel", "level:1", "level:5", "perfect", "random", matches=100)
    rows = played(wanted).rows()
    assert [row.player for row in rows] == ["perfect", "level:5", "level:1", "random"]
    ratings = [row.rating for row in rows if row.rating]
    assert ratings[0].low > ratings[-1].high
    assert sum(one.value for one in ratings) == pytest.approx(0, abs=1e-6)


@pytest.mark.processes
def test_whoever_plays_it_comes_to_the_same(home: Path) -> None:
    wanted = plan("margin", "random", "level:3", "reader", matches=10)
    books = []
    for name, team in (("here", Here()), ("crew", ProcessPool(2))):
        with open_archive(home / name, wanted) as book:
            tournament.play_arena(Tally(wanted), team, book)
        books.append((home / name / "matches.txt").read_text())
    assert books[0] == books[1]
    assert len(notation.parse_all(books[0])) == 30


def leave_after(bouts: int) -> Callable[[Tally], None]:
    def on_progress(tally: Tally) -> None:
        if tally.bouts >= bouts:
            raise InterruptedError

    return on_progress


@pytest.mark.long
@pytest.mark.parametrize("torn", ["", "matches.txt", "results.jsonl"])
def test_a_run_that_was_left_goes_on_to_the_same_end(home: Path, torn: str) -> None:
    wanted = plan("duel", "random", "level:3", "copy", matches=20)
    whole = home / "whole"
    with open_archive(whole, wanted) as book:
        tournament.play_arena(expected := Tally(wanted), Here(), book)
    parts = home / "parts"
    for bouts in (4, 15, 1000):
        tally = Tally(wanted)
        with open_archive(parts, wanted) as book:
            assert len(book.bouts) < bouts
            try:
                tournament.play_arena(tally, Here(), book, on_progress=leave_after(bouts))
            except InterruptedError:
                if torn:
                    text = (parts / torn).read_bytes()
                    (parts / torn).write_bytes(text[:-5])
    assert (parts / "matches.txt").read_bytes() == (whole / "matches.txt").read_bytes()
    assert not (parts / "talk.jsonl").exists()
    assert undated(tally) == undated(expected)
    with open_archive(parts, wanted._replace(matches=22)) as book:
        assert len(book.bouts) == 30


def undated(tally: Tally) -> list[object]:
    return [row._replace(pace=None) for row in tally.rows()]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seed": 1}, "holds an arena with seed 0, not seed 1; choose another folder"),
        ({"players": ("random", "copy")}, "players random, high, not players random, copy"),
        ({"matches": 38}, "holds an arena of 40 matches a pair; --matches must be at least that"),
        ({"rulings": get("duel").rulings()}, "not rulings hp=10"),
    ],
)
def test_a_folder_holds_one_arena(home: Path, change: dict[str, Any], problem: str) -> None:
    wanted = plan("duel", "random", "high")
    with open_archive(home, wanted) as book:
        tournament.play_arena(Tally(wanted), Here(), book)
    before = (home / "arena.json").read_bytes()
    with pytest.raises(BadPlan) as caught, open_archive(home, wanted._replace(**change)):
        pass
    assert problem in str(caught.value)
    assert (home / "arena.json").read_bytes() == before


def test_a_folder_with_something_else_in_it_is_refused(home: Path) -> None:
    home.mkdir()
    (home / "matches.txt").write_text("my own")
    for problem in ("holds something else", "is damaged; choose another folder"):
        with (
            pytest.raises(BadPlan, match=problem),
            open_archive(home, plan("duel", "random", "high")),
        ):
            pass
        (home / "arena.json").write_text("{")
    assert (home / "matches.txt").read_text() == "my own"


def test_a_test_stops_an_arena_at_the_same_bout_whenever_it_is_asked(home: Path) -> None:
    wanted = plan("duel", "random", "perfect", matches=1000)
    with open_archive(home, wanted) as book:
        test = SequentialTest(50)
        tournament.play_arena(tally := Tally(wanted, test=test), Here(), book)
    assert test.settled == -1
    assert 0 < tally.bouts < 100
    with open_archive(home, wanted) as book:
        assert len(book.bouts) == tally.bouts
        tournament.play_arena(again := Tally(wanted, test=SequentialTest(50)), Here(), book)
    assert again.bouts == tally.bouts


@pytest.mark.processes
def test_what_cannot_be_played_stops_an_arena(home: Path) -> None:
    game = get("duel")
    missing = Plan(game, game.rulings(), ("random", "cmd:no-such-program"), 2)
    with (
        pytest.raises(ArenaStopped, match="the program no-such-program cannot be started"),
        open_archive(home, missing) as book,
    ):
        tournament.play_arena(Tally(missing), Here(), book)
    assert not home.exists()


def test_names_in_records_are_short_and_different() -> None:
    game = get("duel")
    """A program's is the one that a match shows."""
    programs = [f"cmd:env X=1 python3 /a/long/way/to/{name}.py" for name in ("one", "two", "two")]
    wide = f"cmd:{'宽' * 18}"
    labels = Plan(game, game.rulings(), ("random", "level:3", *programs, wide), 2).labels
    assert labels == ("random", "level:3", "one.py", "two.py #4", "two.py #5", "宽" * 10)
    assert profile(programs[0]).name == "one.py"


def test_a_plan_survives_being_told() -> None:
    wanted = plan("factors", "random", "perfect", matches=8, seed=5, gauntlet=True)
    assert plan_of(json.loads(json.dumps(wanted.as_data()))) == wanted


def test_tables_say_what_is_exact() -> None:
    wanted = plan("duel", "random", "high", "copy", matches=4)
    certain = Entrants(wanted).exact_scores()
    standing = played(wanted, certain)
    page = as_markdown(standing)
    assert "= is exact, summed over positions; the rest sampled." in page
    assert page.count("| – |") == 3
    data = as_data(standing)
    exact = {(pair["one"], pair["two"]): pair["exact"] for pair in data["pairs"]}
    assert exact["random", "high"] == pytest.approx(certain[0, 1])
    assert exact["random", "copy"] is None
    none = Tally(wanted)
    assert "0 of 12 matches" in as_markdown(none)
    assert "Nothing was played, so there is nothing to compare." in as_markdown(none)


@pytest.mark.long
def test_matches_that_might_go_on_for_ever_are_drawn_in_the_end() -> None:
    game = example("rock_paper_scissors")
    add(game)
    rulings = game.settle({"wins": 1})
    alike = play_bout(Entrants(Plan(game, rulings, ("high", "high"), 2, 0, False)), 0)
    assert all('[Reason "rounds"]' in one.text for one in alike)
    (pair,) = as_data(played(check_plan(Plan(game, rulings, ("high", "random"), 20, 0, False))))[
        "pairs"
    ]
    assert pair["won"] + pair["lost"] == 20
