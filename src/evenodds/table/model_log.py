"""Logs of prompts and answers of language models, saved beside a match and its record."""

from collections.abc import Callable

from evenodds.system.files import PRIVATE_MODE
from evenodds.table.saved_matches import MODEL_LOG_SUFFIX, MatchFile


class ModelLog:
    """The log of prompts and answers of one match; a write error is said once."""

    def __init__(self, match_file: MatchFile, say: Callable[[str], object]) -> None:
        self._match_file = match_file
        self._say = say
        self._written = False
        self._error_said = False

    def append(self, line: str) -> None:
        """Append a line."""
        self._written = True
        try:
            self._match_file.append_model_log(line)
        except OSError as error:
            self._say_error(error)

    def close(self, record: str | None) -> None:
        """Say the cost so far, and copy the log beside the record file."""
        if not self._written:
            return
        from evenodds.players.llm.model_player import process_budget
        from evenodds.table import records

        if cost := process_budget().summary():
            self._say(cost)
        if record is not None:
            try:
                records.append(
                    f"{record}.{MODEL_LOG_SUFFIX}",
                    self._match_file.model_log(),
                    between="",
                    mode=PRIVATE_MODE,
                )
            except OSError as error:
                self._say_error(error)

    def _say_error(self, error: OSError) -> None:
        if not self._error_said:
            self._error_said = True
            reason = error.strerror or error
            self._say(f"The model's answers cannot be saved: {reason}. The match goes on.")
