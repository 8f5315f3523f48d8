"""The command line: what each command takes, and nothing of how it is done."""

from evenodds.cli import arena, coach, mcp, play, players, serve, solve, study, sweep
from evenodds.cli.common import main, run

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
