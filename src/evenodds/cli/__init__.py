"""The command line interface: commands and their options; the work is done elsewhere.

The module of a command is imported when the command runs, so that the start stays fast.

May import `adapters`, `app`, `arena`, `claims`, `client`, `coach`, `core`, `figures`, `graph`,
`kernels`, `players`, `render`, `server`, `solver`, `study`, `system`, `terminal` and `workers`;
libraries: `click`.
"""

from evenodds.cli.entry import main, run

__all__ = ["main", "run"]
