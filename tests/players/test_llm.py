"""Language models as opponents: what they are told, what they may do wrong, and the key."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evenodds.core import notation
from evenodds.core.match import Match
from evenodds.core.vocabulary import SECOND
from evenodds.players import registry
from evenodds.players.llm import chat
from evenodds.players.llm import player as model
from evenodds.players.llm.answer_parsing import without_reasoning
from evenodds.players.llm.budget import Budget, BudgetUsage
from evenodds.players.llm.endpoint import KEY_SETTING, OPENAI_KEY_SETTING, parse_endpoint, with_key
from evenodds.players.llm.player import ModelPlayer
from evenodds.players.llm.prompt import position_prompt, rules_prompt
from evenodds.players.player import CannotPlay, Forfeit, Unavailable, UnknownPlayer
from evenodds.players.registry import check_opponent
from evenodds.render.rulebook import match_rules
from evenodds.system.text import printable
from tests.support import models
from tests.support.commands import Terminal, evenodds, lines
from tests.support.game_data import WITH_DATA, cases
from tests.support.models import Manner, Service, gives, refuses, says
from tests.support.paths import ROOT
from tests.support.strategies import GAMES
from tests.support.waiting import wait_until

SECRET = "sk-A1b2C3d4E5f6G7h8"
BAD_TEXTS = {
    "": "the answer is empty",
    "\n \n": "the answer is empty",
    "<think>PICK: 1": "the answer is nothing but thoughts",
    "I will not play.": 'no pick was found; the answer ends with "I will not play."',
    "PICK: 1 or 2": '"PICK: 1 or 2" may mean several',
    "\x1b]0;owned\x07\x1b[2J \u202e": 'ends with "]0;owned[2J',
    "PICK: 0": "0 is not",
    "PICK: 4": "4 is not",
    "PICK: 999999999": "999999999 is not",
}
NO_TEXTS: list[object] = [
    {"choices": [{"message": {"content": None}}]},
    {"choices": [{"message": {"content": None, "reasoning_content": "PICK: 1"}}]},
    {"choices": [{"message": {"content": [{"type": "thinking", "thinking": "PICK: 1"}]}}]},
    {"choices": [{"message": {"content": [{"type": "image", "text": "PICK: 1"}, 1, None]}}]},
]
NO_ANSWERS: dict[str, Manner] = {
    "page": models.page,
    "cut off": models.cut_off,
    "nothing": gives(None),
    "number": gives(1),
    "list": gives([{"choices": []}]),
    "no choices": gives({"error": "?"}),
    "no choice": gives({"choices": []}),
    "an empty choice": gives({"choices": [{}]}),
    "null for a choice": gives({"choices": [None]}),
    "text for a choice": gives({"choices": ["PICK: 1"]}),
    "text for a message": gives({"choices": [{"message": "PICK: 1"}]}),
    "no message": gives({"choices": [{"text": "PICK: 1"}]}),
    "choices": gives({"choices": {"message": {"content": "PICK: 1"}}}),
    "deep": lambda handler: handler.answer(200, b"[" * 100_000),
    "no UTF-8": lambda handler: handler.answer(200, b"\xff\xfe{}"),
    "empty": lambda handler: handler.answer(200, b""),
}
FINAL = {
    "redirect": (refuses(307, Location="/v1/elsewhere"), "redirects to another address"),
    "wrong key": (refuses(401, "bad"), "wants a key, in EVENODDS_LLM_KEY (401)"),
    "forbidden": (refuses(403, "bad"), "wants a key, in EVENODDS_LLM_KEY (403)"),
    "no such model": (refuses(404, "no model 7b"), "says no (404: no model 7b)"),
    "bad request": (refuses(400, "too\x1b[2J\nlong.\n" * 50), "says no (400: too"),
    "a page": (lambda handler: handler.answer(418, b"<p>tea</p>"), "says no (418)"),
    "huge": (models.huge, "answered with more than 1 MB"),
}


class Seat:
    """A model in the second seat of a duel, where 1, 2 and 3 are always legal."""

    def __init__(self, service: Service, seconds: float = 60, requests: int | None = None) -> None:
        self.service = service
        self.kept: list[str] = []
        self.budget = Budget(requests)
        self.match = Match("duel")
        detail = service.name.removeprefix("llm:")
        self.player = ModelPlayer(
            detail, self.match.terms, SECOND, seconds, self.kept.append, self.budget
        )

    def pick(self) -> int:
        """What it picks, against a 1."""
        number = self.player.pick(self.match.view(SECOND))
        self.match.play((1, number))
        return number

    def forfeit(self, kind: type[Forfeit] = Forfeit) -> str:
        """Why it forfeits instead of picking: one harmless line that can end in a full stop."""
        with pytest.raises(Forfeit) as caught:
            self.player.pick(self.match.view(SECOND))
        assert type(caught.value) is kind
        reason = str(caught.value)
        assert reason == printable(reason)
        assert len(reason) < 240
        assert reason.startswith("the model ")
        assert not reason.endswith(".")
        return reason

    def exchange(self) -> list[dict[str, Any]]:
        """All that was said, when the match is left."""
        self.player.leave(self.match.view(SECOND))
        return [json.loads(line) for line in self.kept]


@pytest.fixture
def service() -> Iterator[Service]:
    """A service on this machine."""
    with models.service() as found:
        yield found


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a service to recover; and no key of the person who tests is used."""
    monkeypatch.setattr(chat, "DEFAULT_RETRY_DELAY_S", 0.0)
    monkeypatch.delenv(KEY_SETTING, raising=False)
    monkeypatch.delenv(OPENAI_KEY_SETTING, raising=False)
    model.process_budget.cache_clear()


def test_a_model_is_told_the_rules_its_view_and_its_numbers(service: Service) -> None:
    seat = Seat(service)
    assert seat.pick() == 1
    (asked,) = service.asked
    system, user = asked["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    terms = seat.match.terms
    assert match_rules(terms.game, terms.rulings) in system["content"]
    assert "in the second seat" in system["content"]
    assert '"legal": [1, 2, 3]' in user["content"]
    assert "Player 2  ████████████████████████ 10 of 10" in user["content"]
    assert "The legal numbers are 1, 2, 3. End with `PICK: n`." in user["content"]
    assert asked["model"] == "some/model:7b"
    assert asked["stream"] is False
    assert service.paths == ["/v1/chat/completions"]


@pytest.mark.parametrize(("game", "rulings", "true", "false"), cases("prompts"))
def test_a_model_is_told_the_rulings_as_they_are(
    game: str, rulings: dict[str, object], true: list[str], false: list[str]
) -> None:
    match = Match(game, rulings)
    summary = " ".join(
        (rules_prompt(match.terms, 0) + position_prompt(match.terms, match.view(0))).split()
    )
    assert [one for one in true if one not in summary] == []
    assert [one for one in false if one in summary] == []


@pytest.mark.processes
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_model_plays_every_game_and_never_sees_a_pending_pick(
    game: Any, service: Service, home: Path, tmp_path: Path
) -> None:
    summary = []
    for pick in (0, -1):
        match = Match(game)
        seat = match.waiting()[-1]
        if match.game.simultaneous:
            match.pick(0, match.choices(0)[pick])
        player = registry.opponent(service.name, match.terms, seat, Random(1), bot_seconds=60)
        service.will(says(f"PICK: {match.choices(seat)[0]}"))
        assert player.pick(match.view(seat)) == match.choices(seat)[0]
        summary.append(service.asked[-1])
    assert summary[0] == summary[1]
    record = tmp_path / "record.txt"
    service.will(lambda handler: says(f"Hm.\nPICK: {legal(service.last)[0]}")(handler))
    done = evenodds(
        "play", game.name, "--vs", service.name, "--vs", "high", "--record", str(record), home=home
    )
    assert done.returncode == 0, done.stderr
    result = notation.parse(record.read_text()).result
    assert result is not None
    assert result.reason in ("rules", "repetition")


def test_a_single_number_is_offered_as_one() -> None:
    match = Match("duel", {"numbers": 1})
    summary = position_prompt(match.terms, match.view(SECOND))
    assert "The only legal number is 1. End with `PICK: n`." in summary


def legal(summary: str) -> list[int]:
    """The numbers that a model is offered."""
    (found,) = re.findall(r"legal number(?:s are| is) ([0-9, ]+)\.", summary)
    return [int(number) for number in found.split(", ")]


@pytest.mark.parametrize(
    "content",
    [
        "So, 3 or 1?\n\n**PICK: 2**  \n",
        "<think>PICK: 1? PICK: 3?</think>\nPICK: 2",
        [{"type": "text", "text": "PICK: 2"}],
        [{"type": "thinking", "thinking": "PICK: 3"}, {"type": "output_text", "text": "PICK: 2"}],
        ["PICK: 1", "PICK: 2"],
    ],
    ids=str,
)
def test_a_pick_is_read_as_it_is_written(content: object, service: Service) -> None:
    """As a text or in parts; nothing is asked twice. `test_answers.py` has all the ways."""
    service.will(says(content))
    seat = Seat(service)
    assert seat.pick() == 2
    assert len(service.asked) == 1
    assert not any(seat.player.faults)


def test_a_refusal_is_told_in_its_words(service: Service) -> None:
    service.will(gives({"choices": [{"message": {"content": None, "refusal": "I may not."}}]}))
    seat = Seat(service)
    assert seat.forfeit().endswith(
        'could be read: no pick was found; the answer ends with "I may not."'
    )
    assert seat.player.faults == (2, 0)


def test_faults_of_form_are_counted_apart_from_illegal_picks(service: Service) -> None:
    service.will(says("Hm."), says("PICK: 1"), says("PICK: 9"), says("PICK: 1"))
    seat = Seat(service)
    seat.pick()
    assert seat.player.faults == (1, 0)
    seat.pick()
    assert seat.player.faults == (1, 1)


@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda text: repr(text[:30]))
def test_a_bad_answer_is_explained_and_asked_once_more(text: str, service: Service) -> None:
    """With what it said and why that is wrong; a second bad one forfeits."""
    service.will(says(text), says("PICK: 3"))
    seat = Seat(service)
    assert seat.pick() == 3
    assert service.asked[1]["messages"][:2] == service.asked[0]["messages"]
    said, why = service.asked[1]["messages"][2:]
    assert said == {"role": "assistant", "content": without_reasoning(text) or "(no answer)"}
    assert BAD_TEXTS[text] in why["content"]
    assert why["content"].endswith("The legal numbers are 1, 2, 3. End with `PICK: n`.")
    service.will(says(text))
    reason = seat.forfeit()
    what = "legal number" if BAD_TEXTS[text][0].isdigit() else "answer that could be read"
    assert reason.startswith(f"the model was asked twice and gave no {what}: ")
    assert BAD_TEXTS[text][:30] in reason
    assert len(service.asked) == 4


@pytest.mark.parametrize("body", NO_TEXTS, ids=str)
def test_an_answer_without_text_is_a_bad_one(body: object, service: Service) -> None:
    service.will(gives(body))
    assert Seat(service).forfeit().endswith("no answer that could be read: the answer is empty")
    assert len(service.asked) == 2


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_what_is_no_answer_is_asked_once_more(name: str, service: Service) -> None:
    """Then it is the service that cannot be had, and the model has not lost."""
    service.will(NO_ANSWERS[name], says("PICK: 2"))
    seat = Seat(service)
    assert seat.pick() == 2
    service.will(NO_ANSWERS[name])
    assert "gave no answer that can be read" in seat.forfeit(Unavailable)
    assert len(service.asked) == 4


@pytest.mark.parametrize("manner", [models.hangs_up, models.babbles])
def test_a_broken_connection_is_tried_once_more(manner: Manner, service: Service) -> None:
    service.will(manner, says("PICK: 2"))
    seat = Seat(service)
    assert seat.pick() == 2
    service.will(manner)
    assert seat.forfeit(Unavailable).startswith("the model cannot be asked: http://127.0.0.1:")


@pytest.mark.parametrize("name", FINAL)
def test_what_will_not_change_is_not_asked_again(name: str, service: Service) -> None:
    """A redirect is not followed, a refusal is final; one line says which."""
    manner, said = FINAL[name]
    service.will(manner)
    assert said in Seat(service).forfeit(Unavailable)
    assert service.paths == ["/v1/chat/completions"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_passing_trouble_is_waited_out_once(status: int, service: Service) -> None:
    service.will(refuses(status, "busy", Retry_After="0"), says("PICK: 2"))
    seat = Seat(service)
    assert seat.pick() == 2
    service.will(refuses(status, "busy", Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"))
    assert f"says no ({status}: busy)" in seat.forfeit(Unavailable)
    assert len(service.asked) == 4


def test_nobody_waits_longer_than_the_pick_may_take(service: Service) -> None:
    """A service that wants more rest than there is time is not asked again."""
    service.will(refuses(429, "busy", Retry_After="3600"))
    assert Seat(service).forfeit(Unavailable).endswith("busy), and wants 3600 seconds of pause")
    assert len(service.asked) == 1


@pytest.mark.parametrize("manner", [models.never, models.drips, models.drips_its_body])
def test_the_clock_runs_out(manner: Manner, service: Service) -> None:
    """For one that never answers, and for one that never ends; what was sent is counted."""
    service.will(manner)
    seat = Seat(service, seconds=0.3)
    assert seat.forfeit() == "the model took longer than 0.3 seconds for a pick"
    assert seat.budget.spent.guesses
    assert seat.budget.spent.tokens > 300


def test_what_has_come_when_the_clock_runs_out_is_no_answer(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However near the end it comes, that is no fault of the service."""
    cut_off = chat.RawResponse(200, "", b" ")
    monkeypatch.setattr(chat, "_fetch", lambda *_: cut_off)
    endpoint = parse_endpoint(service.name.removeprefix("llm:"))
    with pytest.raises(chat.ModelTimeout):
        chat.request_answer(endpoint, [], time.monotonic() - 1)
    with pytest.raises(chat.ServiceFailure, match="gave no answer that can be read"):
        chat.request_answer(endpoint, [], time.monotonic() + 600)


def test_the_second_try_has_what_the_first_left(service: Service) -> None:
    service.will(says("Hm."), models.never)
    assert (
        Seat(service, seconds=0.5).forfeit() == "the model took longer than 0.5 seconds for a pick"
    )


def test_nobody_there(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    player = ModelPlayer(f"m@http://127.0.0.1:{port}", Match("duel").terms, SECOND, 60)
    with pytest.raises(Unavailable, match="cannot be reached: Connection refused"):
        player.pick(Match("duel").view(SECOND))


def test_a_service_that_cannot_be_connected_to_costs_nothing(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a request nor tokens; nor does one that fails before anything is sent."""
    monkeypatch.setattr(chat, "DEFAULT_RETRY_DELAY_S", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
    for address in (nowhere, service.address.replace("http:", "https:"), "http://nobody.invalid"):
        budget = Budget()
        player = ModelPlayer(f"m@{address}", Match("duel").terms, SECOND, 60, budget=budget)
        with pytest.raises(Unavailable):
            player.pick(Match("duel").view(SECOND))
        assert budget.spent == BudgetUsage()


def test_https_where_http_is_spoken(service: Service) -> None:
    address = service.address.replace("http:", "https:")
    player = ModelPlayer(f"m@{address}", Match("duel").terms, SECOND, 60)
    with pytest.raises(Unavailable, match="does not answer over https; perhaps it is http://"):
        player.pick(Match("duel").view(SECOND))


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://[::1]/v1", "::1", 80),
        ("https://[::1]/v1", "::1", 443),
        ("https://[::1]:8/v1", "::1", 8),
        ("http://localhost", "localhost", 80),
    ],
)
def test_which_port_is_meant(url: str, host: str, port: int) -> None:
    assert parse_endpoint(f"m@{url}").socket_address == (host, port)


ECHOES: dict[str, Manner] = {
    "refusal": refuses(401, f"bad key {SECRET} in Bearer {SECRET}"),
    "in other fields": refuses(400, "bad" + SECRET),
    "page": lambda handler: handler.answer(500, f"<p>{SECRET}</p>".encode()),
    "nonsense": gives({SECRET: [SECRET, {"a": SECRET}]}),
    "answer": says(f"your key is {SECRET}"),
    "across the cut": says("x" * 30 + SECRET),
}


@pytest.mark.parametrize("name", ECHOES)
def test_the_key_is_nowhere_but_in_the_header(
    name: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the service repeats it: not in a reason, not in what is kept."""
    monkeypatch.setenv(KEY_SETTING, SECRET)
    service.will(ECHOES[name])
    seat = Seat(service)
    with pytest.raises(Forfeit) as caught:
        seat.pick()
    kept = seat.exchange()
    assert service.keys[0] == f"Bearer {SECRET}"
    assert "[key]" in json.dumps(kept)
    for part in (SECRET, SECRET[:8]):
        assert part not in str(caught.value)
        assert part not in json.dumps(kept)
        assert part not in repr(vars(seat.player))


def test_which_key_goes_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is called by a service's name goes to that service alone."""
    monkeypatch.setenv(OPENAI_KEY_SETTING, SECRET)
    assert with_key(parse_endpoint("m@https://api.openai.com/v1")).key == SECRET
    assert with_key(parse_endpoint("m@https://elsewhere.example/v1")).key == ""
    monkeypatch.setenv(KEY_SETTING, "")
    assert with_key(parse_endpoint("m@https://api.openai.com/v1")).key == ""
    monkeypatch.setenv(KEY_SETTING, "mine")
    assert with_key(parse_endpoint("m@https://elsewhere.example/v1")).key == "mine"
    assert with_key(parse_endpoint("m@http://localhost:1/v1")).key == "mine"
    assert with_key(parse_endpoint("m@http://[::1]:1/v1")).key == "mine"


@pytest.mark.parametrize(
    "host", ["example.com", "192.168.1.7", "127.0.0.1.example.com", "[fe80::1]"]
)
def test_a_key_never_goes_over_the_network_in_clear(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is sent; without a key plain http will do."""
    terms = Match("duel").terms
    ModelPlayer(f"m@http://{host}/v1", terms, SECOND, 1)
    monkeypatch.setenv(KEY_SETTING, SECRET)
    with pytest.raises(CannotPlay, match=r"is not encrypted.*use https, or an empty") as caught:
        ModelPlayer(f"m@http://{host}/v1", terms, SECOND, 1)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("key", ["a b", "a\r\nX-Evil: 1", "kéy", "x" * 2000])
def test_what_is_no_key_is_not_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_SETTING, key)
    with pytest.raises(CannotPlay, match="EVENODDS_LLM_KEY is not a key") as caught:
        ModelPlayer("m@https://example.com", Match("duel").terms, SECOND, 1)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "detail",
    [
        "m",
        "m@",
        "@https://example.com",
        "m@example.com",
        "m@ftp://example.com",
        "m@file:///etc/passwd",
        "m@https://",
        "m@https://user:pass@example.com/v1",
        "m@https://example.com/v1?key=hush",
        "m@https://example.com/v1#x",
        "m@https://example.com:port/v1",
        "m@https://exa mple.com/v1",
        "m@https://example.com/\r\nX: y",
        "m m@https://example.com",
        "m\x1b[2J@https://example.com",
    ],
)
def test_what_is_no_model_is_refused(detail: str) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        check_opponent(f"llm:{detail}", allow_external=True)
    said = str(caught.value)
    assert said == printable(said)
    assert said.endswith("allowed: llm:MODEL@https://HOST/v1")
    assert "pass@" not in said
    assert "hush" not in said


def test_models_are_strangers() -> None:
    name = "llm:m@https://example.com/v1"
    assert check_opponent(name, allow_external=True) == name
    assert not registry.is_built_in_player(name)
    with pytest.raises(UnknownPlayer, match="llm: is taken from the command line only"):
        check_opponent(name)
    with pytest.raises(UnknownPlayer, match="llm: is taken from the command line only"):
        registry.opponent(name, Match("duel").terms, SECOND, Random(1))
    with pytest.raises(UnknownPlayer, match="llm: needs a model and its address"):
        check_opponent("llm:", allow_external=True)


def test_the_exchange_is_kept_whole(service: Service) -> None:
    """Questions, answers with what they cost, failures, and how it ended."""
    usage = {"prompt_tokens": 700, "completion_tokens": 11}
    service.will(refuses(500, "oh"), says("Hm."), says("PICK: 3", usage), says("PICK: 3", usage))
    seat = Seat(service)
    seat.pick()
    assert seat.kept == []  # who reads it while the round is open would know the pick
    seat.pick()
    said = seat.exchange()
    kinds = ["match", "question", "failure", "question", "answer", "question", "answer"]
    assert [line["type"] for line in said] == [*kinds, "question", "answer", "left"]
    asked = [line["messages"] for line in said if line["type"] == "question"]
    assert asked == [question["messages"] for question in service.asked]
    assert said[0]["model"] == "some/model:7b"
    assert said[0]["service"] == service.address
    answers = [line for line in said if line["type"] == "answer"]
    assert answers[1]["body"]["choices"][0]["message"]["content"] == "PICK: 3"
    assert [line["guessed"] for line in answers] == [True, False, False]
    assert answers[1]["tokens"] == 711
    assert said[2]["body"]["error"]["message"] == "oh"
    assert seat.budget.spent.tokens == sum(line["tokens"] for line in answers)
    assert seat.budget.spent.requests == 4


def test_a_run_has_a_limit_of_requests_and_of_tokens(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given, or in the environment; a match that comes to it is not lost."""
    seat = Seat(service, requests=2)
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert "the 2 requests of this run are used up (EVENODDS_LLM_REQUESTS)" in seat.forfeit(
        Unavailable
    )
    service.will(says("PICK: 1", {"prompt_tokens": 60, "completion_tokens": 40}))
    monkeypatch.setenv("EVENODDS_LLM_TOKENS", "200")
    seat = Seat(service)
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert "the 200 tokens of this run are used up (EVENODDS_LLM_TOKENS)" in seat.forfeit(
        Unavailable
    )
    assert len(service.asked) == 4


@pytest.mark.parametrize(
    "usage",
    [
        None,
        7,
        {"prompt_tokens": -1},
        {"prompt_tokens": True},
        {"prompt_tokens": "9"},
        {"prompt_tokens": 10**12},
    ],
)
def test_tokens_that_a_service_does_not_tell_are_guessed(usage: object, service: Service) -> None:
    service.will(says("PICK: 1", usage))
    seat = Seat(service)
    seat.pick()
    assert seat.budget.spent.guesses
    assert (
        len(json.dumps(service.asked[0])) / 3
        < seat.budget.spent.tokens
        < len(json.dumps(service.asked[0]))
    )


@pytest.mark.processes
def test_a_match_with_a_model_is_kept_recorded_and_told(
    service: Service, home: Path, tmp_path: Path
) -> None:
    """The exchange lies beside the match and beside its record, readable by its owner alone."""
    record = tmp_path / "record.txt"
    service.will(says("PICK: 1", {"prompt_tokens": 1000, "completion_tokens": 5}))
    arguments = ("play", "duel", "--rule", "hp=4", "--vs", service.name, "--record", str(record))
    done = evenodds(*arguments, typed=lines(3, 1), home=home, **{KEY_SETTING: SECRET})
    assert done.returncode == 0
    assert done.stdout.endswith("So far models were asked 2 times, for 2,010 tokens.\n")
    (kept,) = (home / "matches").glob("*.llm.jsonl")
    assert kept.stat().st_mode & 0o777 == 0o600
    beside = tmp_path / "record.txt.llm.jsonl"
    assert beside.read_text() == kept.read_text()
    assert SECRET not in kept.read_text()
    assert json.loads(kept.read_text().splitlines()[-1])["result"]["outcome"] == "first"
    assert service.name in record.read_text()
    assert evenodds("matches", home=home).stderr == ""
    evenodds(*arguments, typed=lines(3, 1), home=home)
    assert len(beside.read_text().splitlines()) == 2 * len(kept.read_text().splitlines())


@pytest.mark.processes
def test_the_stand_in_of_the_examples_plays(home: Path) -> None:
    """What the tutorial offers to those who have no model: it shows the question, and picks."""
    example = ROOT / "examples" / "models" / "stand_in.py"
    with subprocess.Popen(
        [sys.executable, str(example), "0"], stdout=subprocess.PIPE, text=True
    ) as stand_in:
        try:
            assert stand_in.stdout is not None
            name = stand_in.stdout.readline().split()[-1]
            done = evenodds("play", "duel", "hp=4", "--vs", name, typed=lines(2, 2), home=home)
        finally:
            stand_in.kill()
        asked = stand_in.stdout.read()
    assert done.returncode == 0
    assert done.stdout.count("Player 2 chose: 3") == 2
    assert asked.count("The legal numbers are 1, 2, 3.") == 2


@pytest.mark.processes
def test_two_bad_answers_are_a_recorded_forfeit(
    service: Service, home: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record.txt"
    service.will(says("I resign."))
    done = evenodds(
        "play", "duel", "--vs", service.name, "--record", str(record), typed=lines(3), home=home
    )
    assert done.returncode == 0
    assert 'that could be read: no pick was found; the answer ends with "I resign.".' in done.stdout
    assert "Player 2 forfeits the game." in done.stdout
    result = notation.parse(record.read_text()).result
    assert result is not None
    assert (result.reason, result.loser) == ("forfeit", SECOND)


@pytest.mark.processes
def test_a_match_goes_on_when_the_service_is_back(service: Service, home: Path) -> None:
    """It is left as it stands, the person's pick included, and resumed by the line it names."""
    service.will(says("PICK: 1"), refuses(401, "who are you?"))
    done = evenodds(
        "play", "duel", "--rule", "hp=4", "--vs", service.name, typed=lines(2, 3), home=home
    )
    assert done.returncode == 1
    assert "wants a key, in EVENODDS_LLM_KEY (401)." in done.stdout
    (command,) = re.findall(r"Resume it with: evenodds (.*)", done.stdout)
    _, id, _, quoted = command.split()
    assert evenodds("resume", id, home=home).stderr.startswith(
        f"{id} is played against a model, which must be named again"
    )
    service.will(says("PICK: 1"))
    done = evenodds("resume", id, "--vs", quoted.strip('"'), home=home)
    assert done.returncode == 0
    assert "Player 1 wins the game!" in done.stdout
    (kept,) = (home / "matches").glob("*.llm.jsonl")
    kinds = [json.loads(line)["type"] for line in kept.read_text().splitlines()]
    assert kinds.count("match") == kinds.count("left") == 2


@pytest.mark.processes
def test_a_record_never_asks_a_model(service: Service, home: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    record.write_text(f'[Game "duel"]\n[Computer2 "{service.name}"]\n\n3-1 *\n')
    for command in ("show", "review"):
        evenodds(command, str(record), home=home)
    (home / "matches").mkdir(parents=True, exist_ok=True)
    (home / "matches" / "abcd.txt").write_text(record.read_text())
    assert evenodds("resume", "abcd", typed=lines(1), home=home).returncode == 1
    assert service.asked == []


@pytest.mark.processes
def test_nothing_is_left_of_a_match_that_nobody_played(service: Service, home: Path) -> None:
    done = evenodds("play", "duel", "--vs", service.name, typed=lines("quit"), home=home)
    assert done.stdout.endswith("Nothing was played, so nothing is saved.\n")
    assert not list((home / "matches").glob("*.jsonl"))
    assert service.asked == []


@pytest.mark.processes
def test_control_c_ends_the_waiting(service: Service, home: Path) -> None:
    service.will(models.never)
    terminal = Terminal("play", "duel", "--vs", service.name, home=home)
    terminal.see("enter your number (1-3):")
    terminal.type(2)
    wait_until(lambda: len(service.asked) == 1)
    terminal.press("c", at_work=True)
    terminal.see("The match is saved.")
    assert terminal.end() == 130


@pytest.mark.processes
def test_what_cannot_be_kept_stops_no_match(service: Service, home: Path) -> None:
    home.mkdir()
    (home / "matches").write_text("in the way")
    done = evenodds(
        "play", "duel", "--rule", "hp=2", "--vs", service.name, typed=lines(3), home=home
    )
    assert done.returncode == 0
    assert done.stdout.count("The model's answers cannot be saved") == 1
    assert "Player 1 wins the game!" in done.stdout


@pytest.mark.parametrize("game", WITH_DATA, ids=lambda game: game.name)
def test_what_a_question_costs(game: Any, service: Service) -> None:
    """As docs/llm.md has it: 1.2 to 2 kB, at the end of a match as at its start."""
    match = Match(game)
    players_ = [
        registry.opponent(service.name, match.terms, 0, Random(1), bot_seconds=60),
        registry.opponent("random", match.terms, 1, Random(1)),
    ]
    service.will(lambda handler: says(f"PICK: {legal(service.last)[0]}")(handler))
    while match.result is None:
        for seat in match.waiting():
            match.pick(seat, players_[seat].pick(match.view(seat)))
    for asked in service.asked:
        summary = "".join(message["content"] for message in asked["messages"])
        assert 1200 < len(summary.encode()) < 2100
