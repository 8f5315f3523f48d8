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

from evenodds.system import EvenOddsError
from evenodds.system.environment import whole_setting
from evenodds.system.json_store import JsonStore

LIMITS: Final = {
    "requests": ("EVENODDS_LLM_REQUESTS", 1000),
    "tokens": ("EVENODDS_LLM_TOKENS", 1_000_000),
}
"""The environment variables with the limits of a run, and the defaults."""
BUDGET_FILE_NAME: Final = "llm-spent.json"
"""The name of the count in a folder of matches."""
BYTES_PER_TOKEN: Final = 3
"""For estimates where a service reports no tokens; low, so that estimates are high."""


class BudgetExhausted(Exception):
    """A limit is used up: which one, and the variable that raises it."""


class BadBudgetFile(EvenOddsError, ValueError):
    """A file that is not a valid count."""


def answer_tokens(reported: Any, sent: int, received: int) -> tuple[int, bool]:
    """The tokens of one answer, and whether they are an estimate: the service may not tell them."""
    counts = [_count(reported, key) for key in ("prompt_tokens", "completion_tokens")]
    total = _count(reported, "total_tokens")
    if None in counts and total is not None:
        return total, False
    guesses = (_estimated(sent), _estimated(received))
    pairs = zip(counts, guesses, strict=True)
    return sum(guess if count is None else count for count, guess in pairs), None in counts


def _estimated(size: int) -> int:
    return size // BYTES_PER_TOKEN + 1


def _count(reported: Any, key: str) -> int | None:
    count = reported.get(key) if isinstance(reported, dict) else None
    return count if type(count) is int and 0 <= count < 10**9 else None


Count = Annotated[int, Meta(ge=0)]


class BudgetUsage(Struct, frozen=True):
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
        self._limits: dict[str, int] = {}
        for what, given in (("requests", requests), ("tokens", tokens)):
            name, usual = LIMITS[what]
            chosen = whole_setting(name, "whole numbers") if given is None else given
            self._limits[what] = usual if chosen is None else chosen
        self._store = JsonStore(file, BudgetUsage) if file else None
        self._lock = Lock()
        self._unstored = BudgetUsage()
        self._unstored = self.spent  # refuses a damaged file at once

    @property
    def spent(self) -> BudgetUsage:
        """What is spent or reserved so far."""
        if self._store is None:
            return self._unstored
        found = self._store.load()
        if found.damaged:
            problem = "is damaged: what models have cost is not known"
            raise BadBudgetFile(f"{self._store.path} {problem}")
        return found.value

    def reserve(self, size: int) -> int:
        """Reserve a request of so many bytes before it is sent; the tokens reserved for it.

        `BudgetExhausted` when a limit is reached.
        """
        tokens = _estimated(size)
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
        said = f"So far models were asked {times}, for {approximately}{spent.tokens:,} tokens."
        return f"{said} {self._store.load().note if self._store else ''}".rstrip()

    def _add(self, requests: int, tokens: int, guesses: int, check_limits: bool = False) -> None:
        # The thread lock is for this process, the file lock between processes.
        with self._lock, self._store.locked() if self._store else nullcontext():
            used = self.spent
            for what, limit in self._limits.items():
                if check_limits and getattr(used, what) >= limit:
                    setting, _ = LIMITS[what]
                    problem = f"the {limit:,} {what} of this run are used up ({setting})"
                    raise BudgetExhausted(problem)
            self._unstored = BudgetUsage(
                used.requests + requests, used.tokens + tokens, used.guesses + guesses
            )
            if self._store:
                self._store.save(self._unstored)
