"""The request for a page that the server sends to the worker process, and its exit codes."""

from typing import Final, NamedTuple

EXIT_REFUSED: Final = 4
"""The exit code where the request is refused; the reason is a line on stderr."""
EXIT_NOT_CACHED: Final = 3
"""The exit code of a request for a cached page only, where something is not in the cache."""
EXIT_NO_MEMORY: Final = 5
"""The exit code where the memory limit was reached."""


class PageRequest(NamedTuple):
    """The study of a game, or without one the comparison of all. The fields are keys of its JSON.

    `home` is the address of the comparison; the study of a game lies below it.
    """

    home: str
    game: str = ""
    rules: dict[str, str] = {}  # noqa: RUF012 - never changed
    kept: bool = False
    """Whether to render the page only if all its data are cached."""
    most_mb: int = 0
    """The memory limit of the worker process in megabytes; 0 for none."""
