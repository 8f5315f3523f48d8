"""The README's Python runs, and says what it says it prints."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_run_and_print_what_they_say(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each `print` is followed by a comment with what comes of it."""
    monkeypatch.setenv("EVENODDS_HOME", str(tmp_path))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, str(README), "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", example)
    said = printed.getvalue().splitlines()
    assert len(said) == len(promised) > 0
    for line, promise in zip(said, promised, strict=True):
        assert line in (promise, promise.split(": ")[0])


def test_there_are_examples() -> None:
    """The README shows Python at all."""
    assert len(EXAMPLES) == 4


def test_the_record_in_the_readme_is_a_match() -> None:
    """What is shown as notation can be read."""
    from evenodds import notation

    (record,) = re.findall(r"```text\n(\[Game.*?)```", README.read_text(), re.S)
    assert notation.parse(record).result is not None
