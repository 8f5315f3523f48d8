"""Even Odds: five two-player number games from their rule books.

The public names stand in `__init__.pyi`; each is imported when it is first used.
"""

from evenodds.system import __version__ as __version__
from evenodds.system.imports import lazy_names

__getattr__, __all__ = lazy_names(__name__, __file__)


def __dir__() -> list[str]:
    return __all__
