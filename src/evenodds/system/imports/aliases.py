"""Import aliases: module names of release 0.1 that lead to today's modules.

Packages with games import our modules by name. An alias is the same module object, so that a rule
marked by `evenodds.vocabulary.rule` is registered for today's compiler.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final
from warnings import warn

MOVED: Final = {
    "evenodds.adapters.sight": "evenodds.adapters.observation",
    "evenodds.catalog": "evenodds.core.catalog",
    "evenodds.checks": "evenodds.claims.checks",
    "evenodds.game": "evenodds.core.game",
    "evenodds.match": "evenodds.core.match",
    "evenodds.notation": "evenodds.core.notation",
    "evenodds.record": "evenodds.core.record",
    "evenodds.rulings": "evenodds.core.rulings",
    "evenodds.terms": "evenodds.core.terms",
    "evenodds.text": "evenodds.system.text",
    "evenodds.vocabulary": "evenodds.core.vocabulary",
    "evenodds.words": "evenodds.core.words",
}
MOVED_NAMES: Final = {
    "evenodds.adapters.sight": {"Sight": "evenodds.adapters.observation.ObservationEncoder"},
    "evenodds.text": {
        "SURE": "evenodds.figures.tolerance.VALUE_TOLERANCE",
        "counted": "evenodds.figures.formatting.counted",
        "few": "evenodds.figures.formatting.few",
        "listed": "evenodds.figures.formatting.listed",
        "percent": "evenodds.figures.formatting.percent",
    },
}
"""What the games of 0.1 import, and so those that were written after them, by today's name."""


class _MovedFinder:
    # No base classes from importlib.abc: loading it takes milliseconds of every start.

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(MOVED[spec.name])
        warn(f"{spec.name} is now {module.__name__}", DeprecationWarning, stacklevel=2)
        for old, new in MOVED_NAMES.get(spec.name, {}).items():
            home, _, name = new.rpartition(".")
            setattr(module, old, getattr(import_module(home), name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the alias there; the module keeps the spec it was loaded by.
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Install the finder, last: it is asked only for modules that no other finder has."""
    sys.meta_path.append(_MovedFinder())
