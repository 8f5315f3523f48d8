"""Budget of language model requests and tokens for a run, shared by its processes.

A run is one command, and where it keeps its matches in a folder also the command that goes on with
them. Its count lies in a file that all its processes share. A request is booked before it is sent,
with what it takes at least; so what is under way when a process dies counts as spent.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock as ThreadLock
from typing import Any, Final, NamedTuple

from evenodds.system.environment import whole_setting
from evenodds.system.files import replace_file
from evenodds.system.locks import Lock

REQUESTS_SETTING: Final = "EVENODDS_LLM_REQUESTS"
TOKENS_SETTING: Final = "EVENODDS_LLM_TOKENS"
"""The settings, and what holds without them."""
DEFAULT_LIMITS: Final = {REQUESTS_SETTING: 1000, TOKENS_SETTING: 1_000_000}
BUDGET_FILE_NAME: Final = "llm-spent.json"
"""What the count is called in a folder of matches."""
BYTES_PER_TOKEN: Final = 3
"""Where a service does not say how many tokens it took: rather too few."""


class BudgetExhausted(Exception):
    """A limit is used up: which one, and how it is raised."""


class BadBudgetFile(ValueError):
    """A file that holds no count."""


class AnswerUsage:
    """What one answer took: what the service says, or else a guess that is marked as one."""

    def __init__(self, said: Any, sent: int, received: int) -> None:
        counts = [_count(said, key) for key in ("prompt_tokens", "completion_tokens")]
        self.guessed = None in counts
        guesses = (estimate_tokens(sent), estimate_tokens(received))
        self.tokens = sum(
            guess if count is None else count for count, guess in zip(counts, guesses, strict=True)
        )


def estimate_tokens(size: int) -> int:
    """How many tokens so many bytes are taken for."""
    return size // BYTES_PER_TOKEN + 1


def _count(said: Any, key: str) -> int | None:
    count = said.get(key) if isinstance(said, dict) else None
    return count if type(count) is int and 0 <= count < 10**9 else None


class BudgetUsage(NamedTuple):
    """What is booked so far."""

    requests: int = 0
    tokens: int = 0
    guesses: int = 0
    """Requests whose tokens are a guess, those under way among them."""


class Budget:
    """What is left of a run's limits; several threads may spend it.

    With a file several processes may, one after the other and at once; `BadBudgetFile` where it
    holds something else.
    """

    def __init__(
        self, requests: int | None = None, tokens: int | None = None, file: Path | None = None
    ) -> None:
        """Limits that are given, or else those of the environment, or else the usual ones."""
        self._limits = {
            REQUESTS_SETTING: _limit(REQUESTS_SETTING, requests),
            TOKENS_SETTING: _limit(TOKENS_SETTING, tokens),
        }
        self._file = file
        self._lock = ThreadLock()
        self._booked = BudgetUsage()
        self._read()

    @property
    def spent(self) -> BudgetUsage:
        """What is booked so far."""
        self._read()
        return self._booked

    def book(self, size: int) -> int:
        """Book a request of so many bytes, before it is sent; the tokens booked for it.

        `BudgetExhausted` when there is nothing left for it.
        """
        tokens = estimate_tokens(size)
        with self._changed() as count:
            for name, used in ((REQUESTS_SETTING, count.requests), (TOKENS_SETTING, count.tokens)):
                if used >= self._limits[name]:
                    what = "requests" if name == REQUESTS_SETTING else "tokens"
                    raise BudgetExhausted(
                        f"the {self._limits[name]:,} {what} of this run are used up ({name})"
                    )
            self._booked = BudgetUsage(count.requests + 1, count.tokens + tokens, count.guesses + 1)
        return tokens

    def settle(self, booked: int, tokens: int, guessed: bool = False) -> None:
        """Put what a request took in the place of what was booked for it."""
        with self._changed() as (requests, all_tokens, guesses):
            self._booked = BudgetUsage(
                requests, all_tokens - booked + tokens, guesses - (not guessed)
            )

    def told(self) -> str:
        """What was spent, in a sentence; nothing where nobody was asked."""
        requests, tokens, guesses = self.spent
        if not requests:
            return ""
        times = "once" if requests == 1 else f"{requests:,} times"
        about = "about " if guesses else ""
        return f"So far models were asked {times}, for {about}{tokens:,} tokens."

    @contextmanager
    def _changed(self) -> Iterator[BudgetUsage]:
        """The count as it stands, while nobody else changes it; then it is kept."""
        with self._lock:
            if self._file is None:
                yield self._booked
                return
            lock = Lock(self._file.with_suffix(".lock"), wait=True)
            try:
                self._read()
                yield self._booked
                replace_file(self._file, json.dumps(self._booked._asdict()) + "\n")
            finally:
                lock.release()

    def _read(self) -> None:
        if self._file is None:
            return
        try:
            found = BudgetUsage(**json.loads(self._file.read_text(encoding="utf-8")))
            if not all(type(one) is int and one >= 0 for one in found):
                raise ValueError
        except FileNotFoundError:
            return
        except (ValueError, TypeError):
            raise BadBudgetFile(
                f"{self._file} is damaged: what models have cost is not known"
            ) from None
        self._booked = found


def _limit(name: str, given: int | None) -> int:
    if given is None:
        given = whole_setting(name, "whole numbers")
    return DEFAULT_LIMITS[name] if given is None else given
