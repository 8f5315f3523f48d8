"""The measures of a study: each against every line of play of small games, or a second formula."""

import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec import convert

import evenodds
from evenodds import FIRST, SECOND, Outcome, simulate
from evenodds.claims import checks
from evenodds.engine.solve import solve_settled
from tests.support import studies
from tests.support.commands import evenodds_here
from tests.support.exact import response_by_history
from tests.support.examples import example
from tests.support.game_data import WITH_DATA, cases, data_of
from tests.support.lines_of_play import Line, Way, chance, highest, lines, result
from tests.support.paths import ROOT
from tests.support.play import SEATS, is_open, pairs
from tests.support.toll import TOLL

pytestmark = pytest.mark.long

REPETITION = 3
"""How often a position comes up before a match is drawn."""


@pytest.fixture(
    scope="module",
    params=cases("measured"),
    ids=lambda param: f"{param[0]}-{'-'.join(map(str, param[1].values()))}",
)
def solved(request: pytest.FixtureRequest) -> studies.SolvedGame:
    name, given = request.param
    return studies.solved_game(name, **given)


@cache
def played(solved: studies.SolvedGame, first: str, second: str) -> list[Line]:
    def way(name: str) -> Way:
        if name == studies.RANDOM_POLICY:
            return chance(solved.game)
        if name == studies.HIGHEST_POLICY:
            return highest(solved.game)
        if name == studies.PERFECT_POLICY:
            return solved.solution.mix
        return studies.level_policy(solved.game, solved.solution, int(name[-1]))

    return list(lines(solved.game, solved.rulings, way(first), way(second)))


def shares(solved: studies.SolvedGame, way: str) -> tuple[Any, Any]:
    return solved.shares(way, FIRST), solved.shares(way, SECOND)


def worth(solved: studies.SolvedGame, line: Line) -> list[float]:
    return [solved.solution.value(state) for state in line.states]


@pytest.mark.long
def test_sizes_are_counted(solved: studies.SolvedGame) -> None:
    found = studies.game_size_of(solved)
    every = played(solved, studies.RANDOM_POLICY, studies.RANDOM_POLICY)
    seen = {state for line in every for state in line.states[:-1]}
    assert found.positions == len(seen)
    assert found.decisions == sum(
        len(solved.game.picks(state, seat)) > 1 for state in seen for seat in SEATS
    )
    assert found.lines == len(every)
    assert found.shortest == min(len(line.picks) for line in every)
    assert found.longest == max(len(line.picks) for line in every)
    for place, branching in enumerate(found.branching):
        picking = choices = 0.0
        for line in every:
            for seat in SEATS:
                if len(line.picks) <= place:
                    continue
                open_to = solved.game.picks(line.states[place], seat)
                if open_to != (evenodds.PASS,):
                    picking += line.share
                    choices += line.share * len(open_to)
        assert branching == pytest.approx(choices / picking)


@pytest.mark.long
def test_lines_beyond_what_is_told_one_by_one_are_known_by_their_size() -> None:
    game, rulings = evenodds.game("duel", hp=30)

    @cache
    def count(state: Any) -> int:
        if not is_open(game, state):
            return 1
        return sum(count(game.step(state, pair)) for pair in pairs(game, state))

    whole = count(game.start(rulings))
    assert whole > 2**64
    assert studies.game_size_of(studies.SolvedGame(game, rulings)).lines == pytest.approx(whole)


@pytest.mark.long
@pytest.mark.parametrize(
    "way",
    [studies.RANDOM_POLICY, studies.MIDDLE_LEVEL, studies.PERFECT_POLICY, studies.HIGHEST_POLICY],
)
def test_odds_and_lengths_are_those_of_all_lines(solved: studies.SolvedGame, way: str) -> None:
    odds = solved.odds_between(*shares(solved, way))
    every = played(solved, way, way)
    outcomes = dict.fromkeys(Outcome, 0.0)
    endings: dict[str, float] = dict.fromkeys(odds.endings, 0.0)
    rounds = np.zeros(30)
    for line in every:
        outcomes[solved.game.outcome(line.states[-1])] += line.share
        endings[solved.game.ending(line.states[-1]).name] += line.share
        rounds[len(line.picks) - 1] += line.share
    assert odds.first == pytest.approx(outcomes[Outcome.FIRST_WINS], abs=1e-12)
    assert odds.draw == pytest.approx(outcomes[Outcome.DRAW], abs=1e-12)
    assert odds.second == pytest.approx(outcomes[Outcome.SECOND_WINS], abs=1e-12)
    assert odds.first + odds.draw + odds.second == pytest.approx(1, abs=1e-12)
    assert odds.endings == pytest.approx(endings, abs=1e-12)
    assert sum(odds.endings.values()) == pytest.approx(1, abs=1e-12)
    assert odds.length == pytest.approx(sum(rounds * np.arange(1, 31)), abs=1e-12)
    found = studies.length_distribution_of(solved, *shares(solved, way))
    assert found.longer == 0
    assert found.shares == pytest.approx(rounds[: len(found.shares)], abs=1e-12)


HABITS: dict[str, Callable[[Any], Way]] = {
    studies.RANDOM_POLICY: chance,
    studies.HIGHEST_POLICY: highest,
}


@pytest.mark.long
def test_habits_cost_what_all_lines_say(solved: studies.SolvedGame) -> None:
    check_habits(solved)


@pytest.mark.parametrize("rules", [{"target": 4, "numbers": 2}, {"target": 3, "numbers": 3}])
def test_habits_in_a_game_with_loops_count_the_draw_by_repetition(rules: dict[str, int]) -> None:
    solved = studies.solved_game("factors", **rules)
    assert solved.repetition == REPETITION
    check_habits(solved)
    chances = studies.choice_metrics_of(solved).habits[studies.RANDOM_POLICY]
    assert chances.perfect == pytest.approx(
        1 - studies.skill_metrics_of(solved).perfect_score, abs=1e-12
    )


def check_habits(solved: studies.SolvedGame) -> None:
    found = studies.choice_metrics_of(solved).habits
    game, perfect = solved.game, solved.solution.mix
    for name, habit in HABITS.items():
        first = lines(game, solved.rulings, habit(game), perfect, REPETITION)
        second = lines(game, solved.rulings, perfect, habit(game), REPETITION)
        score = 0.5 + sum(line.share * result(game, line) for line in first) / 4
        score -= sum(line.share * result(game, line) for line in second) / 4
        assert found[name].perfect == pytest.approx(score, abs=1e-9), name
        start = game.start(solved.rulings)
        gains = [response_by_history(game, start, seat, habit(game), REPETITION) for seat in SEATS]
        kept = 0.5 - sum(gains) / 4
        assert found[name].best_opponent == pytest.approx(kept, abs=1e-9), name


@pytest.mark.long
def test_choices_are_those_of_every_matrix(solved: studies.SolvedGame) -> None:
    solution, game = solved.solution, solved.game
    seen = {
        state
        for line in played(solved, studies.RANDOM_POLICY, studies.RANDOM_POLICY)
        for state in line.states[:-1]
    }
    decisions = idle = single = opened = dominated = 0
    at_start: dict[str, list[int]] = {}
    for state in seen:
        payoff = np.array(solution.matrix(state).payoff)
        for seat in SEATS:
            choices = game.picks(state, seat)
            if len(choices) < 2:
                continue
            rows = payoff if seat == FIRST else -payoff.T
            decisions += 1
            opened += len(choices)
            idle += all(np.allclose(row, rows[0], atol=1e-9) for row in rows)
            yields = solution.pick_values(state, seat)
            best = max(yields.values())
            single += sum(best - worth <= 1e-9 for worth in yields.values()) == 1
            worse = [
                number
                for number, one in zip(choices, rows, strict=True)
                if any((two - one >= -1e-9).all() and (two - one > 1e-9).any() for two in rows)
            ]
            dominated += len(worse)
            if state == game.start(solved.rulings):
                at_start["first" if seat == FIRST else "second"] = worse
    found = studies.choice_metrics_of(solved)
    assert found.idle == pytest.approx(idle / decisions if decisions else None)
    assert found.single == pytest.approx(single / decisions if decisions else None)
    assert found.dominated == pytest.approx(dominated / opened if opened else None)
    assert found.dominated_first == at_start


@pytest.mark.long
def test_use_by_round_is_that_of_perfect_play(solved: studies.SolvedGame) -> None:
    picked: dict[tuple[int, int], float] = {}
    opened: dict[tuple[int, int], float] = {}
    for line in played(solved, studies.PERFECT_POLICY, studies.PERFECT_POLICY):
        for place, (state, picks) in enumerate(zip(line.states, line.picks, strict=False)):
            for seat in SEATS:
                for number in solved.game.picks(state, seat):
                    if number:
                        at = (place, number)
                        opened[at] = opened.get(at, 0.0) + line.share
                        picked[at] = picked.get(at, 0.0) + line.share * (picks[seat] == number)
    for (place, number), total in opened.items():
        use = studies.choice_metrics_of(solved).use[place]
        assert use[number] == pytest.approx(picked[place, number] / total, abs=1e-9)


def drama(values: list[float]) -> tuple[int, int, bool]:
    """How often the lead changes in a line, how long it is open, whether the winner came back."""
    sides = [0 if abs(value) <= 1e-9 else (1 if value > 0 else -1) for value in values]
    leaders = [side for side in sides if side]
    settled = len(sides) - 1
    while settled and sides[settled - 1] == sides[-1]:
        settled -= 1
    behind = any(sides[-1] * value <= -0.5 + 1e-9 for value in values[:-1])
    return sum(a != b for a, b in pairwise(leaders)), settled, sides[-1] != 0 and behind


@pytest.mark.long
@pytest.mark.parametrize(
    "way", [studies.RANDOM_POLICY, studies.MIDDLE_LEVEL, studies.PERFECT_POLICY]
)
def test_drama_is_that_of_all_lines(solved: studies.SolvedGame, way: str) -> None:
    changes = late = comebacks = 0.0
    for line in played(solved, way, way):
        counts = drama(worth(solved, line))
        changes, late = changes + line.share * counts[0], late + line.share * counts[1]
        comebacks += line.share * counts[2]
    found = studies.drama_of(solved, *shares(solved, way))
    assert found is not None
    assert found.changes == pytest.approx(changes, abs=1e-9)
    assert found.open == pytest.approx(late, abs=1e-9)
    assert found.comebacks == pytest.approx(comebacks, abs=1e-9)


def test_score_values_are_averages_over_chance() -> None:
    solved = studies.solved_game("underdog", numbers=4, target=3)
    mass: dict[tuple[int, int], float] = {}
    total: dict[tuple[int, int], float] = {}
    for line in played(solved, studies.RANDOM_POLICY, studies.RANDOM_POLICY):
        for state, value in zip(line.states[:-1], worth(solved, line), strict=False):
            mass[state.scores] = mass.get(state.scores, 0.0) + line.share
            total[state.scores] = total.get(state.scores, 0.0) + line.share * (1 + value) / 2
    (found,) = studies.score_values_of(solved)
    assert (found.name, found.steps) == ("scores", [0, 1, 2])
    for (one, two), weight in mass.items():
        assert found.scores[one][two] == pytest.approx(total[one, two] / weight, abs=1e-9)


def test_a_pair_that_never_changes_has_no_score_values() -> None:
    assert studies.score_values_of(studies.solved_game("circle", numbers=6)) == []
    (found,) = studies.score_values_of(studies.solved_game("circle", numbers=6, leaps=1))
    assert (found.name, found.steps) == ("leaps", [0, 1])


@pytest.mark.long
@pytest.mark.parametrize("game", WITH_DATA, ids=lambda game: game.name)
def test_the_ladder_is_the_one_of_the_players(game: Any) -> None:
    ruled = evenodds.game(game, data_of(game).policies[0])
    ladder = studies.skill_metrics_of(studies.SolvedGame(*ruled))
    standings = studies.strengths(*ruled).levels
    for level, standing in zip(ladder.comparisons, standings[1:], strict=True):
        assert level.score == pytest.approx(standing.below, abs=1e-9), level.name
    assert ladder.perfect_score == pytest.approx(standings[-1].random, abs=1e-9)


def test_the_span_of_a_ladder_is_its_highest_level_against_its_lowest() -> None:
    skill = studies.skill_metrics_of(studies.solved_game("circle", numbers=6, leaps=1))
    up, down = skill.pairs["level:8 level:1"], skill.pairs["level:1 level:8"]
    assert skill.span is not None
    assert skill.span.score == pytest.approx((up.score + 1 - down.score) / 2)
    assert skill.span.score > max(level.score for level in skill.comparisons)
    assert skill._replace(comparisons=[]).span is None


def test_so_many_matches_tell_two_players_apart() -> None:
    won, drawn = 0.5, 0.2
    needed = studies.matches_needed(won, drawn)
    assert needed is not None
    chance = Random(1)
    tries = 2000
    ahead = 0
    for _ in range(tries):
        points = chance.choices((1.0, 0.5, 0.0), (won, drawn, 1 - won - drawn), k=needed)
        ahead += sum(points) > needed / 2
    assert abs(ahead / tries - 0.95) < 4 * sqrt(0.05 * 0.95 / tries)
    assert studies.matches_needed(1 - won - drawn, drawn) == needed  # whichever of them is better
    assert studies.matches_needed(0.3, 0.4) is None
    assert studies.matches_needed(1.0, 0.0) == 1


@pytest.mark.xdist_group("compiled")
def test_a_game_with_loops_agrees_with_sampling() -> None:
    ruled = evenodds.game("factors", target=8, numbers=4)
    study = studies.compute_study(studies.SolvedGame(*ruled))
    play = study.plays[studies.RANDOM_POLICY]
    matches = 200_000
    sampled = simulate(ruled, matches=matches, seed=3, repetition=0)
    assert play.played_on is not None
    assert play.played_on.endless == play.endless == 0
    assert abs(sampled.first / matches - play.played_on.first) < 5 * sqrt(0.25 / matches)
    assert play.lengths is not None
    for rounds, count in sampled.lengths.items():
        share = play.lengths.shares[rounds - 1]
        assert abs(count / matches - share) < 5 * sqrt(share / matches) + 1e-5
    assert study.size.lines is None
    assert study.size.longest is None
    repeated = simulate(ruled, matches=matches, seed=4, repetition=3)
    drawn = repeated.endings.get("REPETITION", 0) / matches
    assert play.odds.endings["REPETITION"] == play.odds.draw
    assert abs(drawn - play.odds.draw) < 5 * sqrt(play.odds.draw / matches) + 1e-5
    assert abs(repeated.first / matches - play.odds.first) < 5 * sqrt(0.25 / matches)


@pytest.mark.xdist_group("compiled")
def test_drama_with_loops_agrees_with_matches_drawn_by_lot() -> None:
    game, rulings = evenodds.game("factors", target=8, numbers=4)
    solved = studies.SolvedGame(game, rulings)
    found = studies.drama_of(solved, *shares(solved, studies.RANDOM_POLICY))
    assert found is not None
    dice = Random(5)
    count = 4000
    changes, late, comebacks = [], [], 0
    for _ in range(count):
        states = [game.start(rulings)]
        while is_open(game, states[-1]):
            states.append(game.step(states[-1], dice.choice(pairs(game, states[-1]))))
        counts = drama([solved.solution.value(state) for state in states])
        changes.append(counts[0])
        late.append(counts[1])
        comebacks += counts[2]
    for told, seen in ((found.changes, changes), (found.open, late)):
        assert abs(np.mean(seen) - told) < 5 * np.std(seen) / sqrt(count)
    assert abs(comebacks / count - found.comebacks) < 5 * sqrt(0.25 / count)


def test_a_study_is_found_once_and_kept() -> None:
    game, rulings = evenodds.game("duel", {"hp": 5})
    first = studies.study_of(game, rulings)
    assert studies.study_of(game, rulings) == first
    assert convert(json.loads(json.dumps(first)), studies.Study, str_keys=True) == first
    assert first.value == solve_settled(game, rulings).value(game.start(rulings))


def test_lines_of_different_length_may_meet() -> None:
    heaps = {"first": 0, "second": 1, "third": 2}
    size = studies.study_of(*evenodds.game(example("nim"), heaps)).size
    assert (size.shortest, size.longest) == (2, 3)


def test_a_game_with_draws_is_studied() -> None:
    size = studies.study_of(*evenodds.game(example("goofspiel"), cards=2)).size
    assert size.lines == 2 * 4  # which prize comes first, and both cards of both
    assert (size.shortest, size.longest) == (2, 2)


def test_a_game_about_points_is_told_in_points() -> None:
    rulings = TOLL.rulings(unit=2)
    solved = studies.SolvedGame(TOLL, rulings)
    study = studies.compute_study(solved)
    # A toll of 1 unit, then a draw worth 2. Random picks pay 1.5; against them a dare is worth 2,
    # and who picks at random dares half the time: (3.5 - 1.5) / 2 units are gained by skill.
    assert study.points == studies.PointFigures(span=24, value=6, gain=2)
    assert (study.value, study.opening.losses[1]) == (0.5, {1: 0, 2: pytest.approx(1 / 6)})
    assert study.skill.perfect_score == pytest.approx(0.5 + 2 / 24)
    assert (study.drama, study.score_values, study.perfect.first) == (None, [], 0.75)
    assert set(study.outcomes) == {"first", "draw", "second"}
    facts = studies.solved_facts(TOLL, rulings, study, lambda: solved)
    told = {name: check(facts).evidence for name, check in checks.READY.items()}
    assert told["fair"] == "With best play the first player gains 6 points."
    assert told["no_draws"].startswith("25% of matches between random players have no winner")
    said = studies.QUESTIONS[0].check(facts).evidence
    assert said == "It is not fair: with best play the first player gains 6 points."


def test_the_study_of_a_game_about_points_has_a_page(home: Path, tmp_path: Path) -> None:
    page = tmp_path / "goofspiel.html"
    typed = f"study {ROOT}/examples/games/goofspiel.py cards=2 score=points -o {page}"
    done = evenodds_here(*typed.split(), home=home)
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert "points a match" in text
    assert "This game is about points" in text
    assert "Lead changes" not in text.partition("What these words mean")[0]
