"""Ratings, intervals and the sequential test: against known truth, and against other ways."""

from collections import Counter
from itertools import combinations, product
from math import exp, log
from random import Random

import pytest

from evenodds.arena.ratings import ELO_SCALE, PRIOR_BOUTS, PairScores, fit_ratings
from evenodds.arena.sequential import ERROR_RATE, NEITHER_STRONGER, SequentialTest
from evenodds.figures import score


def expected(difference: float) -> float:
    """What a player scores who is so many points of Elo ahead."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def bout(difference: float, draws: float, chance: Random) -> float:
    """What the one of two players scores in two matches, of which so many are drawn if possible."""
    score = expected(difference)
    drawn = min(draws, 2 * score, 2 - 2 * score)
    odds = (score - drawn / 2, drawn, 1 - score - drawn / 2)
    return sum(chance.choices((1.0, 0.5, 0.0), odds, k=2)) / 2


def met(strengths: list[float], draws: float, bouts: int, chance: Random) -> PairScores:
    found = {}
    for one, two in combinations(range(len(strengths)), 2):
        ahead = strengths[one] - strengths[two]
        scores = Counter(bout(ahead, draws, chance) for _ in range(bouts))
        found[one, two] = scores
    return found


@pytest.mark.long
@pytest.mark.parametrize("draws", [0.0, 0.4, 0.9])
def test_known_strengths_are_recovered(draws: float) -> None:
    truth = [-200.0, -50.0, 0.0, 60.0, 190.0]
    chance, inside, widths = Random(3), 0, []
    for _ in range(20):
        found = fit_ratings(len(truth), met(truth, draws, 200, chance))
        inside += sum(one.low <= true <= one.high for one, true in zip(found, truth, strict=True))
        widths += [one.high - one.low for one in found]
    assert inside >= 0.92 * 100
    assert max(widths) < 70 * (1 - draws / 2)


@pytest.mark.long
def test_the_fit_is_the_likeliest_there_is() -> None:
    results = met([-100.0, 0.0, 20.0, 300.0], 0.3, 25, Random(1))

    def unlikely(elo: list[float]) -> float:
        place = [value / ELO_SCALE for value in elo]
        total = sum(PRIOR_BOUTS * (log(1 + exp(r)) + log(1 + exp(-r))) for r in place)
        for (one, two), scores in results.items():
            share = expected(ELO_SCALE * (place[one] - place[two]))
            for seen, count in scores.items():
                total -= count * (seen * log(share) + (1 - seen) * log(1 - share))
        return total

    found = [one.value for one in fit_ratings(4, results)]
    assert sum(found) == pytest.approx(0, abs=1e-9)
    best = min(
        ([value + shift / 100 for value in found] for shift in range(-9999, 9999)), key=unlikely
    )
    for player, step in product(range(4), (-0.05, 0.05)):
        assert unlikely(best) < unlikely([v + step * (n == player) for n, v in enumerate(best)])


def test_whoever_always_wins_has_a_rating_too() -> None:
    best, worst = fit_ratings(2, {(0, 1): {1.0: 100}})
    assert best.value == pytest.approx(-worst.value)
    assert best.value > 300
    assert best.high - best.low > 300


def test_a_rating_is_what_a_score_comes_to() -> None:
    for scores in ({1.0: 640, 0.0: 360}, {0.75: 560, 0.5: 440}):
        best, worst = fit_ratings(2, {(0, 1): scores})
        assert best.value - worst.value == pytest.approx(100, abs=1)
    drawn, _ = fit_ratings(2, {(0, 1): {0.5: 1000}})
    assert drawn.value == pytest.approx(0, abs=1e-9)
    assert drawn.high - drawn.low < 2


@pytest.mark.parametrize("odds", [(0.5, 0.0, 0.5), (0.9, 0.08, 0.02), (0.1, 0.8, 0.1), (1, 0, 0)])
@pytest.mark.parametrize("size", [10, 100])
def test_a_score_lies_in_its_interval_as_often_as_it_says(
    odds: tuple[float, float, float], size: int
) -> None:
    true, chance = odds[0] + odds[1] / 2, Random(5)
    inside = 0
    for _ in range(1000):
        found = score(Counter(chance.choices((1.0, 0.5, 0.0), odds, k=size)))
        assert found.low <= found.value <= found.high
        inside += found.low <= true <= found.high
    assert inside >= 930


def settled(elo: float, truth: float, draws: float, chance: Random) -> tuple[int, int]:
    """Which player a test settles on, and after how many bouts, of players so far apart."""
    test = SequentialTest(elo)
    for bouts in range(1, 100_000):
        test.add(bout(truth, draws, chance))
        if test.settled:
            return test.settled, bouts
    raise AssertionError("it is never settled")


@pytest.mark.long
@pytest.mark.parametrize(("elo", "draws"), [(60, 0.0), (60, 0.5), (100, 0.0), (100, 0.5)])
def test_the_sequential_test_is_wrong_as_seldom_as_it_says(elo: float, draws: float) -> None:
    chance, tests = Random(11), 300
    for truth in (elo, -elo):
        found = [settled(elo, truth, draws, chance)[0] for _ in range(tests)]
        wrong = sum(one != (1 if truth > 0 else -1) for one in found)
        assert wrong <= ERROR_RATE * tests + 2 * (ERROR_RATE * (1 - ERROR_RATE) * tests) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("elo", "low", "high"), [(60, 0.0, 0.75), (60, 0.25, 1.0), (100, 0.0, 1.0), (200, 0.0, 0.5)]
)
def test_the_sequential_test_holds_for_skewed_scores_too(
    elo: float, low: float, high: float
) -> None:
    chance, tests, wrong = Random(7), 2000, 0
    odds = (1 - expected(elo) - low) / (high - low)
    for number in range(tests):
        test, weaker = SequentialTest(elo), -1 if number % 2 else 1
        while not test.settled:
            score = high if chance.random() < odds else low
            test.add(score if weaker > 0 else 1 - score)
        wrong += test.settled != -weaker
    assert wrong <= ERROR_RATE * tests + 2 * (ERROR_RATE * (1 - ERROR_RATE) * tests) ** 0.5


def test_players_who_always_draw_are_close() -> None:
    test, bouts = SequentialTest(20), 0
    while not test.settled:
        test.add(0.5)
        bouts += 1
    assert test.settled == NEITHER_STRONGER
    assert bouts < 100
    test.add(1.0)
    assert test.settled == NEITHER_STRONGER, "what is settled stays so"


def test_the_sequential_test_ends_sooner_where_the_stronger_is_plain() -> None:
    chance = Random(2)
    near, far, fine = (
        sum(settled(elo, truth, 0.2, chance)[1] for _ in range(50))
        for elo, truth in ((30, 30), (30, 200), (15, 30))
    )
    assert far < near < fine
