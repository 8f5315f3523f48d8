"""Shares as per cent, and intervals of what is sampled."""

import pytest

from evenodds.claims.thresholds import COUNTS, SELDOM, percent_beside
from evenodds.figures import Estimate, join_words, mean, percent, percent_of_possible, score, share


def test_intervals_of_rare_and_certain_things() -> None:
    assert share(0, 1000).high == pytest.approx(0.003, abs=0.001)
    assert share(1000, 1000).low == pytest.approx(0.997, abs=0.001)
    assert mean({4: 10}) == Estimate(4.0, 4.0, 4.0)
    assert score({1.0: 10}) == pytest.approx((1.0, 0.679, 1.0), abs=0.001)  # Agresti and Coull


def test_words_are_listed_as_in_a_sentence() -> None:
    said = [join_words(list(words)) for words in ("", "a", "ab", "abc")]
    assert said == ["", "a", "a and b", "a, b and c"]


def test_what_can_happen_is_never_shown_as_nothing() -> None:
    seldom = 1e-12
    assert [percent(seldom), percent_of_possible(seldom)] == ["0%", "<0.1%"]
    assert percent_of_possible(0.25) == percent(0.25) == "25%"


def test_no_figure_reads_as_a_threshold_that_it_misses() -> None:
    shown = [percent_beside(figure, COUNTS, SELDOM) for figure in (0.5497, 0.55, 0.500004, 0.9)]
    assert shown == ["54.97%", "55%", "50.0004%", "90%"]
