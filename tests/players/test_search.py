"""The opponent who looks ahead: legal, repeatable, sharp in turns, near best mixes in rounds."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, PASS, SECOND, Match, Solution, UnknownPlayer, make_player
from evenodds.engine.solution import payoff_rows
from tests.support.examples import LARGE_GAME, LOOPING_GAME
from tests.support.opponents import SearchPlayer, SearchTree, limit_of
from tests.support.play import SEATS, by_chance, by_players, is_open, play
from tests.support.strategies import GAMES


def searcher(match: Match, seat: int, limit: str, seed: int = 1) -> SearchPlayer:
    return SearchPlayer(match.terms, seat, Random(seed), limit_of(limit))


def after_turns(match: Match) -> dict[int, Any]:
    seat = match.state.turn
    return {
        number: match.game.step(match.state, (number, PASS) if seat == FIRST else (PASS, number))
        for number in match.choices(seat)
    }


def met_by_chance(name: str, given: dict[str, Any], seed: int) -> Iterator[Match]:
    """Positions of a game of turns in which there is a choice, one from each random match."""
    chance = Random(seed)
    while True:
        line = play(Match(name, given), by_chance(chance)).history
        match = Match(name, given)
        for picks in line[: chance.randrange(len(line))]:
            match.play(picks)
        if len(match.choices(match.state.turn)) > 1:
            yield match


def given_away(solution: Solution, mix: dict[int, float], seat: int = FIRST) -> float:
    """How much less than the value of the start a mix is sure of, against every reply."""
    rows = payoff_rows(solution.matrix(solution.start), seat)
    replies = range(len(rows[min(rows)]))
    sure = min(sum(mix.get(own, 0.0) * row[one] for own, row in rows.items()) for one in replies)
    return float((1 if seat == FIRST else -1) * solution.value(solution.start) - sure)


def test_another_seed_may_pick_otherwise() -> None:
    match = Match("underdog")
    assert len({searcher(match, FIRST, "50", n).pick(match.view(FIRST)) for n in range(8)}) > 1


SEARCHED = [("circle", {"numbers": 10, "reach": 2}), ("factors", {"target": 15})]


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "given"), SEARCHED)
@pytest.mark.parametrize("limit", ["1", "200", "0.001s"])
def test_it_takes_a_win_in_one_pick(name: str, given: dict[str, Any], limit: str) -> None:
    found = 0
    for match in met_by_chance(name, given, 3):
        seat, after = match.state.turn, after_turns(match)
        wins = [number for number, state in after.items() if not is_open(match.game, state)]
        if 0 < len(wins) < len(after):
            assert searcher(match, seat, limit).pick(match.view(seat)) in wins
            found += 1
        if found == 10:
            break


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "given"), SEARCHED)
def test_it_gives_nothing_away_in_turns(name: str, given: dict[str, Any]) -> None:
    solution = evenodds.solve(evenodds.game(name, given))
    found = 0
    for match in met_by_chance(name, given, 5):
        seat = match.state.turn
        worth = {number: solution.value(state) for number, state in after_turns(match).items()}
        if len(set(worth.values())) > 1:
            number = searcher(match, seat, "400").pick(match.view(seat))
            assert worth[number] == solution.value(match.state)
            found += 1
        if found == 4:
            break


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("name", "given", "small"),
    [("duel", {"hp": 4}, 0.001), ("margin", {}, 0.08), ("underdog", {"numbers": 4}, 0.04)],
)
def test_mixes_approach_best_play(name: str, given: dict[str, Any], small: float) -> None:
    solution = evenodds.solve(evenodds.game(name, given))
    match = Match(name, given)
    for seat in SEATS:
        few, many = (
            given_away(solution, searcher(match, seat, limit).mix(match.view(seat)), seat)
            for limit in ("200", "3000")
        )
        assert -1e-9 < many < small
        assert many < few / 2


@pytest.mark.long
@pytest.mark.no_cover
def test_it_beats_chance_where_no_solver_comes() -> None:
    score = 0.0
    for seed in range(12):
        match, seat = Match("underdog", {"numbers": 14}), seed % 2
        names = ("search:100", "random")[:: 1 if seat == FIRST else -1]
        players = [make_player(match, one, name, seed=seed) for one, name in enumerate(names)]
        result = play(match, by_players(players)).result
        assert result is not None
        score += (1 + result.outcome * (1 if seat == FIRST else -1)) / 2
    assert score >= 9


def test_an_only_number_needs_no_search() -> None:
    match = Match("circle", {"numbers": 4})
    match.play((1, PASS))
    match.play((PASS, 2))
    chance = Random(1)
    before = chance.getstate()
    player = SearchPlayer(match.terms, FIRST, chance, limit_of("600s"))
    assert player.pick(match.view(FIRST)) == 3
    assert chance.getstate() == before


def test_whoever_has_nothing_to_decide_passes() -> None:
    match = Match("circle")
    assert searcher(match, SECOND, "5").mix(match.view(SECOND)) == {PASS: 1.0}


def test_what_is_proven_needs_no_more_search() -> None:
    match = Match("circle", {"numbers": 8, "reach": 2})
    match.play((1, PASS))
    assert searcher(match, SECOND, "600s").pick(match.view(SECOND)) in match.choices(SECOND)


@pytest.mark.parametrize("limit", ["0.02s", "0.000000001s"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_time_limit_ends(game: Any, limit: str) -> None:
    match = Match(game)
    for seat in match.waiting():
        assert searcher(match, seat, limit).pick(match.view(seat)) in match.choices(seat)


@pytest.mark.parametrize("limit", ["", ":1", ":10000000", ":0.5s", ":1s", ":600s", ":0.001s"])
def test_playouts_and_seconds_are_limits(limit: str) -> None:
    make_player(Match("duel"), FIRST, f"search{limit}")


@pytest.mark.parametrize(
    "text",
    [
        *("0", "x", "-1", "+1", "1e3", "١٠", " 5", "5\n", "2000.5", "1_000", "10000001"),
        *("0s", "0.0s", "700s", "600.1s", "s", ".s", "-1s", "1e3s", "1.2.3s", "١s", "5 s", "infs"),
        *("nans", "9" * 400 + "s", "2000:5", "5S"),
    ],
)
def test_nothing_else_is_a_limit(text: str) -> None:
    with pytest.raises(UnknownPlayer, match="is not allowed; allowed: search:1 to search:10000000"):
        make_player(Match("duel"), FIRST, f"search:{text}")


@pytest.mark.parametrize("max_nodes", [100_000, 600])
def test_what_was_found_is_kept_for_the_next_pick(max_nodes: int) -> None:
    match = Match("underdog", {"numbers": 6})
    grown = SearchTree(match.game, Random(1), max_nodes)
    root = grown.root(match.state)
    for _ in range(500):
        grown.run_playout(root)
    held = len(grown)
    match.play((3, 4))
    assert grown.root(match.state).visits > 0
    assert (len(grown) == held) == (held <= max_nodes // 2)


@pytest.mark.parametrize("name", [LARGE_GAME, LOOPING_GAME])
def test_the_tree_stays_within_its_bounds(name: str) -> None:
    match, chance = Match(name), Random(2)
    grown = SearchTree(match.game, Random(1), max_nodes=100)
    for _ in range(4):
        root = grown.root(match.state)
        assert len(grown) <= 60
        for _ in range(150):
            grown.run_playout(root)
        assert len(grown) == 100
        play(match, by_chance(chance), 1)

    def by_search(match: Match, seat: int) -> int:
        root = grown.root(match.state)
        grown.run_playout(root)
        return max(root.mix(seat))

    assert play(match, by_search).result is not None


def test_endless_play_is_a_draw() -> None:
    match = Match("factors", {"numbers": 1})
    grown = SearchTree(match.game, Random(1))
    root = grown.root(match.state)
    for _ in range(20):
        grown.run_playout(root)
    assert root.visits == 20
    assert (root.value, root.proven) == (0.0, False)
