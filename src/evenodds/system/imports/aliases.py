"""Import aliases: names of release 0.1 that lead to today's modules.

Packages with games import our modules by name. An alias is the same module object, so that a rule
marked by `evenodds.vocabulary.rule` is registered for today's compiler.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final
from warnings import warn

ALIASES: Final = {
    "evenodds.adapters.sight": "evenodds.adapters.observation",
    "evenodds.adapters.sight.Sight": "evenodds.adapters.observation.ObservationEncoder",
    "evenodds.catalog": "evenodds.core.catalog",
    "evenodds.checks": "evenodds.claims.checks",
    "evenodds.checks.CONSISTENT": "evenodds.claims.thresholds.DEFAULT_THRESHOLDS.consistently",
    "evenodds.checks.QUICK": "evenodds.claims.thresholds.DEFAULT_THRESHOLDS.quick",
    "evenodds.checks.worked": "evenodds.claims.checks.check_example",
    "evenodds.game": "evenodds.core.game",
    "evenodds.game.LADDER": "evenodds.core.game.DEFAULT_LADDER",
    "evenodds.game.LEVELS": "evenodds.core.game.LEVELS",
    "evenodds.match": "evenodds.core.match",
    "evenodds.notation": "evenodds.core.notation",
    "evenodds.record": "evenodds.core.record",
    "evenodds.rulings": "evenodds.core.rulings",
    "evenodds.rulings.as_whole": "evenodds.core.rulings.as_int",
    "evenodds.rulings.one_line": "evenodds.core.rulings.format_rulings",
    "evenodds.rulings.spoken": "evenodds.core.rulings.ruling_texts",
    "evenodds.rulings.typed": "evenodds.core.rulings.parse_rulings",
    "evenodds.terms": "evenodds.core.terms",
    "evenodds.text": "evenodds.system.text",
    "evenodds.text.ALPHABET": "evenodds.system.text.ID_ALPHABET",
    "evenodds.text.SURE": "evenodds.figures.tolerance.VALUE_TOLERANCE",
    "evenodds.text.brief": "evenodds.system.text.shorten",
    "evenodds.text.columns": "evenodds.system.text.display_width",
    "evenodds.text.counted": "evenodds.figures.formatting.counted",
    "evenodds.text.few": "evenodds.figures.formatting.join_first",
    "evenodds.text.listed": "evenodds.figures.formatting.join_words",
    "evenodds.text.percent": "evenodds.figures.formatting.percent",
    "evenodds.text.plain": "evenodds.system.text.sanitized",
    "evenodds.text.whole": "evenodds.system.text.parse_whole",
    "evenodds.vocabulary": "evenodds.core.vocabulary",
    "evenodds.words": "evenodds.core.words",
    "evenodds.words.EMPTY": "evenodds.core.board.EMPTY",
    "evenodds.words.FILLED": "evenodds.core.board.FILLED",
    "evenodds.words.Gauge": "evenodds.core.board.Gauge",
    "evenodds.words.Line": "evenodds.core.board.Line",
    "evenodds.words.cards": "evenodds.core.board.cards",
    "evenodds.words.hand_line": "evenodds.core.board.hand_line",
    "evenodds.words.plain_text": "evenodds.core.board.plain_text",
}
"""Modules that 0.1 told authors of games and researchers to import, and names in them, by today's.

What else was importable has no alias: CHANGELOG.md lists the new names."""


class _MovedFinder:
    # No base classes from importlib.abc: loading it takes milliseconds of every start.

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in ALIASES:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        from pkgutil import resolve_name  # slow to import, and few packages need it

        module = import_module(ALIASES[spec.name])
        # Who turns warnings into errors (-W error) is seldom the author of the package.
        with suppress(DeprecationWarning):
            warn(f"{spec.name} is now {module.__name__}", DeprecationWarning, stacklevel=2)
        for old, new in ALIASES.items():
            owner, _, name = old.rpartition(".")
            if owner == spec.name:
                setattr(module, name, resolve_name(new))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the alias there; the module keeps the spec it was loaded by.
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Install the finder, last: it is asked only for modules that no other finder has."""
    sys.meta_path.append(_MovedFinder())
