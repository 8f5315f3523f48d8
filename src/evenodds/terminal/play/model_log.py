"""Logs of prompts and answers of language models, saved beside a match and its record."""

from evenodds.system.files import PRIVATE_MODE
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MODEL_LOG_SUFFIX, MatchFile


class ModelLog:
    """The exchange with the models of one match; where it cannot be kept, that is said once."""

    def __init__(self, slot: MatchFile, screen: Screen) -> None:
        self._slot = slot
        self._screen = screen
        self._kept = False
        self._trouble = False

    def keep(self, line: str) -> None:
        """Keep a line of it."""
        self._kept = True
        try:
            self._slot.note(line)
        except OSError as error:
            self._complain(error)

    def end(self, record: str | None) -> None:
        """The match was left: what models have cost so far, and a copy beside its record."""
        if not self._kept:
            return
        from evenodds.players.llm.player import process_budget
        from evenodds.terminal.storage import records

        self._screen.say(*filter(None, [process_budget().summary()]))
        if record is not None:
            try:
                records.append(
                    f"{record}.{MODEL_LOG_SUFFIX}",
                    self._slot.notes(),
                    between="",
                    mode=PRIVATE_MODE,
                )
            except OSError as error:
                self._complain(error)

    def _complain(self, error: OSError) -> None:
        if not self._trouble:
            self._trouble = True
            why = error.strerror or error
            self._screen.say(f"What the model says cannot be kept: {why}. Play goes on.")
