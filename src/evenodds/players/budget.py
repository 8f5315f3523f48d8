"""What models may cost in a run: how often they are asked, and for how many tokens."""

from threading import Lock
from typing import Any, Final

from evenodds.home import whole_setting

REQUESTS: Final = "EVENODDS_LLM_REQUESTS"
TOKENS: Final = "EVENODDS_LLM_TOKENS"
"""The settings, and what holds without them."""
USUAL: Final = {REQUESTS: 1000, TOKENS: 1_000_000}
LETTERS: Final = 3
"""Bytes to a token, where a service does not say how many tokens it took: rather too few."""


class Spent(Exception):
    """A limit is used up: which one, and how it is raised."""


class Usage:
    """What one answer took: what the service says, or else a guess that is marked as one."""

    def __init__(self, said: Any, sent: int, received: int) -> None:
        counts = [_count(said, key) for key in ("prompt_tokens", "completion_tokens")]
        self.guessed = None in counts
        guesses = (sent // LETTERS + 1, received // LETTERS + 1)
        self.tokens = sum(
            guess if count is None else count for count, guess in zip(counts, guesses, strict=True)
        )


def _count(said: Any, key: str) -> int | None:
    count = said.get(key) if isinstance(said, dict) else None
    return count if type(count) is int and 0 <= count < 10**9 else None


class Budget:
    """What is left of a run's limits; several threads may spend it."""

    def __init__(self, requests: int | None = None, tokens: int | None = None) -> None:
        """Limits that are given, or else those of the environment, or else the usual ones."""
        self._limits = {REQUESTS: _limit(REQUESTS, requests), TOKENS: _limit(TOKENS, tokens)}
        self.requests = 0
        self.tokens = 0
        self.guessed = False
        """Whether some tokens were guessed."""
        self._lock = Lock()

    def ask(self) -> None:
        """Count a request; `Spent` when there is nothing left for it."""
        with self._lock:
            for name, used in ((REQUESTS, self.requests), (TOKENS, self.tokens)):
                if used >= self._limits[name]:
                    what = "requests" if name == REQUESTS else "tokens"
                    raise Spent(
                        f"the {self._limits[name]:,} {what} of this run are used up ({name})"
                    )
            self.requests += 1

    def take(self, usage: Usage) -> None:
        """Count what an answer took."""
        with self._lock:
            self.tokens += usage.tokens
            self.guessed |= usage.guessed

    def told(self) -> str:
        """What was spent, in a sentence; nothing where nobody was asked."""
        if not self.requests:
            return ""
        times = "once" if self.requests == 1 else f"{self.requests:,} times"
        about = "about " if self.guessed else ""
        return f"So far models were asked {times}, for {about}{self.tokens:,} tokens."


def _limit(name: str, given: int | None) -> int:
    if given is None:
        given = whole_setting(name, "whole numbers")
    return USUAL[name] if given is None else given
