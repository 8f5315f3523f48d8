"""Workspaces of the simplex method as NumPy arrays, for compiled loops."""

from typing import TypeVar

import numpy as np

from evenodds.simplex.linear_program import LinearProgram
from evenodds.simplex.tableau import SimplexWorkspace

Workspace = TypeVar("Workspace", SimplexWorkspace, LinearProgram)


def as_arrays(workspace: Workspace) -> Workspace:
    """The same workspace with an array for every list."""
    return type(workspace)(*map(np.array, workspace))
