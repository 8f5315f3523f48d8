"""Results about a game that are cached on disk, keyed by its rulings and the text of its rules.

A changed rule never meets an old result.
"""

import hashlib
import inspect
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import spoken
from evenodds.core.vocabulary import RULES
from evenodds.system import cache_folder

FORMAT: Final = 4


def result_path(game: AnyGame, rulings: Any, kind: str, *parts: str) -> Path | None:
    """A file that is another one whenever the game, its rulings, its rules or a part change."""
    try:
        key = [str(FORMAT), game.name, json.dumps(spoken(rulings)), _rules_text(game), *parts]
    except (OSError, TypeError):  # rules typed at a prompt, or shipped without their source
        return None
    digest = hashlib.blake2b("\0".join(key).encode(), digest_size=12).hexdigest()
    return cache_folder.folder() / f"{game.name}-{digest}.{kind}"


def load_result(game: AnyGame, rulings: Any, kind: str, *parts: str) -> Any:
    """Figures that were kept under the same key; None where there are none that can be used."""
    path = result_path(game, rulings, kind, *parts)
    cache_folder.size_limit()  # a setting that is wrong is refused before the work, not after
    if path is None:
        return None
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    cache_folder.mark_used(path)
    return figures


def save_result(figures: Any, game: AnyGame, rulings: Any, kind: str, *parts: str) -> None:
    """Keep figures that took long to find; where the disk does not take them nothing is lost."""
    path = result_path(game, rulings, kind, *parts)
    if path is not None:
        with suppress(OSError):
            text = json.dumps({"rulings": spoken(rulings), "figures": figures}) + "\n"
            cache_folder.write_cached_file(path, [text.encode()])


def _rules_text(game: AnyGame) -> str:
    """The text of every module that the rules of a game are made of."""
    modules = {function.__module__ for rules in RULES.values() for function in rules}
    own = sys.modules[game.start.__module__]
    names = {getattr(value, "__module__", "") for value in vars(own).values()} & modules
    used = sorted(names | {own.__name__})
    return "\0".join(inspect.getsource(sys.modules[name]) for name in used)
