"""Logging as JSON lines on standard error, without secrets."""

import logging
import sys
import time
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
        line |= {
            key: value for key, value in vars(record).items() if key not in STANDARD_ATTRIBUTES
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return LOG_ENCODER.encode(line).decode()


def configure_logging(level: str) -> None:
    """Log records of this level and above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level="WARNING", handlers=[handler], force=True)
    for name in ("evenodds", "uvicorn"):
        logging.getLogger(name).setLevel(level.upper())
