"""Rule books that are changed for a test: the text of a game's rules with another word or two."""

import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any

import evenodds


def changed(name: str, folder: Path, *changes: tuple[str, str]) -> Any:
    """A game of the catalog with some pieces of its rules replaced, each of which occurs once.

    It says nothing any more of who is favoured, or of how large and how long it can be.
    """
    game = evenodds.get(name)
    text = inspect.getsource(sys.modules[game.start.__module__])
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path = folder / f"changed_{name}_{abs(hash(text))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return game._replace(
        rulings=module.Rulings,
        start=module.start,
        legal=module.legal,
        step=module.step,
        outcome=module.outcome,
        ending=module.ending,
        mirror=None,
        bound=None,
        longest=None,
    )
