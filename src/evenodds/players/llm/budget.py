"""Budget of language model requests and tokens for a run, shared by its processes.

A run is one command; where matches are stored in a folder, also the command that continues them.
The count is in a file that all processes of a run share. A request is reserved before it is sent,
with the least it can cost; so what is under way when a process dies counts as spent.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock as ThreadLock
from typing import Any, Final, NamedTuple

from evenodds.system.environment import whole_setting
from evenodds.system.errors import EvenOddsError
from evenodds.system.files import replace_file
from evenodds.system.locks import Lock

REQUESTS_SETTING: Final = "EVENODDS_LLM_REQUESTS"
TOKENS_SETTING: Final = "EVENODDS_LLM_TOKENS"
"""Environment variables with the limits of a run."""
DEFAULT_LIMITS: Final = {REQUESTS_SETTING: 1000, TOKENS_SETTING: 1_000_000}
BUDGET_FILE_NAME: Final = "llm-spent.json"
"""The name of the count in a folder of matches."""
BYTES_PER_TOKEN: Final = 3
"""For estimates where a service reports no tokens; low, so that estimates are high."""


class BudgetExhausted(Exception):
    """A limit is used up: which one, and the variable that raises it."""


class BadBudgetFile(EvenOddsError, ValueError):
    """A file that is not a valid count."""


class AnswerUsage:
    """The tokens of one answer: reported by the service, or else estimated and marked so."""

    def __init__(self, reported: Any, sent: int, received: int) -> None:
        counts = [_count(reported, key) for key in ("prompt_tokens", "completion_tokens")]
        total = _count(reported, "total_tokens")
        if None in counts and total is not None:
            counts = [total, 0]
        self.guessed = None in counts
        guesses = (estimate_tokens(sent), estimate_tokens(received))
        self.tokens = sum(
            guess if count is None else count for count, guess in zip(counts, guesses, strict=True)
        )


def estimate_tokens(size: int) -> int:
    """The estimated tokens of so many bytes."""
    return size // BYTES_PER_TOKEN + 1


def _count(reported: Any, key: str) -> int | None:
    count = reported.get(key) if isinstance(reported, dict) else None
    return count if type(count) is int and 0 <= count < 10**9 else None


class BudgetUsage(NamedTuple):
    """What is spent or reserved so far."""

    requests: int = 0
    tokens: int = 0
    guesses: int = 0
    """Requests whose tokens are an estimate, those under way among them."""


class Budget:
    """The limits and the usage of a run. Thread-safe; with a file also safe between processes.

    `BadBudgetFile` where the file is damaged.
    """

    def __init__(
        self, requests: int | None = None, tokens: int | None = None, file: Path | None = None
    ) -> None:
        """Limits as given, or else from the environment, or else the defaults."""
        self._limits = {
            REQUESTS_SETTING: _limit(REQUESTS_SETTING, requests),
            TOKENS_SETTING: _limit(TOKENS_SETTING, tokens),
        }
        self._file = file
        self._lock = ThreadLock()
        self._usage = BudgetUsage()
        self._read()

    @property
    def spent(self) -> BudgetUsage:
        """What is spent or reserved so far."""
        self._read()
        return self._usage

    def reserve(self, size: int) -> int:
        """Reserve a request of so many bytes before it is sent; the tokens reserved for it.

        `BudgetExhausted` when a limit is reached.
        """
        tokens = estimate_tokens(size)
        with self._locked_usage() as count:
            for name, used in ((REQUESTS_SETTING, count.requests), (TOKENS_SETTING, count.tokens)):
                if used >= self._limits[name]:
                    what = "requests" if name == REQUESTS_SETTING else "tokens"
                    raise BudgetExhausted(
                        f"the {self._limits[name]:,} {what} of this run are used up ({name})"
                    )
            self._usage = BudgetUsage(count.requests + 1, count.tokens + tokens, count.guesses + 1)
        return tokens

    def settle(self, reserved: int, tokens: int, guessed: bool = False) -> None:
        """Replace the reservation of a request by its actual cost."""
        with self._locked_usage() as (requests, all_tokens, guesses):
            self._usage = BudgetUsage(
                requests, all_tokens - reserved + tokens, guesses - (not guessed)
            )

    def cancel(self, reserved: int) -> None:
        """Take back the reservation of a request that was not sent."""
        with self._locked_usage() as (requests, tokens, guesses):
            self._usage = BudgetUsage(requests - 1, tokens - reserved, guesses - 1)

    def summary(self) -> str:
        """What was spent, in a sentence; empty without requests."""
        requests, tokens, guesses = self.spent
        if not requests:
            return ""
        times = "once" if requests == 1 else f"{requests:,} times"
        approximately = "about " if guesses else ""
        return f"So far models were asked {times}, for {approximately}{tokens:,} tokens."

    @contextmanager
    def _locked_usage(self) -> Iterator[BudgetUsage]:
        """Hold the locks, yield the current usage, then store the new one.

        The thread lock protects `_usage`, the file lock the file between processes.
        """
        with self._lock:
            if self._file is None:
                yield self._usage
                return
            lock = Lock(self._file.with_suffix(".lock"), wait=True)
            try:
                self._read()
                yield self._usage
                replace_file(self._file, json.dumps(self._usage._asdict()) + "\n")
            finally:
                lock.release()

    def _read(self) -> None:
        if self._file is None:
            return
        try:
            found = BudgetUsage(**json.loads(self._file.read_text(encoding="utf-8")))
            if not all(type(number) is int and number >= 0 for number in found):
                raise ValueError
        except FileNotFoundError:
            return
        except (ValueError, TypeError):
            raise BadBudgetFile(
                f"{self._file} is damaged: what models have cost is not known"
            ) from None
        self._usage = found


def _limit(name: str, given: int | None) -> int:
    if given is None:
        given = whole_setting(name, "whole numbers")
    return DEFAULT_LIMITS[name] if given is None else given
