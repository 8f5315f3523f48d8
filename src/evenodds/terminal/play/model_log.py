"""Logs of prompts and answers of language models, saved beside a match and its record."""

from evenodds.system.files import PRIVATE_MODE
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MODEL_LOG_SUFFIX, MatchFile


class ModelLog:
    """The log of prompts and answers of one match; a write error is shown once."""

    def __init__(self, match_file: MatchFile, screen: Screen) -> None:
        self._match_file = match_file
        self._screen = screen
        self._written = False
        self._error_shown = False

    def append(self, line: str) -> None:
        """Append a line."""
        self._written = True
        try:
            self._match_file.append_model_log(line)
        except OSError as error:
            self._show_error(error)

    def close(self, record: str | None) -> None:
        """Show the cost so far, and copy the log beside the record file."""
        if not self._written:
            return
        from evenodds.players.llm.model_player import process_budget
        from evenodds.terminal.storage import records

        self._screen.say(*filter(None, [process_budget().summary()]))
        if record is not None:
            try:
                records.append(
                    f"{record}.{MODEL_LOG_SUFFIX}",
                    self._match_file.model_log(),
                    between="",
                    mode=PRIVATE_MODE,
                )
            except OSError as error:
                self._show_error(error)

    def _show_error(self, error: OSError) -> None:
        if not self._error_shown:
            self._error_shown = True
            reason = error.strerror or error
            self._screen.say(f"The model's answers cannot be saved: {reason}. The match goes on.")
