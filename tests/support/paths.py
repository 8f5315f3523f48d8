"""Folders of the checkout, and the command that is tried."""

import sys
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
COMMAND: Final = str(Path(sys.executable).with_name("evenodds"))
