"""The command line interface: commands and their options; the work is done elsewhere.

The module of a command is imported when the command runs, so that the start stays fast. This one
holds the start itself, and whether that is the full-screen app: on a real terminal, unless plain
text is wanted.
"""

import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NoReturn

from evenodds.system import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from evenodds.app.app import EvenOddsApp
    from evenodds.table.play_options import PlayOptions
    from evenodds.table.table import SessionOptions

PLAIN_TERMINALS: Final = ("", "dumb", "unknown")


def run() -> NoReturn:
    """The entry point; without arguments, the app opens without the modules of commands."""
    try:
        if len(sys.argv) == 1 and opens_app():
            open_app()
        from evenodds.cli.entry import run_command

        run_command()
    except KeyboardInterrupt:  # during the imports; what runs later ends by itself
        sys.exit(EXIT_INTERRUPTED)


def opens_app(plain: bool = False) -> bool:
    """Whether the app can draw here, and `--plain` or EVENODDS_PLAIN do not forbid it."""
    if plain or os.environ.get("EVENODDS_PLAIN", "0") not in ("", "0"):
        return False
    if sys.platform != "win32" and os.environ.get("TERM", "") in PLAIN_TERMINALS:
        return False
    # A stream that was closed before the start is none.
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def open_app(
    options: "SessionOptions | None" = None,
    request: "PlayOptions | None" = None,
    first: "Callable[[EvenOddsApp], None] | None" = None,
) -> NoReturn:
    """Run the app, opened at home or at what `first` opens, and exit with its code."""
    gc.disable()  # until the first frame: a sixth of the time up to it
    from evenodds.app.app import run_app
    from evenodds.table.play_options import PlayOptions
    from evenodds.table.table import SessionOptions

    sys.exit(run_app(options or SessionOptions(), request or PlayOptions(), first))
