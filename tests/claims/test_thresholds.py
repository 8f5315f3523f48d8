"""Where verdicts draw the line: named where they are read, and changed by whoever wants to."""

import json
from pathlib import Path
from typing import Any

import pytest

from evenodds.claims.thresholds import (
    DEFAULT_THRESHOLDS,
    THRESHOLD_SPECS,
    BadThreshold,
    Thresholds,
    format_threshold,
    read_thresholds,
)
from evenodds.core import catalog
from evenodds.players.level_strength import describe_skill_range
from evenodds.study.claims.claim_results import claim_results_of
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.sweeps import repair
from tests.support.commands import evenodds_here as command
from tests.support.game_data import cases


def found(name: str, thresholds: Thresholds, **rules: Any) -> dict[str, Any]:
    """What became of promises and questions, by name."""
    game = catalog.get(name)
    promises, questions = claim_results_of(game, game.settle(rules), thresholds=thresholds)
    return {one.name: one for one in promises} | {f"{one.name}?": one for one in questions}


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules", "claim", "key", "verdicts"), cases("thresholds"))
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
            describe_skill_range(room, 0.0, simultaneous=True, alike=False, range=None, lines=lines)
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
        "A perfect player scores 59.8% against players who pick at random (other perfect "
        "strategies score 55.7% to 59.8%); 75% or more is called consistent. The highest level "
        "scores "
    )
    assert "next to each other" not in said


@pytest.mark.long
def test_thresholds_are_read_wherever_a_study_is(tmp_path: Path) -> None:
    """On the terminal, in JSON and on a page: every name, its value and what it means."""
    asked = ("study", "duel", "--rule", "hp=4", "--threshold", "consistently=0.995")
    said = " ".join(command(*asked, home=tmp_path, COLUMNS="80").stdout.split())
    game = catalog.get("duel")
    lines = DEFAULT_THRESHOLDS._replace(consistently=0.995)
    folio = study_report_of(game, game.settle({"hp": 4}), thresholds=lines)
    page = render_report(*folio).replace("\N{NO-BREAK SPACE}", " ").replace("<wbr>", "")
    for name, line in THRESHOLD_SPECS.items():
        assert f"{name} {format_threshold(name, lines)} {line.about}" in said
        assert f"{name} <span>({format_threshold(name, lines)})</span></dt><dd>{line.about}" in page
    told = json.loads(command(*asked, "--json", home=tmp_path).stdout)
    assert told["thresholds"] == lines._asdict()
    assert "99.5% or more is called consistent" in said
    assert "99.5% or more is called consistent" in page


@pytest.mark.long
def test_steps_are_counted_from_the_threshold_on() -> None:
    game = catalog.get("duel")
    felt = {}
    for step in (0.5, 0.9):
        folio = study_report_of(
            game, game.settle({"hp": 4}), thresholds=DEFAULT_THRESHOLDS._replace(step=step)
        )
        felt[step] = [one.brief.steps for one in folio.readings if one.brief]
        assert f"{100 * step:g}% steps" in render_report(*folio).replace(
            "\N{NO-BREAK SPACE}", " "
        ).replace("<wbr>", "")
    assert sum(filter(None, felt[0.5])) > sum(filter(None, felt[0.9]))


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


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        (["consistently"], "--threshold consistently is not allowed; allowed: name=value"),
        (["fun=1"], "fun: there is no such threshold; allowed: consistently, decides, much,"),
        (["step=2"], "step=2 is not allowed; allowed: 0 to 1"),
        (["step=nan"], "step=nan is not allowed; allowed: 0 to 1"),
        (["quick=x"], "quick=x is not allowed; allowed: 0 to 1000"),
        (["step=0.5", "step=0.6"], "step=0.6 is not allowed: step is given twice"),
    ],
)
def test_what_is_no_threshold_is_refused(typed: list[str], problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadThreshold, match=problem):
        read_thresholds(typed)
    options = [word for one in typed for word in ("--threshold", one)]
    for asked in (("study", "duel"), ("repair", "duel")):
        done = command(*asked, *options, home=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert problem in " ".join(done.stderr.split())
