"""Results about a game cached on disk, keyed by its rulings and the source text of its rules.

A change of the rules changes the key, so that no stale result is found.
"""

import hashlib
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import RULES
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind

FORMAT: Final = 4


def result_path(game: AnyGame, rulings: Any, kind: CacheKind, *parts: str) -> Path | None:
    """The file of a result, named by a digest; None where the rules have no source text."""
    try:
        key = [str(FORMAT), game.name, json.dumps(ruling_texts(rulings)), _rules_text(game), *parts]
    except (OSError, ImportError, AttributeError, TypeError):  # rules without a source file
        return None
    digest = hashlib.blake2b("\0".join(key).encode(), digest_size=12).hexdigest()
    return kind.path(game.name, digest)


def load_result(game: AnyGame, rulings: Any, kind: CacheKind, *parts: str) -> Any:
    """The cached figures; None on a miss or a damaged file."""
    path = result_path(game, rulings, kind, *parts)
    cache_folder.size_limit()  # refuses a wrong setting before the work, not after
    if path is None:
        return None
    path = cache_folder.find_file(path)
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    cache_folder.mark_used(path)
    return figures


def save_result(figures: Any, game: AnyGame, rulings: Any, kind: CacheKind, *parts: str) -> None:
    """Cache figures; a failure to write is ignored."""
    path = result_path(game, rulings, kind, *parts)
    if path is not None:
        with suppress(OSError):
            text = json.dumps({"rulings": ruling_texts(rulings), "figures": figures}) + "\n"
            cache_folder.write_cached_file(path, [text.encode()])


def _rules_text(game: AnyGame) -> str:
    """The source text of every module that the rules of a game use."""
    modules = {function.__module__ for rules in RULES.values() for function in rules}
    own = sys.modules[game.start.__module__]
    names = {getattr(value, "__module__", "") for value in vars(own).values()} & modules
    used = sorted(names | {own.__name__})
    return "\0".join(_source(name) for name in used)


def _source(name: str) -> str:
    # By the loader and not by `inspect`, which would take longer to import than a table to open.
    loader: Any = sys.modules[name].__spec__.loader  # type: ignore[union-attr]
    return str(loader.get_source(name))
