"""Folders of the checkout."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
