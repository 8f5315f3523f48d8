"""A player that asks a language model for every pick, within a timeout and a budget.

`docs/llm.md` describes the prompts, the costs, and the treatment of bad answers.
"""

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from evenodds.core.record import View, result_as_data
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEAT_NAMES, Seat
from evenodds.players.llm import answer_parsing, chat
from evenodds.players.llm.budget import Budget, BudgetExhausted, answer_tokens
from evenodds.players.llm.prompt import (
    USUAL,
    Edition,
    pick_request,
    position_prompt,
    rules_prompt,
)
from evenodds.players.player import (
    CannotPlay,
    Forfeit,
    IllegalAnswerCounts,
    Player,
    Unavailable,
    pick_timeout_message,
)
from evenodds.system.text import shorten

LogLine = Callable[[str], None]
"""Receives the log of prompts and answers, a line of JSON at a time."""
MAX_ANSWERS_PER_PICK: Final = 2
"""Answers of a model for one pick: the second after a bad first one."""


class Answers(Protocol):
    """Keeps the answers of a match by the numbers of their requests: none is paid twice."""

    def find(self, number: int) -> dict[str, Any] | None:
        """What is kept of a request."""

    def keep(self, number: int, line: dict[str, Any]) -> None:
        """Keep the exchange of a request."""


class Question(NamedTuple):
    """How a model is asked, beyond the match."""

    edition: Edition = USUAL
    parameters: Mapping[str, Any] = MappingProxyType({})
    """Further parameters of each request, such as `temperature`."""


@cache
def process_budget() -> Budget:
    """The budget of this process, for players that are given none."""
    return Budget()


class ModelPlayer(Player):
    """A model in a seat; no request is sent, and none paid, before its first pick."""

    def __init__(
        self,
        detail: str,
        terms: Terms,
        seat: Seat,
        seconds: float,
        log_line: LogLine | None = None,
        budget: Budget | None = None,
        sleep: Callable[[float], None] = time.sleep,
        question: Question = Question(),  # noqa: B008 - immutable
        answers: Answers | None = None,
    ) -> None:
        self._endpoint = chat.with_key(chat.parse_endpoint(detail))
        self._terms = terms
        self._seat = seat
        self._seconds = seconds
        self._log_line = log_line or (lambda line: None)
        self._budget = budget or process_budget()
        self._sleep = sleep
        self._question, self._answers = question, answers
        self._rules = rules_prompt(terms, seat, question.edition)
        self._requests = 0
        self._asked_once = False
        self._unwritten: list[str] = []
        """Log lines of this round, written after it: an opponent could read the pick in them."""

    def check_available(self) -> None:
        """`CannotPlay` where the service cannot be reached; no request is sent."""
        try:
            chat.check_connection(self._endpoint, self._seconds)
        except chat.ServiceFailure as error:
            raise CannotPlay(f"the model cannot be asked: {error}") from None

    def pick(self, view: View) -> int:
        """The model's number; `Forfeit` on timeout, or after two bad answers.

        A forced one is not asked for. `Unavailable` when the service fails or the budget is
        exhausted.
        """
        if len(view.choices) == 1:
            return view.choices[0]  # nothing to decide
        self._flush_log()
        deadline = time.monotonic() + self._seconds
        question = position_prompt(self._terms, view, self._question.edition)
        messages = [_message("system", self._rules), _message("user", question)]
        try:
            return self._legal_pick(messages, view, deadline)
        except TimeoutError:
            raise Forfeit(f"the model {pick_timeout_message(self._seconds)}") from None
        except chat.ServiceFailure as error:
            raise Unavailable(f"the model cannot be asked: {error}") from None
        except BudgetExhausted as error:
            raise Unavailable(f"the model is not asked any more: {error}") from None

    def leave(self, view: View) -> None:
        """Log the result, if the model was ever asked."""
        if self._asked_once:
            self._log("left", result=view.result and result_as_data(view.result))
            self._flush_log()

    def _legal_pick(self, messages: list[chat.Message], view: View, deadline: float) -> int:
        """A legal number; after one bad answer the model is asked once more."""
        for _ in range(MAX_ANSWERS_PER_PICK):
            body = self._answer(messages, view.round, deadline)
            text = chat.answer_text(body) or ""
            try:
                return answer_parsing.parse_legal_pick(text, self._terms, view)
            except answer_parsing.BadModelAnswer as error:
                illegal = isinstance(error, answer_parsing.IllegalModelPick)
                cut_off = not illegal and chat.is_cut_off(body)
                self.faults += IllegalAnswerCounts(not illegal and not cut_off, illegal, cut_off)
                leaks = text != self._endpoint.scrubbed(text)
                problem = "the answer repeats the key" if leaks else str(error)
                said = answer_parsing.without_reasoning(text) or "(no answer)"
                request = pick_request(self._terms, view, self._question.edition)
                messages.append(_message("assistant", said))
                messages.append(_message("user", f"{problem}. {request}"))
        what = "no legal number" if illegal else "no answer that could be read"
        raise Forfeit(f"the model was asked twice and gave {what}: {shorten(problem, 120)}")

    def _answer(self, messages: list[chat.Message], round: int, deadline: float) -> Any:
        """The body of an answer, as it is kept or as the service gives it.

        A request that failed for the moment is sent once more; one that the service refused, again
        and again while there is time, after the pause that the service wants, which doubles.
        """
        self._requests += 1
        if self._answers and (known := self._answers.find(self._requests)) is not None:
            if known["body"] is None:
                raise TimeoutError
            return known["body"]
        tries = 0
        while True:
            try:
                return self._ask(messages, round, deadline)
            except chat.ServiceFailure as error:
                if error.retry_after_s is None or (tries and not error.refused):
                    raise
                pause_s = max(error.retry_after_s * 2**tries, 2.0**tries - 1)
                if time.monotonic() + pause_s >= deadline:
                    problem = f"{error}, and wants {pause_s:g} seconds of pause"
                    raise chat.ServiceFailure(problem) from None
            self._sleep(pause_s)
            tries += 1

    def _ask(self, messages: list[chat.Message], round: int, deadline: float) -> Any:
        """Send one request, and log the prompt and the answer."""
        sent = chat.request_body(self._endpoint, messages, self._question.parameters)
        # Spent, unless the service refuses or reports less.
        reserved = self._budget.reserve(len(sent))
        self._log("question", round=round, messages=list(messages))
        started = time.monotonic()
        try:
            answer = chat.request_answer(self._endpoint, sent, deadline)
        except chat.ServiceFailure as error:
            self._log("failure", round=round, problem=str(error), body=error.body)
            if error.unsent or error.refused:
                self._budget.cancel(reserved)
            raise
        except TimeoutError:
            self._log("failure", round=round, problem="no answer in time", body=None)
            self._keep(messages, tokens=reserved, guessed=True, body=None)
            raise
        seconds = float(f"{time.monotonic() - started:.3f}")
        tokens, guessed = answer_tokens(answer.body.get("usage"), len(sent), answer.size)
        self._budget.settle(reserved, tokens, guessed)
        told = {"seconds": seconds, "tokens": tokens, "guessed": guessed, "body": answer.body}
        self._log("answer", round=round, **told)
        self._keep(messages, **told)
        return answer.body

    def _keep(self, messages: list[chat.Message], **told: Any) -> None:
        if self._answers:
            line = self._endpoint.scrubbed({"messages": list(messages), **told})
            self._answers.keep(self._requests, line)

    def _log(self, kind: str, **data: Any) -> None:
        """Add a log entry with the time, and without the key wherever it occurs."""
        if not self._asked_once:
            self._asked_once = True
            self._log(
                "match",
                game=self._terms.game.name,
                rulings=as_data(self._terms.rulings),
                seat=SEAT_NAMES[self._seat],
                players=list(self._terms.players),
                model=self._endpoint.model,
                service=self._endpoint.origin + self._endpoint.path,
                seconds=self._seconds,
            )
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"type": kind, "time": now, **data}
        self._unwritten.append(json.dumps(self._endpoint.scrubbed(line)))

    def _flush_log(self) -> None:
        lines, self._unwritten = self._unwritten, []
        for line in lines:
            self._log_line(line)


def _message(role: str, content: str) -> chat.Message:
    return {"role": role, "content": content}
