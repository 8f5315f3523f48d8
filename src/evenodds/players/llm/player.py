"""A player that asks a language model for every pick, within a timeout and a budget.

Every question holds all that the seat may see, so that nothing hangs on what was said before.
`docs/llm.md` says what it is told, what it may cost, and what becomes of bad answers.
"""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from evenodds.core.record import View
from evenodds.core.rulings import as_data
from evenodds.core.serialization import SEAT_NAMES, result_as_data
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.players.llm.answer_parsing import (
    BadModelAnswer,
    IllegalModelPick,
    parse_legal_pick,
    without_reasoning,
)
from evenodds.players.llm.budget import AnswerUsage, Budget, BudgetExhausted
from evenodds.players.llm.chat import (
    Message,
    ModelTimeout,
    ServiceFailure,
    check_connection,
    request_answer,
    request_body,
)
from evenodds.players.llm.endpoint import BadEndpoint, parse_endpoint, with_key
from evenodds.players.llm.prompt import position_prompt, retry_prompt, rules_prompt
from evenodds.players.player import CannotPlay, Forfeit, Player, Unavailable, pick_timeout_message
from evenodds.system.text import brief

LogLine = Callable[[str], None]
"""Takes what was said, a line of JSON at a time."""
MAX_ANSWERS_PER_PICK: Final = 2
"""How many answers a model may give to one question."""
MAX_REQUESTS_PER_ANSWER: Final = 2
"""How often a service is asked for one answer."""


@cache
def process_budget() -> Budget:
    """What this process may spend, where nobody says otherwise."""
    return Budget()


class ModelPlayer(Player):
    """A model in a seat; nothing is asked, and nothing paid, before its first pick."""

    def __init__(
        self,
        detail: str,
        terms: Terms,
        seat: Seat,
        seconds: float,
        keep: LogLine | None = None,
        budget: Budget | None = None,
    ) -> None:
        try:
            self._endpoint = with_key(parse_endpoint(detail))
        except BadEndpoint as error:
            raise CannotPlay(str(error)) from None
        self._terms = terms
        self._seat = seat
        self._seconds = seconds
        self._keep = keep or _discard_line
        self._budget = budget or process_budget()
        self._rules = rules_prompt(terms, seat)
        self._begun = False
        self._unkept: list[str] = []
        """What was said in this round: an opponent who can read it must not know it yet."""

    def pick(self, view: View) -> int:
        """The model's number; `Forfeit` when it has used up its time or our patience.

        `Unavailable` when it is not the model that cannot go on, but its service or the budget.
        """
        self._write()
        deadline = time.monotonic() + self._seconds
        messages = [_message("system", self._rules)]
        messages.append(_message("user", position_prompt(self._terms, view)))
        try:
            return self._number(messages, view, deadline)
        except ModelTimeout:
            raise Forfeit(f"the model {pick_timeout_message(self._seconds)}") from None
        except ServiceFailure as error:
            raise Unavailable(f"the model cannot be asked: {error}") from None
        except BudgetExhausted as error:
            raise Unavailable(f"the model is asked no more: {error}") from None

    def leave(self, view: View) -> None:
        """Write down how it ended, if the model was ever asked."""
        if self._begun:
            self._note("left", result=view.result and result_as_data(view.result))
            self._write()

    def _number(self, messages: list[Message], view: View, deadline: float) -> int:
        """A legal number; one bad answer is explained, and asked once more."""
        for _ in range(MAX_ANSWERS_PER_PICK):
            text = self._answer(messages, view.round, deadline)
            try:
                return parse_legal_pick(text, self._terms, view)
            except BadModelAnswer as error:
                illegal = isinstance(error, IllegalModelPick)
                self.faults = self.faults.and_one(illegal)
                problem = self._harmless(error, text)
                messages.append(_message("assistant", without_reasoning(text) or "(no answer)"))
                messages.append(_message("user", retry_prompt(problem, view)))
        what = "no legal number" if illegal else "no answer that could be read"
        raise Forfeit(f"the model was asked twice and gave {what}: {brief(str(problem), 120)}")

    def _harmless(self, problem: BadModelAnswer, text: str) -> BadModelAnswer:
        """What was wrong with an answer, which may quote it but not the key."""
        leaks = text != self._endpoint.scrubbed(text)
        return BadModelAnswer("the answer repeats the key") if leaks else problem

    def _answer(self, messages: list[Message], round: int, deadline: float) -> str:
        """What the model says; a service in passing trouble is asked once more."""
        for left in reversed(range(MAX_REQUESTS_PER_ANSWER)):
            try:
                return self._ask(messages, round, deadline)
            except ServiceFailure as error:
                if not left or error.pause is None:
                    raise
                if time.monotonic() + error.pause >= deadline:
                    raise ServiceFailure(
                        f"{error}, and wants {error.pause:g} seconds of rest"
                    ) from None
                time.sleep(error.pause)
        raise AssertionError

    def _ask(self, messages: list[Message], round: int, deadline: float) -> str:
        """Ask once, and note both question and answer."""
        sent = len(request_body(self._endpoint, messages))
        booked = self._budget.book(sent)  # and paid, unless the service says otherwise
        self._note("question", round=round, messages=list(messages))
        began = time.monotonic()
        try:
            answer = request_answer(self._endpoint, messages, deadline)
        except ServiceFailure as error:
            self._note("failure", round=round, problem=str(error), body=error.body)
            if error.refused:
                self._budget.settle(booked, 0)
            raise
        except ModelTimeout:
            self._note("failure", round=round, problem="no answer in time", body=None)
            raise
        seconds = time.monotonic() - began
        usage = AnswerUsage(answer.body.get("usage"), sent, answer.size)
        self._budget.settle(booked, usage.tokens, usage.guessed)
        cost = {"tokens": usage.tokens, "guessed": usage.guessed}
        self._note("answer", round=round, seconds=float(f"{seconds:.3f}"), **cost, body=answer.body)
        return answer.text

    def _about(self) -> dict[str, Any]:
        return {
            "game": self._terms.game.name,
            "rulings": as_data(self._terms.rulings),
            "seat": SEAT_NAMES[self._seat],
            "players": list(self._terms.players),
            "model": self._endpoint.model,
            "service": self._endpoint.origin + self._endpoint.path,
            "seconds": self._seconds,
        }

    def _note(self, kind: str, **data: Any) -> None:
        if not self._begun:
            self._begun = True
            self._unkept.append(self._line("match", **self._about()))
        self._unkept.append(self._line(kind, **data))

    def _line(self, kind: str, **data: Any) -> str:
        """What was said, with the time and without the key, wherever somebody put it."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"type": kind, "time": now, **data}
        return json.dumps(self._endpoint.scrubbed(line))

    def _write(self) -> None:
        """Keep what was said in rounds that are over."""
        lines, self._unkept = self._unkept, []
        for line in lines:
            self._keep(line)


def check_service(detail: str, seconds: float) -> None:
    """`CannotPlay` where the service of a model cannot be reached; nothing is asked of it."""
    try:
        check_connection(parse_endpoint(detail), seconds)
    except (BadEndpoint, ServiceFailure) as error:
        raise CannotPlay(f"the model cannot be asked: {error}") from None


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _discard_line(line: str) -> None:
    return None
