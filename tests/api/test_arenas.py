"""Arenas, benchmarks and players from Python: policies are players beside those with names."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, PlayerLike, Solution
from tests.support import models
from tests.support.commands import surroundings
from tests.support.examples import SMALL_GAME, TURN_GAME, example
from tests.support.paths import ROOT
from tests.support.play import by_players, play

GAME = evenodds.game("margin", numbers=4)
CHANCE = Random(3)


@pytest.fixture(scope="module")
def solution() -> Solution:
    return evenodds.solve(GAME)


def lowest(state: Any, seat: int) -> int:
    return min(GAME.picks(state, seat))


def by_chance(state: Any, seat: int) -> dict[int, float]:
    """A function that draws from chance, and returns another mix each time."""
    return {CHANCE.choice(GAME.picks(state, seat)): 1.0}


@pytest.mark.long
def test_functions_mappings_and_solutions_meet_players_with_names(solution: Solution) -> None:
    answers = {
        (state, seat): number
        for seat in (FIRST, SECOND)
        for state, number in evenodds.best_response(GAME, lowest, seat).picks.items()
    }
    own: dict[str, PlayerLike] = {
        "answers": answers,
        "lowest": lowest,
        "solved": solution,
        "perfect": "perfect",
    }
    report = evenodds.run_arena(GAME, own, matches=20)
    exact = {(pair.one, pair.two): pair.exact for pair in report.pairs}
    assert exact["solved", "perfect"] == pytest.approx(0.5)
    assert exact["lowest", "solved"] is None
    assert report.score("answers", "lowest") == 1.0
    assert report.score("lowest", "solved") == 1 - (report.score("solved", "lowest") or 0)
    assert {row.player: row.matches for row in report.standings} == dict.fromkeys(own, 60)
    assert report.markdown.startswith("# Number Clash: Five Rounds (numbers=4): 120 matches")
    losses = {row.player: row.loss for row in report.standings}
    assert losses["solved"] == losses["perfect"] == 0


def test_the_same_seed_gives_the_same_matches() -> None:
    def any_of(state: Any, seat: int) -> dict[int, float]:
        return {number: 1 / len(GAME.picks(state, seat)) for number in GAME.picks(state, seat)}

    players: list[PlayerLike] = [lowest, any_of, "level:1"]
    one, two = (evenodds.run_arena(GAME, players, matches=10, seed=5) for _ in range(2))
    assert [pair.sampled for pair in one.pairs] == [pair.sampled for pair in two.pairs]


@pytest.mark.parametrize("game", ["duel", "underdog"])
def test_a_few_matches_start_no_process_and_take_no_time(game: str) -> None:
    one = evenodds.run_arena(game, ["high", "copy"], matches=30)
    began = time.process_time()
    assert evenodds.run_arena(game, ["high", "copy"], matches=30).pairs == one.pairs
    assert time.process_time() - began < 0.1
    exact = evenodds.run_arena(game, ["perfect", "random"], matches=2).pairs[0].exact
    odds = evenodds.odds(game, evenodds.solve(game), evenodds.Uniform(game))
    assert exact == pytest.approx(odds.score)


def test_a_function_can_foresee_dice_only_from_a_seed_that_was_named() -> None:
    def seen(**seed: Any) -> list[Any]:
        states: list[Any] = []

        def rolls(state: Any, seat: int) -> int:
            states.append(state)
            return 1

        game = evenodds.game(example("pig"), goal=6)
        evenodds.run_arena(game, {"rolls": rolls, "high": "high"}, matches=2, **seed)
        return states

    assert seen() != seen()
    assert seen(seed=5) == seen(seed=5)


def test_a_function_is_asked_again_at_the_same_position() -> None:
    report = evenodds.run_arena(GAME, [by_chance, "high"], matches=200)
    score = report.score("by_chance", "high")
    assert score not in (None, 0.0, 0.5, 1.0)


@pytest.mark.processes
def test_programs_play_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_CORES", "1")
    bot = f"cmd:python3 {ROOT / 'examples' / 'bots' / 'bot.py'}"
    report = evenodds.run_arena(GAME, {"bot": bot, "random": "random"}, matches=2)
    assert [row.forfeits for row in report.standings] == [{}, {}]
    card = evenodds.run_benchmark(bot, games=SMALL_GAME, matches=2)
    assert card.games[SMALL_GAME].forfeits == {}


ARENAS = """
import sys, evenodds
plays = [evenodds.run_arena] * 2 + [lambda game, names, **options:
    evenodds.run_benchmark(names[0], games=game, **options)]
for play in plays:
    try:
        play("duel", [sys.argv[1], "random"], matches=20)
    except evenodds.ArenaStopped as stopped:
        print(stopped)
"""


@pytest.mark.processes
def test_all_arenas_of_a_program_share_one_count_of_requests(home: Path) -> None:
    with models.service() as service:
        done = subprocess.run(
            [sys.executable, "-c", ARENAS, service.name],
            capture_output=True,
            text=True,
            env=surroundings(home, EVENODDS_LLM_REQUESTS="7"),
        )
        assert len(service.asked) == 7, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 3
    assert all("the 7 requests of this run are used up" in line for line in said)


def test_a_card_has_figures_for_each_game() -> None:
    def first_open(state: Any, seat: int) -> int:
        game = next(one for one in games if type(one.start(one.rulings())) is type(state))
        return game.picks(state, seat)[0]

    names = [SMALL_GAME, TURN_GAME]
    ruled = [evenodds.game(SMALL_GAME), evenodds.game(TURN_GAME, reach=2)]
    games = [one.game for one in ruled]
    card = evenodds.run_benchmark(first_open, games=ruled, matches=2)
    assert card.card.player == "first_open"
    assert list(card.games) == names
    assert card.games[SMALL_GAME].matches == 2
    assert [*card.games[SMALL_GAME].references] == [*card.card.references]
    assert "first_open" in card.markdown
    alone = evenodds.run_benchmark(first_open, games=evenodds.game(SMALL_GAME), matches=2)
    assert list(alone.games) == [SMALL_GAME]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: evenodds.run_arena("duel", ["random"]), evenodds.BadPlan),
        (lambda: evenodds.run_arena("duel", ["a", "b"]), evenodds.UnknownPlayer),
        (lambda: evenodds.make_policy("duel", "reader"), evenodds.UnknownPlayer),
        (lambda: evenodds.run_arena("duel", cast(Any, [3, "high"])), evenodds.BadPolicy),
        (lambda: evenodds.run_arena("duel", [lambda *_: 99, "high"]), evenodds.BadPolicy),
        (lambda: evenodds.run_benchmark("high", matches=0), evenodds.BadPlan),
        (lambda: evenodds.game("duel", cast(Any, 3)), evenodds.BadRuling),
        (lambda: evenodds.make_player(Match("duel"), 1, "high", seconds=-1), evenodds.BadTerms),
        (lambda: evenodds.make_player(Match("duel"), 2, "high"), evenodds.BadSeat),
        (lambda: evenodds.game(cast(Any, 3)), evenodds.UnknownGame),
    ],
)
def test_an_error_has_a_class_of_its_kind(call: Any, error: type[evenodds.EvenOddsError]) -> None:
    with pytest.raises(error):
        call()


def test_players_with_names_are_policies() -> None:
    perfect, level = (evenodds.make_policy(GAME, name) for name in ("perfect", "level:4"))
    assert evenodds.exploitability(GAME, perfect) == pytest.approx(0, abs=1e-9)
    arena = evenodds.run_arena(GAME, ["perfect", "level:4"], matches=0)
    both = evenodds.odds(GAME, perfect, level).score, evenodds.odds(GAME, level, perfect).score
    assert arena.score("perfect", "level:4") == pytest.approx((both[0] + 1 - both[1]) / 2)


@pytest.mark.long
def test_a_seed_of_numpy_is_a_seed() -> None:
    uniform = evenodds.Uniform("duel")
    kinds: tuple[Any, Any] = (int, np.int64)
    plain, numpy = (
        evenodds.simulate("duel", uniform, uniform, matches=number(10), seed=number(7))
        for number in kinds
    )
    assert plain == numpy
    players = [
        evenodds.make_player(Match("duel"), FIRST, "random", seed=number(7)) for number in kinds
    ]
    view = Match("duel").view(FIRST)
    assert len({tuple(player.pick(view) for _ in range(20)) for player in players}) == 1


def test_a_match_is_played_by_players(solution: Solution) -> None:
    for one, two in (("level:4", lowest), (solution, "copy")):
        match = Match(GAME)
        players = [
            evenodds.make_player(match, seat, player, seed=seat)
            for seat, player in enumerate((one, two))
        ]
        result = play(match, by_players(players)).result
        assert result is not None
        assert result.reason == "rules"


@pytest.mark.long
def test_a_game_that_no_package_offers_is_studied_and_played(tmp_path: Path) -> None:
    own = evenodds.game(TURN_GAME).game._replace(name="mine", title="Mine")
    game = evenodds.game(own, numbers=4)
    report = evenodds.run_study(game)
    assert report.study.game == "mine"
    assert report.study.size.positions == evenodds.solve(game).positions
    assert [one.name for one in report.claims]
    evenodds.write_study_page(report, tmp_path / "page.html")
    assert "Mine" in (tmp_path / "page.html").read_text()
    assert evenodds.run_arena(game, ["random", "high"], matches=4).standings
    assert own not in evenodds.list_games()


def test_a_game_of_ones_own_does_not_pass_for_another() -> None:
    own = evenodds.game(TURN_GAME).game._replace(title="Mine")
    with pytest.raises(evenodds.EvenOddsError, match=f'another game called "{TURN_GAME}"'):
        evenodds.run_study(own)


def test_an_arena_that_is_interrupted_tells_how_far_it_came_and_what_was_scored() -> None:
    picks = iter(range(100))

    def impatient(state: Any, seat: int) -> int:
        if next(picks, None) is None:
            raise KeyboardInterrupt
        return lowest(state, seat)

    with pytest.raises(KeyboardInterrupt, match=r" after \d+ of 400 matches$") as caught:
        evenodds.run_arena(GAME, [impatient, "random"], matches=400)
    assert isinstance(caught.value, evenodds.ArenaInterrupted)
    report = caught.value.report
    assert f" after {report.standings[0].matches} of 400" in str(caught.value)
    assert 0 <= (report.score("impatient", "random") or 0) <= 1
