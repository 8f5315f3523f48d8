"""The command line: what each command takes, and nothing of how it is done."""

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
