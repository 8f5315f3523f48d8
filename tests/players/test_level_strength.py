"""How strong the levels are: exact, pinned, and against sampling."""

import io
import json
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import FIRST, SEATS, Outcome, alone
from evenodds.graph.position_index import position_index_of
from evenodds.players import policy_scores
from evenodds.players.exact import level_policy
from evenodds.players.level_strength import below_half, strengths
from evenodds.players.levels import Strengths
from evenodds.policy import Uniform
from evenodds.policy.match_odds import odds_on
from evenodds.policy.responses import respond_on
from evenodds.policy.softmax import SoftmaxPolicy
from evenodds.study.pages.report_page import render_report
from evenodds.study.study import study_of
from evenodds.study.wording.verdict import verdict_answers
from evenodds.terminal.reports.players import show
from evenodds.terminal.screen import Screen
from tests.support.commands import evenodds_here as command
from tests.support.game_data import cases


@pytest.mark.long
@pytest.mark.parametrize(("name", "step", "room"), cases("even_levels"))
def test_each_level_is_a_step_above_the_one_below(name: str, step: float, room: float) -> None:
    """Nearly the same step everywhere; each gives the best opponent less; the last is perfect."""
    game = evenodds.get(name)
    found = strengths(game, game.rulings())
    for below, standing in zip(found.levels, found.levels[1:], strict=False):
        assert standing.below == pytest.approx(step, abs=0.004)
        assert standing.random > below.random
        assert standing.perfect > below.perfect
        assert standing.best_opponent < below.best_opponent
        assert standing.played_on is None
    assert found.perfect_score == pytest.approx(room, abs=0.0001)
    assert found.levels[-1].perfect == pytest.approx(0.5)
    assert found.levels[-1].best_opponent == pytest.approx(0.5)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "given"), cases("levels"))
def test_a_level_beats_the_one_below_and_gives_the_best_opponent_less(
    name: str, given: dict[str, Any]
) -> None:
    """Under any rulings; in a game with loops when it is played on to its end."""
    game = evenodds.get(name)
    found = strengths(game, game.settle(given))
    for below, standing in pairwise(found.levels):
        score = standing.below if standing.played_on is None else standing.played_on
        assert score is not None
        assert score >= 0.5 - 1e-12
        assert standing.perfect >= below.perfect - 1e-12
        assert standing.best_opponent <= below.best_opponent + 1e-12
    assert found.levels[0].best_opponent > found.levels[-1].best_opponent + 1e-6
    assert found.levels[-1].best_opponent == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("name", sorted(catalog.built_in()))
def test_nothing_can_be_taken_from_perfect_play_of_a_rule_book(name: str) -> None:
    """Under the default rulings, by the exact best responses that come with the package."""
    game = evenodds.get(name)
    perfect = strengths(game, game.rulings()).levels[-1]
    assert perfect.best_opponent == pytest.approx(0.5, abs=1e-9)
    assert perfect.perfect == pytest.approx(0.5, abs=1e-9)


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
def test_the_levels_of_factors_differ_by_the_same_score() -> None:
    """Pinned: each beats the one below by as much, though strong ones often draw by repetition."""
    game = evenodds.get("factors")
    found = strengths(game, game.rulings())
    assert found.repetition == DEFAULT_REPETITION
    assert found.value == 0
    for below, standing in pairwise(found.levels):
        assert standing.random > below.random
        assert standing.below == pytest.approx(0.645, abs=0.004)
        assert standing.best_opponent < below.best_opponent
    assert [standing.drawn for standing in found.levels[1:]] == pytest.approx(
        [0.007, 0.013, 0.031, 0.075, 0.173, 0.362, 0.703], abs=0.001
    )
    assert found.perfect_score == pytest.approx(0.9923, abs=0.0001)
    assert below_half({standing.name: standing.below for standing in found.levels}) == ""


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("times", [2, 3, 5])
def test_draws_by_repetition_are_counted_exactly(times: int) -> None:
    ground = position_index_of("factors", {"target": 15}, None)
    blend = SoftmaxPolicy(evenodds.solve(evenodds.game("factors", target=15)), 0.5, 0.5)
    exact = odds_on(ground, blend, Uniform("factors"), times)
    matches = 100_000
    counts = evenodds.simulate(
        evenodds.game("factors", target=15), blend, Uniform("factors"), matches, 5, repetition=times
    )
    shares = ((exact.first, counts.first), (exact.draw, counts.draw), (exact.second, counts.second))
    for share, count in shares:
        assert abs(count - matches * share) <= 5 * sqrt(matches * share * (1 - share))
    mean = sum(rounds * count for rounds, count in counts.lengths.items()) / matches
    assert exact.length == pytest.approx(mean, rel=0.01)
    assert exact.endless == 0


def best_by_history(game: AnyGame, state: Any, seat: int, seen: tuple[Any, ...]) -> Fraction:
    """The best answer to random picks when the third time of a position is a draw."""
    outcome = game.outcome(state)
    if outcome != Outcome.ONGOING:
        return Fraction(int(outcome) * (1 if seat == FIRST else -1))
    if seen.count(state) == DEFAULT_REPETITION - 1:
        return Fraction(0)
    numbers = game.picks(state, state.turn)
    after = [game.step(state, alone(state.turn, number)) for number in numbers]
    worths = [best_by_history(game, child, seat, (*seen, state)) for child in after]
    return max(worths) if state.turn == seat else sum(worths) / Fraction(len(worths))


@pytest.mark.parametrize("given", [{"target": 3, "numbers": 2}, {"target": 4, "numbers": 3}])
def test_the_best_answer_counts_repetitions(given: dict[str, Any]) -> None:
    game = evenodds.get("factors")
    ground = position_index_of("factors", given, None)
    for seat in SEATS:
        found = respond_on(ground, Uniform(game), seat, DEFAULT_REPETITION)
        best = best_by_history(game, game.start(game.settle(given)), seat, ())
        assert found.value == pytest.approx(float(best), abs=1e-12)


@pytest.mark.long
def test_a_level_scores_what_the_table_says() -> None:
    game = evenodds.get("margin")
    solution = evenodds.solve("margin")
    matches = 100_000
    counts = evenodds.simulate(
        "margin", level_policy(game, solution, 3), evenodds.Uniform("margin"), matches, 2
    )
    score = (counts.first + counts.draw / 2) / matches
    exact = strengths(game, game.rulings()).levels[2].random
    assert abs(score - exact) < 5 * 0.5 / sqrt(matches)


@pytest.mark.xdist_group("compiled")
def test_the_table_speaks_to_people_and_programs(home: Path) -> None:
    done = command("players", "circle", home=home)
    assert "There is no room for skill" in done.stdout
    done = command("players", "duel", home=home)
    assert "against random picks. That is 90% or more: skill decides." in " ".join(
        done.stdout.split()
    )
    assert "does not always" not in done.stdout
    assert "repeat" not in done.stdout
    done = command("players", "circle", "--rule", "reach=2", "--rule", "numbers=6", home=home)
    assert "Nothing is left to chance: with best play by both whoever goes" in done.stdout
    assert "does not always score more" not in done.stdout
    done = command("players", "factors", "--rule", "target=19", home=home)
    assert "A position that comes up 3 times is a draw." in done.stdout
    assert "if repeating were" in done.stdout
    done = command("players", "factors", "--rule", "target=9", "--rule", "same=twice", home=home)
    assert "Play goes on, however often a position comes up." in done.stdout
    assert "cannot be told exactly under these rulings" in done.stdout
    data = json.loads(command("players", "duel", "--json", "--rule", "hp=4", home=home).stdout)
    assert data["rules"]["hp"] == 4
    assert [row["name"] for row in data["levels"]] == [f"level:{number}" for number in range(1, 9)]
    assert data["levels"][0]["below"] is None
    assert command("players", "--json", home=home).returncode == 2
    assert "Always picks its highest number." in command("players", home=home).stdout


def test_a_table_with_a_fallen_level_says_so_first() -> None:
    """In the terminal before all figures, on the page before the ladder, and in the verdict."""
    game = evenodds.get("duel")
    found = strengths(game, game.rulings(hp=4))
    study = study_of(game, game.rulings(hp=4))
    fallen = "Levels 3 and 5 score below 50% against the level below"

    def shown(found: Strengths) -> str:
        stream = io.StringIO()
        show(game, found, Screen(stream=stream))
        return stream.getvalue()

    assert "below 50%" not in shown(found)
    assert "below 50\N{NO-BREAK SPACE}%" not in render_report(study)
    scores = {"level:3": 0.49, "level:5": 0.4999}
    standings = [one._replace(below=scores.get(one.name, one.below)) for one in found.levels]
    told = shown(found._replace(levels=tuple(standings)))
    assert told.splitlines()[1] == f"{fallen}: 49% at the lowest."
    rungs = [one._replace(score=scores.get(one.name, one.score)) for one in study.skill.comparisons]
    study = study._replace(skill=study.skill._replace(comparisons=rungs))
    assert fallen in verdict_answers(study)[4].sentence
    page = render_report(study).replace("\N{NO-BREAK SPACE}", " ")
    ladder = page[page.index("What each level scores") :]
    assert ladder.index(fallen) < ladder.index("Score against the one below")


def test_levels_below_half_are_named() -> None:
    assert below_half({"level:1": None, "level:2": 0.5, "level:3": 0.5 - 1e-12}) == ""
    one = below_half({"level:2": 0.4, "level:3": 0.6})
    assert one == "Level 2 scores below 50% against the level below: 40% at the lowest."
    rounded = below_half({"level:2": 0.49999})
    assert rounded == "Level 2 scores below 50% against the level below: by less than 0.01%."
    some = below_half({"level:2": 0.49, "level:3": 0.45, "level:4": 0.4999})
    assert some.startswith("Levels 2, 3 and 4 score below 50% against the level below: 45%")


@pytest.mark.long
@pytest.mark.own_tables
def test_the_table_is_found_once_and_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the same rules, rulings and ladder only; cleared with the rest; damage does no harm."""
    game = evenodds.get("duel")
    settled = game.rulings(hp=4)
    found = strengths(game, settled)
    (file,) = (home / "cache").glob("*.levels")
    with monkeypatch.context() as patch:
        patch.setattr(
            policy_scores, "level_strengths_of", lambda *_: pytest.fail("it was found before")
        )
        assert strengths(game, settled) == found
        with pytest.raises(pytest.fail.Exception):
            strengths(game._replace(ladder=(9.0, *game.ladder[1:])), settled)
        with pytest.raises(pytest.fail.Exception):
            strengths(game, game.rulings(hp=5))
    for damage in ("", "{}", '{"figures": 3}', '{"figures": [[[1]], 2]}'):
        file.write_text(damage)
        assert strengths(game, settled) == found
    assert command("cache", "--clear", home=home).returncode == 0
    assert list((home / "cache").glob("*")) == []


@pytest.mark.xdist_group("compiled")
@pytest.mark.no_cover
def test_exact_figures_of_underdog_with_six_numbers() -> None:
    """Pinned, so that no change of a ladder or of the solver goes unnoticed."""
    game = evenodds.get("underdog")
    found = strengths(game, game.rulings(numbers=6))
    assert [round(standing.random, 4) for standing in found.levels] == [
        0.5154,
        0.5215,
        0.5276,
        0.5337,
        0.5399,
        0.5462,
        0.5527,
        0.5596,
    ]
