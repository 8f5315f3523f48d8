"""The command line interface: commands and their options; the work is done elsewhere.

The module of a command is imported when the command runs, so that the start stays fast.
"""

import sys
from typing import NoReturn

from evenodds.cli.full_screen import open_app, opens_app
from evenodds.system.errors import EXIT_INTERRUPTED


def run() -> NoReturn:
    """The entry point; without arguments, the app opens without the modules of commands."""
    try:
        if len(sys.argv) == 1 and opens_app():
            open_app()
        from evenodds.cli.entry import run_command

        run_command()
    except KeyboardInterrupt:  # during the imports; what runs later ends by itself
        sys.exit(EXIT_INTERRUPTED)
