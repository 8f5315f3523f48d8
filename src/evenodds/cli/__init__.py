"""The command line interface: commands and their options; the work is done elsewhere."""

from evenodds.cli import arena, coach, mcp, play, players, serve, solve, study, sweep
from evenodds.cli.common import main, run

__all__ = [
    "arena",
    "coach",
    "main",
    "mcp",
    "play",
    "players",
    "run",
    "serve",
    "solve",
    "study",
    "sweep",
]
