"""The command study: at a prompt, as JSON, as pages, and what it refuses."""

import json
import shlex
from pathlib import Path

import pytest

from evenodds import StudyReport, game, list_games, run_study, write_study_page
from tests.support.commands import evenodds_here as command
from tests.support.game_data import files

pytestmark = pytest.mark.long


def test_a_study_keeps_within_the_columns_but_for_what_can_be_typed(tmp_path: Path) -> None:
    said = command("study", "duel", home=tmp_path, COLUMNS="40").stdout.splitlines()
    shown = [line for line in said if "evenodds show" in line]
    assert max(map(len, set(said) - set(shown))) < 40
    assert shown
    for line in shown:
        replayed = command(*shlex.split(line)[1:], home=tmp_path)
        assert replayed.returncode == 0, line


def test_a_study_as_json_is_all_of_it(tmp_path: Path) -> None:
    done = command("study", "circle", "--rule", "numbers=7", "--json", home=tmp_path)
    data, report = json.loads(done.stdout), run_study(game("circle", numbers=7))
    assert data.keys() == {*StudyReport._fields, "thresholds"}
    solved = report.study
    assert (data["study"]["value"], data["study"]["gap"]) == (solved.value, solved.gap)
    for part in ("claims", "questions"):
        found = [(one["name"], one["verdict"]) for one in data[part]]
        assert found == [(one.name, one.verdict) for one in getattr(report, part)]
    read = [(one["key"], one["value"]) for one in data["variants"]]
    assert read == [(one.key, one.value) for one in report.variants]


@pytest.mark.parametrize("golden", files("study.txt"), ids=lambda path: path.parent.name)
def test_a_report_says_what_was_read_and_found_right(golden: Path, tmp_path: Path) -> None:
    """Changed: `COLUMNS=80 evenodds study NAME > tests/games/NAME/study.txt`, and read again."""
    done = command("study", golden.parent.name, home=tmp_path, COLUMNS="80")
    assert done.stdout == golden.read_text()


def test_a_study_as_a_page(tmp_path: Path) -> None:
    page, other = tmp_path / "duel.html", tmp_path / "other.html"
    done = command("study", "duel", "-o", str(page), home=tmp_path)
    assert done.stdout == f"The study is in {page}.\n"
    write_study_page(run_study("duel"), other)
    assert page.read_text() == other.read_text()
    for target, reason in (
        (tmp_path, "it is a folder"),
        (tmp_path / "no" / "page.html", "No such file or directory"),
    ):
        done = command("study", "duel", "-o", str(target), home=tmp_path)
        assert done.returncode == 1
        assert reason in done.stderr


def test_all_games_and_a_comparison(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    done = command("study", "--all", "-o", str(folder), home=tmp_path)
    assert done.returncode == 0
    names = {"index", *(each.name for each in list_games(installed=False))}
    assert {path.name for path in folder.iterdir()} == {f"{name}.html" for name in names}
    assert 'href="duel.html"' in (folder / "index.html").read_text()
    assert 'href="index.html"' in (folder / "duel.html").read_text()
