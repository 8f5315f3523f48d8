"""Results about a game that are kept on disk: their files, and figures as JSON.

They are keyed by everything that they depend on, so that no stale result is found: the game, its
rulings, its rules (their source text, the constants that they read and, of games that are not ours,
their bytecode), and the source text of the modules that compute such a result.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.digests import UNDESCRIBED, code_digest, digest, rules_text
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind


def result_path(game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str) -> Path | None:
    """The file of a result, named by a digest; None where the rules have no source text."""
    try:
        rules = rules_text(game)
    except UNDESCRIBED:
        return None
    given = json.dumps(ruling_texts(rulings))
    return kind.path(game.name, digest(code_digest(*kind.code), game.name, given, rules, *parts))


def load_result(game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str) -> Any:
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


def save_result(
    figures: Any, game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str
) -> None:
    """Cache figures; a failure to write is ignored."""
    path = result_path(game, rulings, kind, *parts)
    if path is not None:
        with suppress(OSError):
            text = json.dumps({"rulings": ruling_texts(rulings), "figures": figures}) + "\n"
            cache_folder.write_cached_file(path, [text.encode()])
