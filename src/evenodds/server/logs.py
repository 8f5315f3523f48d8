"""Logging as JSON lines on standard error, without secrets."""

import logging
import os
import threading
import time
from contextlib import suppress
from queue import Full, Queue
from typing import Any, Final

import msgspec

LOG: Final = logging.getLogger("evenodds.server")
STANDARD_ATTRIBUTES: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "color_message",
}
LOG_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, with the attributes passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "at": f"{at}.{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        line |= {key: said for key, said in vars(record).items() if key not in STANDARD_ATTRIBUTES}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return LOG_ENCODER.encode(line).decode()


class QueuedHandler(logging.Handler):
    """Writes lines in a thread: nobody waits for a full pipe that is not read.

    It writes to the descriptor, since a thread blocked in `sys.stderr` would keep its lock at exit.
    Beyond `max_lines` that wait, lines are dropped and counted. The exit waits for their reader.
    """

    def __init__(
        self, descriptor: int = 2, max_lines: int = 10_000, flush_timeout_s: float = 1.0
    ) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._flush_timeout_s = flush_timeout_s
        self._lines: Queue[str] = Queue(max_lines)
        self._dropped = 0
        threading.Thread(target=self._write_lines, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line, or drop it where too many wait."""
        try:
            if self._dropped:
                said = {"name": LOG.name, "levelname": "WARNING", "count": self._dropped}
                dropped = logging.makeLogRecord(said | {"msg": "lines of the log were dropped"})
                self._lines.put_nowait(self.format(dropped))
                self._dropped = 0
            self._lines.put_nowait(self.format(record))
        except Full:
            self._dropped += 1

    def flush(self) -> None:
        """Wait until all lines are written, or the time is up; `logging` calls this at exit."""
        with self._lines.all_tasks_done:
            self._lines.all_tasks_done.wait_for(
                lambda: not self._lines.unfinished_tasks, self._flush_timeout_s
            )

    def _write_lines(self) -> None:
        while True:
            data = f"{self._lines.get()}\n".encode()
            with suppress(OSError):  # nobody reads any more
                while data:
                    data = data[os.write(self._descriptor, data) :]
            self._lines.task_done()


def configure_logging(level: str) -> None:
    """Log records of this level and above."""
    handler = QueuedHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level="WARNING", handlers=[handler], force=True)
    for name in ("evenodds", "uvicorn"):
        logging.getLogger(name).setLevel(level.upper())
