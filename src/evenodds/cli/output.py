"""Standard output whose write errors are distinguished from other system errors."""

from typing import Any, TextIO


class OutputClosed(Exception):
    """Standard output cannot be written. No `OSError`: callers would take it for one of theirs."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the output cannot be written: {error.strerror}")
        self.errno = error.errno


class Output:
    """A proxy of a stream that raises `OutputClosed` where it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or `OutputClosed`."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputClosed(error) from None

    def flush(self) -> None:
        """Flush, or `OutputClosed`."""
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputClosed(error) from None
