"""Running the app: its exit code, and what is said when it has closed."""

import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from evenodds.app.app import EvenOddsApp
from evenodds.table.table import SessionOptions

if TYPE_CHECKING:
    from evenodds.table.play_options import PlayOptions


def run_app(
    options: SessionOptions,
    request: "PlayOptions",
    first: Callable[[EvenOddsApp], None] | None = None,
) -> int:
    """Run the app; the exit code."""
    for name in ("COLUMNS", "LINES"):  # Textual would take these for the size, whatever it becomes
        os.environ.pop(name, None)
    app = EvenOddsApp(options, request, first)
    exit_code = app.run()
    if app.failure is not None:
        raise app.failure
    for line in app.farewell:
        print(line)  # noqa: T201 - the app has closed
    code = exit_code or app.return_code or 0
    others = set(threading.enumerate()) - {threading.main_thread()}
    if any(not thread.daemon for thread in others):
        sys.stdout.flush()
        os._exit(code)  # something is computed that nobody waits for; Python would wait
    return code
