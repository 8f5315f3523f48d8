"""The documentation: what it shows runs, what it links to is there, all of it is in the site."""

import ast
import inspect
import json
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from scripts import build_docs

import evenodds
from evenodds.envs import describe_observation
from evenodds.rules import Words
from evenodds.study.measures import MEASURES
from tests.support.commands import evenodds_here, parsed, python, surroundings
from tests.support.paths import ROOT

DOCS: Final = ROOT / "docs"
PAGES: Final = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
FENCE: Final = re.compile(r"^```.*?^```$", re.M | re.S)
LINK: Final = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
EXAMPLES: Final = [
    pytest.param(example, id=f"{page.name}-{number}")
    for page in PAGES
    for number, example in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S), 1)
]
NOTEBOOKS: Final = sorted((ROOT / "examples" / "notebooks").glob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENODDS_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_run_and_print_what_they_say(example: str, own_folder: Path) -> None:
    if "evenodds.envs:" in example:  # what other tests have registered must not help it
        done = python(example, env=surroundings(own_folder))
        assert done.returncode == 0, done.stderr
        said = done.stdout
    else:
        said = run_here(ast.parse(example), "example")
    compare(example, said)


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_the_notebooks_run_and_print_what_they_say(notebook: Path, own_folder: Path) -> None:
    source = notebook.read_text()
    cells = [cell for cell in build_docs.cells(source) if not isinstance(cell, str)]
    statements = [part for cell in cells for part in cell if "marimo" not in ast.unparse(part)]
    compare(source, run_here(ast.Module(statements, []), str(notebook)))


def run_here(module: ast.Module, name: str) -> str:
    with CliRunner().isolation() as (told, _, _):
        exec(compile(module, name, "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
    return told.getvalue().decode()


def compare(source: str, printed: str) -> None:
    """Hold what is printed against the comments; what follows a colon is a remark."""
    promised = re.findall(r"print\(.*\)\s+# (.*)", source)
    said = printed.splitlines()
    assert len(said) == len(promised)
    for line, promise in zip(said, promised, strict=True):
        assert line in (promise, promise.split(": ")[0])


def test_the_layout_of_an_observation_is_shown() -> None:
    page = (DOCS / "environments.md").read_text()
    assert page.endswith(f"\n\n{describe_observation('underdog')}\n")


def test_every_measure_is_listed_with_its_meaning() -> None:
    told = re.findall(r"^\| `(\w+)` \| (.*) \|$", (DOCS / "study.md").read_text(), re.M)
    assert told == [(name, measure.about) for name, measure in MEASURES.items()]


def test_the_record_that_is_shown_is_a_match() -> None:
    (record,) = re.findall(r"```text\n(\[Game.*?)```", (DOCS / "matches.md").read_text(), re.S)
    assert evenodds.notation.parse(record).result is not None


def slugs(page: Path) -> set[str]:
    """The anchors of the headings of a page, which are the same in a repository and in the site."""
    text = FENCE.sub("", page.read_text())
    heads = [head.replace("`", "") for head in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


def broken_links(page: Path) -> Iterator[str]:
    for path, anchor in LINK.findall(FENCE.sub("", page.read_text())):
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in slugs(target)):
            yield f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    assert list(broken_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_of_the_pages_are_valid(page: Path) -> None:
    for line in re.findall(r"^    (?:printf .* \| )?(evenodds .*)$", page.read_text(), re.M):
        _, *words = shlex.split(line, comments=True)
        if words and words[0] != "--help":
            parsed(*words)


@pytest.mark.processes
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_command_is_said_to_print_is_printed(page: Path, tmp_path: Path) -> None:
    shown = re.findall(r"^    evenodds (.*)\n\n```text\n((?:.+\n|\n)*?)```", page.read_text(), re.M)
    for line, text in shown:
        assert text in evenodds_here(*shlex.split(line), home=tmp_path).stdout


def test_all_that_words_and_boards_can_use_is_declared() -> None:
    page = (DOCS / "games.md").read_text()
    told = dict(re.findall(r"^\| `(\w+)(\(self.*?\))` \|", page, re.M))
    assert len(told) == 20
    for name, signature in told.items():
        real = inspect.signature(getattr(Words, name))
        assert signature == f"({', '.join(real.parameters)})"
    kit = Path(evenodds.__file__).parent / "server" / "static" / "boards" / "kit.js"
    offered = set(re.findall(r"^export (?:const|function) (\w+)", kit.read_text(), re.M))
    table = page.partition("| name | is |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)", table, re.M)) == offered


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the site, as they are given to the program that makes HTML of them."""
    folder = tmp_path_factory.mktemp("site")
    with warnings.catch_warnings(action="ignore"):  # Litestar's, of what its next version drops
        build_docs.main(folder)
    return folder


@pytest.mark.long
def test_every_page_of_the_site_is_filled_and_its_links_lead_somewhere(site: Path) -> None:
    for page in (site / "docs").rglob("*.md"):
        assert not build_docs.MARKER.search(page.read_text()), page
        assert list(broken_links(page)) == [], page


@pytest.mark.long
def test_every_page_is_in_the_navigation(site: Path) -> None:
    listed = set(leaves(json.loads((site / "mkdocs.yml").read_text())["nav"]))
    made = {str(page.relative_to(site / "docs")) for page in (site / "docs").rglob("*.md")}
    assert listed == made


def leaves(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for inner in entry.values() if isinstance(entry, dict) else entry:
            yield from leaves(inner)
