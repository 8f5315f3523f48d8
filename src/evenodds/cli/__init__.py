"""The command line interface: commands and their options; the work is done elsewhere.

Commands import what they need when they run, so that the start stays fast.

May import `adapters`, `arena`, `claims`, `client`, `coach`, `core`, `figures`, `graph`, `kernels`,
`players`, `policy`, `server`, `solver`, `study`, `system`, `terminal` and `workers`; libraries:
`click`.
"""

from evenodds.cli import arena, coach, mcp, play, players, serve, solve, study, sweep
from evenodds.cli.shared.common import main, run

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
