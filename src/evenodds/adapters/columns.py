"""A solution as columns: the fields of every position, its value, and the mixes of both seats."""

import os
from typing import TYPE_CHECKING, Any

from evenodds.core.vocabulary import SEAT_NAMES, SEATS
from evenodds.engine.solution import Solution
from evenodds.system import silent
from evenodds.system.imports import MissingExtra, needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def to_numpy(solution: Solution) -> "dict[str, NDArray[np.generic]]":
    """An array for each column, with a row for each position: what `pandas.DataFrame` takes.

    Rows stand in the order of the positions in `list(solution)`, the start first. Of positions that
    are alike the table has all, the solution one.
    The columns are the fields of a position (of a pair two: `scores first`, `scores second`; a hand
    is a set of bits), its `value`, and how often each seat picks each number: `first 3`.
    """
    with needs("solver"):
        import numpy as np

        from evenodds.engine.graph import Graph
        from evenodds.engine.positions import Listing
        from evenodds.engine.strategies import SelectedStrategies, rows_by_number

    graph = Graph(Listing(solution.game, solution.rulings, silent))
    known = SelectedStrategies(graph, solution)
    keys = least = graph.keys
    if solution.game.mirror is not None:
        least = np.minimum(keys, keys[graph.images()])
    order = np.lexsort((keys > least, least, np.arange(graph.size) > 0))  # the start has place 0
    columns: dict[str, NDArray[Any]] = {**graph.fields(), "value": known.values[: graph.size]}
    for seat in SEATS:
        highest = max(int(block.numbers(seat).max()) for block in graph.blocks)
        mixes = np.zeros((graph.size, highest + 1))
        for block, rows in rows_by_number(graph, known.mixes(seat), seat):
            mixes[block.places] = 0 if block.weights is not None else rows
        columns |= {
            f"{SEAT_NAMES[seat]} {number}": mixes[:, number] for number in range(1, highest + 1)
        }
    return {name: column[order] for name, column in columns.items()}


def to_parquet(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write the columns of `to_numpy` to a Parquet file, for which pyarrow must be installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        why = "Parquet needs pyarrow, which is not installed; add it with: pip install pyarrow"
        raise MissingExtra(why) from None
    pyarrow.parquet.write_table(pyarrow.table(to_numpy(solution)), os.fspath(path))
