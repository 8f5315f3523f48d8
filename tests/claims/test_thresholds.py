"""Where verdicts draw the line: named where they are read, and changed by whoever wants to."""

import json
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds.claims.thresholds import (
    DEFAULT_THRESHOLDS,
    THRESHOLD_SPECS,
    Thresholds,
    format_threshold,
)
from evenodds.players.level_strength import describe_skill_range
from evenodds.study.claims.claim_results import claim_results_of
from evenodds.study.sweeps import repair
from tests.support.commands import evenodds_here as command

DUEL = evenodds.game("duel", hp=4)


def found(name: str, thresholds: Thresholds, **rules: Any) -> dict[str, Any]:
    """What became of promises and questions, by name."""
    game = evenodds.get(name)
    promises, questions = claim_results_of(game, game.settle(rules), thresholds=thresholds)
    return {one.name: one for one in promises} | {f"{one.name}?": one for one in questions}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "rules", "claim", "key", "verdicts"),
    [
        (
            "circle",
            {"numbers": 7, "reach": 2},
            "choices?",
            "seldom",
            [("partly", 0.5), ("yes", 0.99)],
        ),
        ("duel", {}, "quick", "quick", [("holds", 20.0), ("fails", 3.0)]),
        ("margin", {}, "skill", "consistently", [("fails", 0.75), ("holds", 0.55)]),
        ("margin", {}, "skill?", "step", [("partly", 0.6), ("no", 0.9), ("yes", 0.5)]),
    ],
)
def test_each_threshold_moves_a_verdict_and_is_named_in_it(
    name: str, rules: dict[str, Any], claim: str, key: str, verdicts: list[tuple[str, float]]
) -> None:
    """Above and below the figure that it is held against; what is kept is kept for each."""
    for verdict, value in verdicts:
        one = found(name, DEFAULT_THRESHOLDS._replace(**{key: value}), **rules)[claim]
        assert one.verdict == verdict, value
        if key != "step" and (key != "seldom" or verdict == "partly"):
            assert THRESHOLD_SPECS[key].show(value) in one.evidence


@pytest.mark.parametrize(
    ("key", "words"),
    [("decides", "skill decides"), ("much", "for much"), ("counts", "and so does guessing right")],
)
def test_the_words_for_skill_name_their_threshold(key: str, words: str) -> None:
    for value in (getattr(DEFAULT_THRESHOLDS, key), 0.65):
        lines = Thresholds(decides=0.9, much=0.9, counts=0.9)._replace(**{key: value})
        at, below = (
            describe_skill_range(room, 0.0, simultaneous=True, alike=False, lines=lines)
            for room in (value, value - 0.001)
        )
        assert words in at
        assert f"That is {format_threshold(key, lines)} or more" in at
        assert words not in below


@pytest.mark.long
def test_skilled_players_are_held_against_unskilled_ones() -> None:
    """Perfect play against chance, the highest level against the lowest; the line is named."""
    said = found("margin", DEFAULT_THRESHOLDS)["skill"].evidence
    assert said.startswith(
        "A perfect player scores 59.8% against players who pick at random; 75% or more is "
        "called consistent. The highest level scores "
    )
    assert "next to each other" not in said


@pytest.mark.long
def test_thresholds_are_read_wherever_a_study_is(tmp_path: Path) -> None:
    """On the terminal, in JSON and on a page: every name, its value and what it means."""
    asked = ("study", "duel", "--rule", "hp=4", "--threshold", "consistently=0.995")
    said = " ".join(command(*asked, home=tmp_path, COLUMNS="80").stdout.split())
    lines = DEFAULT_THRESHOLDS._replace(consistently=0.995)
    page = page_of(evenodds.run_study(DUEL, thresholds=lines), tmp_path)
    for name, line in THRESHOLD_SPECS.items():
        assert f"{name} {format_threshold(name, lines)} {line.about}" in said
        assert f"{name} <span>({format_threshold(name, lines)})</span></dt><dd>{line.about}" in page
    told = json.loads(command(*asked, "--json", home=tmp_path).stdout)
    assert told["thresholds"] == lines._asdict()
    for text in (said, page):
        assert "99.5% or more is called consistent" in text


@pytest.mark.long
def test_steps_are_counted_from_the_threshold_on(tmp_path: Path) -> None:
    felt = {}
    for step in (0.5, 0.9):
        report = evenodds.run_study(DUEL, thresholds=DEFAULT_THRESHOLDS._replace(step=step))
        felt[step] = sum(one.brief.steps or 0 for one in report.readings if one.brief)
        assert f"{100 * step:g}% steps" in page_of(report, tmp_path)
    assert felt[0.5] > felt[0.9]


def page_of(report: evenodds.StudyReport, folder: Path) -> str:
    """The page of a study with spaces that may break."""
    evenodds.write_study_page(report, folder / "page.html")
    text = (folder / "page.html").read_text()
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("<wbr>", "")


@pytest.mark.processes
def test_a_repair_takes_a_threshold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among small hands of margin no level scores 60% against the one below; some score half."""
    monkeypatch.setattr(repair, "MAX_POSITIONS_BY_LOOPS", {False: 50})
    asked = ("repair", "margin", "--want", "skill", "--json")
    for step, kept in (("0.6", False), ("0.5", True)):
        told = json.loads(command(*asked, "--threshold", f"step={step}", home=tmp_path).stdout)
        mark = format_threshold("step", DEFAULT_THRESHOLDS._replace(step=float(step)))
        assert told["wishes"]["skill"].startswith(f"Some level scores {mark} or better")
        assert bool(told["remedies"]) == told["kept"] == kept
