"""The house itself: what may be committed, and what is written down in one place."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_pinned_versions_hold_no_address() -> None:
    """A pin is a name, a version and hashes."""
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text(), path


def test_every_module_is_on_the_plan() -> None:
    """docs/architecture.md names each module of the package."""
    plan = (ROOT / "docs" / "architecture.md").read_text()
    package = ROOT / "src" / "evenodds"
    modules = {path.stem for path in [*package.glob("*.py"), *package.glob("terminal/*.py")]}
    folders = {path.name for path in package.iterdir() if (path / "__init__.py").exists()}
    for name in (modules | folders) - {"__init__", "__main__"}:
        assert re.search(rf"\b{name}\b", plan), name
