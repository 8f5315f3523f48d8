"""Positions and transitions of a game, and the tables that are kept of them on disk.

What other packages may use is named here; the modules are closed to them. Importing the package
takes nothing: each module is loaded with the first of its names that is asked for.
"""

from typing import TYPE_CHECKING

from evenodds.system.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.graph.position_index import SMALL, Ground
    from evenodds.graph.positions import Keys, Lister, TooLarge, memory_limit
    from evenodds.graph.results import load_result, save_result
    from evenodds.graph.tables import rulings_of, table_path
    from evenodds.graph.transitions import Atlas, Sheet, atlas_of
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.graph.position_index": "SMALL Ground",
            "evenodds.graph.positions": "Keys Lister TooLarge memory_limit",
            "evenodds.graph.results": "load_result save_result",
            "evenodds.graph.tables": "rulings_of table_path",
            "evenodds.graph.transitions": "Atlas Sheet atlas_of",
        },
    )

__all__ = [
    "SMALL",
    "Atlas",
    "Ground",
    "Keys",
    "Lister",
    "Sheet",
    "TooLarge",
    "atlas_of",
    "load_result",
    "memory_limit",
    "rulings_of",
    "save_result",
    "table_path",
]
