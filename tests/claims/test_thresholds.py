"""Where verdicts draw the line: named wherever they are read."""

import json
from pathlib import Path

import pytest

import evenodds
from tests.support.commands import evenodds_here as command
from tests.support.studies import THRESHOLDS, claim_results_of, describe_skill_range


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "rules", "claim", "verdict", "key"),
    [
        ("circle", {"numbers": 7, "reach": 2}, "choices", "partly", "seldom"),
        ("duel", {}, "quick", "holds", "quick"),
        ("margin", {}, "skill", "fails", "consistently"),
        ("duel", {}, "skill", "holds", "consistently"),
    ],
)
def test_a_verdict_names_its_threshold(
    name: str, rules: dict[str, int], claim: str, verdict: str, key: str
) -> None:
    claims, questions = claim_results_of(*evenodds.game(name, rules))
    one = next(one for one in (*claims, *questions) if one.name == claim)
    assert one.verdict == verdict
    assert str(THRESHOLDS[key]) in one.evidence


@pytest.mark.parametrize(
    ("key", "words"),
    [("decides", "skill decides"), ("much", "for much"), ("counts", "and so does luck")],
)
def test_the_words_for_skill_name_their_threshold(key: str, words: str) -> None:
    line = THRESHOLDS[key]
    at, below = (
        describe_skill_range(room, 0.0, luck="luck", alike=False)
        for room in (line.value, line.value - 0.001)
    )
    assert f"That is {line} or more" in at
    assert words in at
    assert words not in below


@pytest.mark.long
def test_thresholds_are_read_wherever_a_study_is(tmp_path: Path) -> None:
    asked = ("study", "duel", "--rule", "hp=4")
    said = " ".join(command(*asked, home=tmp_path, COLUMNS="80").stdout.split())
    evenodds.write_study_page(evenodds.run_study(evenodds.game("duel", hp=4)), tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    for name, line in THRESHOLDS.items():
        assert f"{name} {line} {line.about}" in said
        assert f"{name} <span>({line})</span></dt><dd>{line.about}" in page.replace("<wbr>", "")
    told = json.loads(command(*asked, "--json", home=tmp_path).stdout)
    assert told["thresholds"] == {name: line.value for name, line in THRESHOLDS.items()}
