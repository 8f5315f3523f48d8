"""The request for a page that the server sends to the worker process, and its exit codes."""

from typing import Final, NamedTuple

EXIT_REFUSED: Final = 4
"""The exit code of a press that says in one line why there is no page."""
EXIT_NOT_CACHED: Final = 3
"""The exit code where only what is kept was to be printed, and something is not."""
EXIT_NO_MEMORY: Final = 5
"""The exit code where it takes more memory than there is for it."""


class PageRequest(NamedTuple):
    """What is to be printed: the study of a game, or without one a comparison of all.

    `home` is the address of the comparison; the study of a game lies below it.
    """

    home: str
    game: str = ""
    rules: dict[str, str] = {}  # noqa: RUF012 - never changed
    kept: bool = False
    """Whether it is to be printed only if nothing must be solved for it."""
    most_mb: int = 0
    """Megabytes that the press may take for its data; 0 for as many as there are."""
