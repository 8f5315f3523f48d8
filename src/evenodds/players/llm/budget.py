"""Budget of language model requests and tokens for a run, shared by its processes.

A run is one command; where matches are stored in a folder, also the command that continues them.
The count is in a file that all processes of a run share. A request is reserved before it is sent,
with the least it can cost; so what is under way when a process dies counts as spent.
"""

from contextlib import nullcontext
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from evenodds.system.environment import whole_setting
from evenodds.system.errors import EvenOddsError
from evenodds.system.json_store import JsonStore

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


Count = Annotated[int, Meta(ge=0)]


class BudgetUsage(Struct, frozen=True, forbid_unknown_fields=True):
    """What is spent or reserved so far. The fields are the keys of the file."""

    requests: Count = 0
    tokens: Count = 0
    guesses: Count = 0
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
        self._store = JsonStore(file, BudgetUsage) if file else None
        self._lock = Lock()
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
        self._add(1, tokens, 1, check_limits=True)
        return tokens

    def settle(self, reserved: int, tokens: int, guessed: bool = False) -> None:
        """Replace the reservation of a request by its actual cost."""
        self._add(0, tokens - reserved, 0 if guessed else -1)

    def cancel(self, reserved: int) -> None:
        """Take back the reservation of a request that was not sent."""
        self._add(-1, -reserved, -1)

    def summary(self) -> str:
        """What was spent, in a sentence; empty without requests."""
        spent = self.spent
        if not spent.requests:
            return ""
        times = "once" if spent.requests == 1 else f"{spent.requests:,} times"
        approximately = "about " if spent.guesses else ""
        return f"So far models were asked {times}, for {approximately}{spent.tokens:,} tokens."

    def _add(self, requests: int, tokens: int, guesses: int, check_limits: bool = False) -> None:
        # The thread lock protects `_usage`, the file lock the file between processes.
        with self._lock, self._store.locked() if self._store else nullcontext():
            self._read()
            used = self._usage
            if check_limits:
                self._check_limit(REQUESTS_SETTING, "requests", used.requests)
                self._check_limit(TOKENS_SETTING, "tokens", used.tokens)
            self._usage = BudgetUsage(
                used.requests + requests, used.tokens + tokens, used.guesses + guesses
            )
            if self._store:
                self._store.save(self._usage)

    def _check_limit(self, setting: str, what: str, used: int) -> None:
        limit = self._limits[setting]
        if used >= limit:
            raise BudgetExhausted(f"the {limit:,} {what} of this run are used up ({setting})")

    def _read(self) -> None:
        if self._store is None:
            return
        found = self._store.load()
        if found.damaged:
            raise BadBudgetFile(
                f"{self._store.path} is damaged: what models have cost is not known"
            )
        self._usage = found.value


def _limit(name: str, given: int | None) -> int:
    if given is None:
        given = whole_setting(name, "whole numbers")
    return DEFAULT_LIMITS[name] if given is None else given
