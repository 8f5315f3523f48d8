"""The command line: what each command takes, and nothing of how it is done."""

from evenodds.cli import (
    coaching,
    comparing,
    opponents,
    playing,
    serving,
    solving,
    studying,
    sweeping,
)
from evenodds.cli.base import main, run

__all__ = [
    "coaching",
    "comparing",
    "main",
    "opponents",
    "playing",
    "run",
    "serving",
    "solving",
    "studying",
    "sweeping",
]
