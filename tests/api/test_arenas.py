"""Arenas, benchmarks and players from Python: policies are players beside those with names."""

from math import nan
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, PlayerLike, Solution
from evenodds.arena.tournament import ArenaStopped
from evenodds.core import catalog
from evenodds.players.llm.player import process_budget
from tests.players.test_llm import legal
from tests.support import models
from tests.support.examples import SMALL_GAME, TURN_GAME
from tests.support.models import says
from tests.support.paths import ROOT

GAME = evenodds.game("margin", numbers=4)
CHANCE = Random(3)
ARRAY: Any = np.array([1, 2])
"""Compared with anything it is no truth value."""
WRONG_OPTIONS: list[dict[str, Any]] = [
    *({"seconds": value} for value in (-1, 0, nan, "a", 1e6)),
    *({"matches": value} for value in (2.0, "2", None)),
    *({"seed": value} for value in (None, 1.5, "a")),
]


@pytest.fixture(scope="module")
def solution() -> Solution:
    """The solution of the small game."""
    return evenodds.solve(GAME)


def lowest(state: Any, seat: int) -> int:
    """A function that returns a number."""
    return min(GAME.picks(state, seat))


def by_chance(state: Any, seat: int) -> dict[int, float]:
    """A function that draws from chance, and returns another mix each time."""
    return {CHANCE.choice(GAME.picks(state, seat)): 1.0}


def test_functions_mappings_and_solutions_meet_players_with_names(solution: Solution) -> None:
    """Scores between fixed policies are exact, those of functions sampled."""
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
    """Also to players of one's own, whose mixes are drawn from by our chance."""

    def any_of(state: Any, seat: int) -> dict[int, float]:
        return {number: 1 / len(GAME.picks(state, seat)) for number in GAME.picks(state, seat)}

    players: list[PlayerLike] = [lowest, any_of, "level:1"]
    one, two = (evenodds.run_arena(GAME, players, matches=10, seed=5) for _ in range(2))
    assert [pair.sampled for pair in one.pairs] == [pair.sampled for pair in two.pairs]


def test_a_function_is_asked_again_at_the_same_position() -> None:
    report = evenodds.run_arena(GAME, [by_chance, "high"], matches=200)
    score = report.score("by_chance", "high")
    assert score not in (None, 0.0, 0.5, 1.0)


@pytest.mark.processes
def test_programs_play_too() -> None:
    bot = f"cmd:python3 {ROOT / 'examples' / 'bots' / 'bot.py'}"
    report = evenodds.run_arena(GAME, {"bot": bot, "random": "random"}, matches=2)
    assert [row.forfeits for row in report.standings] == [{}, {}]


@pytest.mark.processes
def test_all_arenas_of_a_program_share_one_count_of_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many there are, and however many processes the machine could play them in."""
    monkeypatch.setenv("EVENODDS_LLM_REQUESTS", "7")
    process_budget.cache_clear()
    with models.service() as service:
        service.will(lambda handler: says(f"PICK: {legal(service.last)[0]}")(handler))
        for _ in range(2):
            with pytest.raises(ArenaStopped, match="the 7 requests of this run are used up"):
                evenodds.run_arena(GAME, [service.name, "random"], matches=20)
        with pytest.raises(ArenaStopped, match="the 7 requests of this run are used up"):
            evenodds.run_benchmark(service.name, games=SMALL_GAME, matches=20)
        assert len(service.asked) == 7
    process_budget.cache_clear()


def test_a_card_has_a_line_for_each_game_and_opponent() -> None:
    def first_open(state: Any, seat: int) -> int:
        game = next(one for one in games if type(one.start(one.rulings())) is type(state))
        return game.picks(state, seat)[0]

    names = [SMALL_GAME, TURN_GAME]
    games = [evenodds.get(name) for name in names]
    card = evenodds.run_benchmark(first_open, games=names, matches=2)
    assert card.player == "first_open"
    assert list(card.games) == names
    assert [pair.two for pair in card.games[SMALL_GAME].scores][::4] == ["random", "perfect"]
    assert "first_open" in card.markdown


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: evenodds.run_arena("duel", ["random"]), evenodds.BadPlan, "2 to 32 players"),
        (lambda: evenodds.run_arena("duel", "high"), evenodds.BadPlan, "players, not 1"),
        (lambda: evenodds.make_policy("duel", "reader"), evenodds.UnknownPlayer, "depends on more"),
        (lambda: evenodds.run_arena("duel", ["a", "b"]), evenodds.UnknownPlayer, 'called "a"'),
        (
            lambda: evenodds.run_arena("duel", ["high", "random"], matches=3),
            evenodds.BadPlan,
            "matches=3 is not allowed",
        ),
        (
            lambda: evenodds.run_arena("duel", cast(Any, [3, "high"])),
            evenodds.BadPolicy,
            "3 is not a policy",
        ),
        (
            lambda: evenodds.run_arena("duel", {"high": lowest, "random": "random"}),
            evenodds.BadPlan,
            'there is a player "high" already; give yours another name',
        ),
        (
            lambda: evenodds.run_arena("duel", [lambda state, seat: 99, "high"], matches=2),
            evenodds.BadPolicy,
            "99 is not one of 1, 2, 3 at",
        ),
        (lambda: evenodds.run_benchmark("high", matches=0), evenodds.BadPlan, "two matches"),
        (
            lambda: evenodds.run_benchmark("high", games=evenodds.game("duel", hp=3)),
            evenodds.BadPlan,
            "card of duel is played under its usual rulings",
        ),
        *(
            (
                lambda option=option: evenodds.run_arena("duel", ["high", "random"], **option),
                evenodds.BadPlan,
                f"{next(iter(option))}=.* is not allowed",
            )
            for option in WRONG_OPTIONS
        ),
        (
            lambda: evenodds.run_arena("duel", cast(Any, {3: "random", "a": "high"})),
            evenodds.UnknownPlayer,
            "3 is not a name",
        ),
        (
            lambda: evenodds.game("duel", cast(Any, 3)),
            evenodds.BadRuling,
            "a mapping of keys to values, not 3",
        ),
        (
            lambda: evenodds.agree("duel", cast(Any, 3)),
            evenodds.BadRuling,
            "a mapping of keys to values, not 3",
        ),
        (lambda: evenodds.run_benchmark("a"), evenodds.UnknownPlayer, 'called "a"'),
        (
            lambda: evenodds.make_player("level:4", Match("duel"), 1, seconds=-1),
            evenodds.BadTerms,
            "seconds=-1 is not allowed; allowed: above 0, up to 86400",
        ),
        (lambda: Match("duel").view(2), evenodds.BadSeat, "2 is not a seat"),
        (lambda: evenodds.game(ARRAY), evenodds.UnknownGame, "there is no game called"),
        (lambda: Match("duel", ARRAY), evenodds.BadRuling, "a mapping of keys to values"),
        (lambda: Match("duel").choices(ARRAY), evenodds.BadSeat, "is not a seat"),
        (lambda: evenodds.run_benchmark(ARRAY), evenodds.BadPolicy, "is not a policy"),
        (
            lambda: evenodds.run_arena("duel", cast(Any, lowest)),
            evenodds.UnknownPlayer,
            "players=.* is not allowed; allowed: a list or a mapping of players",
        ),
        (
            lambda: evenodds.run_benchmark("high", games=cast(Any, 5)),
            evenodds.BadPlan,
            "games=5 is not allowed; allowed: a game or a list of games",
        ),
        (
            lambda: evenodds.make_player("level:4", cast(Any, "duel"), 1),
            evenodds.BadTerms,
            "match=duel is not allowed; allowed: a Match",
        ),
        (
            lambda: evenodds.make_player("level:4", Match("duel"), 1, seed=cast(Any, [1])),
            evenodds.BadTerms,
            r"seed=\[1\] is not allowed; allowed: whole numbers",
        ),
        (
            lambda: evenodds.notation.parse(cast(Any, b"[Game]")),
            evenodds.EvenOddsError,
            "line 1, column 1: a match in notation is text, not bytes",
        ),
        (
            lambda: evenodds.make_player("level:4", Match("duel"), 2),
            evenodds.BadSeat,
            r"2 is not a seat; it is FIRST \(0\) or SECOND \(1\)",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    call: Any, error: type[evenodds.EvenOddsError], said: str
) -> None:
    with pytest.raises(error, match=said) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_a_card_takes_one_game_without_a_list() -> None:
    game = evenodds.game(SMALL_GAME)
    card = evenodds.run_benchmark(
        lambda state, seat: game.picks(state, seat)[0], games=game, matches=2
    )
    assert list(card.games) == [SMALL_GAME]


def test_players_with_names_are_policies() -> None:
    perfect, level = (evenodds.make_policy(GAME, name) for name in ("perfect", "level:4"))
    assert evenodds.exploitability(GAME, perfect) == pytest.approx(0, abs=1e-9)
    arena = evenodds.run_arena(GAME, ["perfect", "level:4"], matches=0)
    both = evenodds.odds(GAME, perfect, level).score, evenodds.odds(GAME, level, perfect).score
    assert arena.score("perfect", "level:4") == pytest.approx((both[0] + 1 - both[1]) / 2)


def test_a_seed_of_numpy_is_a_seed() -> None:
    uniform = evenodds.Uniform("duel")
    kinds: tuple[Any, Any] = (int, np.int64)
    plain, numpy = (
        evenodds.simulate("duel", uniform, uniform, matches=number(10), seed=number(7))
        for number in kinds
    )
    assert plain == numpy
    players = [
        evenodds.make_player("random", Match("duel"), FIRST, seed=number(7)) for number in kinds
    ]
    view = Match("duel").view(FIRST)
    assert len({tuple(player.pick(view) for _ in range(20)) for player in players}) == 1


def test_a_match_is_played_by_players(solution: Solution) -> None:
    for one, two in (("level:4", lowest), (solution, "copy")):
        match = Match(GAME)
        players = [
            evenodds.make_player(one, match, FIRST, seed=1),
            evenodds.make_player(two, match, SECOND, seed=2),
        ]
        while not match.result:
            for seat in match.waiting():
                match.pick(seat, players[seat].pick(match.view(seat)))
        assert match.result.reason == "rules"


@pytest.mark.long
def test_a_study_is_data_and_a_page(tmp_path: Path) -> None:
    """The figures, the promises and the readings of the command, and its page."""
    report = evenodds.run_study(GAME)
    assert report.study.size.positions == 321
    assert report.promises
    evenodds.write_study_page(report, tmp_path / "study.html")
    assert "Number Clash: Five Rounds" in (tmp_path / "study.html").read_text()


@pytest.mark.long
def test_a_game_that_no_package_offers_is_studied_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "_ADDED", {})
    own = catalog.get(TURN_GAME)._replace(name="mine", title="Mine")
    game = evenodds.game(own, numbers=4)
    report = evenodds.run_study(game)
    assert report.study.game == "mine"
    evenodds.write_study_page(report, tmp_path / "page.html")
    assert "Mine" in (tmp_path / "page.html").read_text()
    assert evenodds.run_arena(game, ["random", "high"], matches=4).standings
    assert own not in evenodds.list_games()


def test_a_game_of_ones_own_does_not_pass_for_another() -> None:
    """Its study would have the figures of the game that had the name before."""
    own = catalog.get(TURN_GAME)._replace(title="Mine")
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
    score = caught.value.report.score("impatient", "random")
    assert score is not None
    assert 0 <= score <= 1
