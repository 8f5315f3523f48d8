"""Studies of rulings too large to be solved: sampled, with intervals."""

import json
from pathlib import Path

import pytest

import evenodds
from tests.support.commands import evenodds_here as command
from tests.support.studies import RANDOM_POLICY, Estimate, SolvedGame, sampled_study_of


@pytest.mark.xdist_group("compiled")
def test_a_ruling_too_large_is_sampled_and_says_so(tmp_path: Path) -> None:
    rules = ("--rule", "numbers=20")
    done = command("study", "underdog", *rules, home=tmp_path)
    assert done.returncode == 0
    assert "Sampled, not exact: 1,000,000 matches" in done.stdout
    assert "positions at least need " in done.stdout
    assert "; the memory limit" in done.stdout
    data = json.loads(command("study", "underdog", *rules, "--json", home=tmp_path).stdout)
    assert data["first"]["low"] < data["first"]["value"] < data["first"]["high"]
    page = tmp_path / "page.html"
    done = command("study", "underdog", *rules, "-o", str(page), home=tmp_path)
    assert (done.returncode, page.exists()) == (1, False)


@pytest.mark.xdist_group("compiled")
def test_sampled_intervals_hold_the_exact_figures() -> None:
    duel = evenodds.game("duel")
    solved = SolvedGame(*duel)
    odds = solved.odds(RANDOM_POLICY, RANDOM_POLICY)
    sample = sampled_study_of(*duel, "", matches=200_000)
    for found, exact in (
        (sample.first, odds.first),
        (sample.draw, odds.draw),
        (sample.second, odds.second),
        (sample.length, odds.length or 0.0),
    ):
        assert found.low <= exact <= found.high
    for ending, exact in odds.endings.items():
        assert sample.endings[ending].low <= exact <= sample.endings[ending].high
    assert sample.cut_off == Estimate(0.0, 0.0, sample.cut_off.high)
