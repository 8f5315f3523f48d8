"""All that the files of a game import: types, rulings, words, claims, checks.

The names stand in `rules.pyi`. Each is imported when it is first used, so that rules load fast.
"""

from evenodds.system.imports import lazy_names

__getattr__, __all__ = lazy_names(__name__, __file__)


def __dir__() -> list[str]:
    return __all__
