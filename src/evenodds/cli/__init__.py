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
    tools,
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
    "tools",
]
