"""The files around the code: versions, changelog, workflows, hooks, and no trace of a machine."""

import os
import re
import subprocess
import tomllib
import warnings
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import evenodds
from tests.conftest import SLOW
from tests.support.paths import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
REGISTRY = re.compile(r"://[\w.-]*(?:debian|mirror|npm|pypi|pythonhosted|registry)")
"""The address of a place where packages come from."""


def released_versions() -> list[tuple[str, str]]:
    text = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (?!Unreleased$)(.*)$", text, re.M)
    found = [
        re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d|unreleased)\)", one) for one in headings
    ]
    assert all(found), headings
    return [(one[1], one[2]) for one in found if one]


def test_the_changelog_has_a_section_with_a_date_for_each_release() -> None:
    versions = released_versions()
    assert versions[0][0] == evenodds.__version__
    assert "unreleased" not in [date for _, date in versions[1:]]
    numbers = [tuple(map(int, version.split("."))) for version, _ in versions]
    assert numbers == sorted(numbers, reverse=True)


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (project["dynamic"], "version" in project) == (["version"], False)
    assert "version:" not in (ROOT / "CITATION.cff").read_text().replace("cff-version:", "")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_commands_of_the_makefile(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    targets = re.findall(r"run: make ([a-z-]+)", path.read_text())
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", MAKEFILE, re.M), target


def test_hooks_are_local_and_forms_and_citation_can_be_read() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert {repo["repo"] for repo in hooks} == {"local"}
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[bi]*.yml"):
        assert {"name", "description", "body"} <= set(yaml.safe_load(form.read_text()))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (ResourceWarning, "unclosed <socket.socket fd=9, family=1, type=1>"),
        (pytest.PytestUnraisableExceptionWarning, "Exception ignored in: <socket.socket fd=9>"),
    ],
)
def test_a_socket_that_is_left_to_the_collector_is_a_fault(kind: type[Warning], said: str) -> None:
    with pytest.raises(kind):
        warnings.warn(said, kind, stacklevel=1)


def test_whoever_starts_a_process_says_so() -> None:
    for start in (
        lambda: subprocess.run(["true"], check=False),
        lambda: os.posix_spawn("/bin/true", ["true"], {}),
    ):
        with pytest.raises(AssertionError, match=r"mark it with pytest\.mark\.processes"):
            start()
    (selected,) = re.findall(r'^quick:.*\n.* -m "(.*)"$', MAKEFILE, re.M)
    assert selected.split(" and ") == [f"not {kind}" for kind in (*SLOW, "long")]


@pytest.mark.processes
def test_nothing_that_is_ignored_is_committed() -> None:
    ask = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(ask, cwd=ROOT, capture_output=True, text=True).stdout == ""
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {".hypothesis/", ".pytest_cache/", ".schemathesis/"} <= set(ignored)


@pytest.mark.processes
def test_no_file_names_this_machine_or_a_registry() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    places = [f"{ROOT}/", f"{Path.home()}/"]
    for path in [ROOT / name for name in listed.stdout.split("\0")[:-1]]:
        if path.is_file() and b"\0" not in (data := path.read_bytes()):
            text = data.decode(errors="replace")
            assert not REGISTRY.search(text), path
            assert not [place for place in places if place in text], path
            assert path.parent.name != "requirements" or "://" not in text, path
