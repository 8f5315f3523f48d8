"""What an answer of a model picks: in a response, and in all the ways to write a number."""

import json
import time
from contextlib import suppress
from typing import Any

import pytest

from evenodds import SECOND, Match
from evenodds.players.llm.answer_parsing import (
    BadModelAnswer,
    IllegalModelPick,
    parse_legal_pick,
    parse_pick,
)
from evenodds.players.llm.chat import ModelAnswer, RawResponse, ServiceFailure, parse_answer
from tests.support.examples import example
from tests.support.models import parse_endpoint

TWO = [
    "PICK: 2", " PICK: 02 ", "a\r\nPICK: 2\r\n", "PICK:2", "pick: 2", "Pick: 2.", "PICK = 2",
    "PICK 2", "**PICK: 2**", "**PICK:** 2", "**PICK**: 2", "PICK: **2**", "_PICK: 2_",
    "__PICK: 2__", "`PICK: 2`", "```\nPICK: 2\n```", "> PICK: 2", "- PICK: 2", "# PICK: 2",
    "PICK: [2]", "PICK: <2>", "PICK: #2", "PICK: 2</s>", "<answer>PICK: 2</answer>",
    r"\boxed{PICK: 2}", r"$\boxed{PICK: 2}$", r"PICK: \boxed{2}", r"\boxed{2}", "ＰＩＣＫ： ２",
    "PICK: ٢", "PICK: 2 (because 3 loses to 1)", "PICK: 2, because 3 loses",
    "PICK: 2. 3 would lose.", "PICK: 2 — 3 is worse", "PICK: 2\n- 3 is bad", "PICK: 2\nGood luck!",
    "PICK: 2\n(the form is PICK: n)", '{"pick": 2}',
    '```json\n{"opponent_pick": 3, "pick": "2", "sure": 0.9}\n```', "I pick **2**", "I'll pick 2!",
    "I choose the number 2.", "I'm going with 2",
    "Three is too risky, so I pick 2 because it is safe", "My final pick is **2**.",
    "Final answer: 2", "The answer is **2**.", "Choice: 2", "2", "**2**", "Well then:\n\n2.",
    "PICK: 1\nNo, wait.\nPICK: 2", "If I pick 3, they pick 1 and I lose.\nPICK: 2",
    "PICK: 2\nIf they pick: 3, I lose.", "PICK: 2. The opponent's likely pick: 3",
    "If they go high, PICK: 2", "<think>PICK: 3 or PICK: 1?</think>\nPICK: 2",
    "<thinking>I pick 3</thinking>I pick 2", "I pick 3? PICK: 3\n</think>\nPICK: 2",
    "PICK: 2\nPlayer 1's pick: 3", "PICK: 2\nPlayer 1’s pick: 3", "PICK: 2\nPlayer 1: PICK: 3",
    "PICK: 2\nAlice's pick: 3", "PICK: 2\nEnemy pick: 3", "PICK: 2\nLast pick: 3",
    "PICK: 2\nDon't PICK: 3", "PICK: 2 ~~PICK: 3~~", "PICK: ~~3~~ 2",
    'PICK: 2\n{"opponent": {\n  "pick": 3}}', "My previous pick: 3. Now I choose 2.",
    "My previous choice: 3. Now I choose 2.", "I expect Player 1 to PICK: 3.\nI choose 2",
    "Player 1 picked 3 last time so I choose 2.", "Here's my PICK: 2", "This round's PICK: 2",
    "I play against Player 1. PICK: 2", "PICK: 2, not 3", "PICK: 2 to win",
    "PICK: 2. No other number is safe.", "PICK: 2 (3 loses to 1)", "<answer>2</answer>",
    "PICK: number 2", "PICK: the 2", "PICK: the number 2", "Pick number: 2",
    r"\boxed{\text{PICK: }2}", r"\textbf{PICK:} 2",
]  # fmt: skip
NOTHING = [
    "", "\n \n", "<think>PICK: 2", "<think>PICK: 2</think>", "I cannot help with that.",
    "I resign.", "PICK: n", "PICK: two", "PICK: 1 or 2", "PICK: **1** or **2**", "PICK: 1, 2",
    "PICK: 1/2", "PICK: 1-3", "PICK: 2.5", "PICK: 1,000", "PICK: -1", "PICK: 50%", "PICK: 2nd",
    "PICK: 9999999999", "PICK: " + "9" * 5000, "I won't pick 3", "If I pick 3, I win",
    "I picked 3 last round.", "My opponent picks 3", "My opponent's pick: 3",
    "There are 3 rounds left.", "I have 3 points", "I play 3 rounds or 4", "The answer is not 3",
    "Round 3", "1 2 3", "-1", "Don't PICK: 2", "Do not PICK: 2", "I would never PICK: 2",
    "~~PICK: 3~~", "<del>PICK: 3</del>", "PICK: 2? No, 3.", "PICK: 2. No, 3.", "PICK: 2... wait, 3",
    "PICK: 3 -> 2", "PICK: 3 → 2", "PICK: 3 ⇒ 2", "PICK: 1 0", "PICK: 2+", "PICK: 2 or higher",
    "PICK: 2 (or 3)", '{"pick": [2]}', "{'pick' : [2]}", "Your pick: 2", "Player 1's choice: 3",
    "Opponent: PICK: 3", "They PICK: 3", "My last pick: 3", "Player 1 thinks I pick 3.",
]  # fmt: skip
BAD_TEXTS = {
    "": "the answer is empty",
    "\n \n": "the answer is empty",
    "<think>PICK: 1": "the answer is nothing but thoughts",
    "~~PICK: 3~~": "the answer is struck out",
    "I will not play.": 'no pick was found; the answer ends with "I will not play."',
    "PICK: 1 or 2": '"PICK: 1 or 2" may mean several',
    "\x1b]0;owned\x07\x1b[2J \u202e": 'ends with "]0;owned[2J',
    "Four.": "no pick was found",
    "PICK: 0": "0 is not a number from 1 to 3",
    "PICK: 4": "4 is not a number from 1 to 3",
    "PICK: 999999999": "999999999 is not",
}


@pytest.mark.long
@pytest.mark.parametrize("text", TWO)
def test_what_can_only_mean_two_is_two(text: str) -> None:
    assert parse_pick(text) == 2


@pytest.mark.parametrize("text", NOTHING, ids=lambda text: repr(text[:30]))
def test_what_could_mean_anything_is_not_guessed(text: str) -> None:
    with pytest.raises(BadModelAnswer):
        parse_pick(text)


@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda text: repr(text[:30]))
def test_what_is_wrong_with_a_text_is_said(text: str) -> None:
    match = Match("duel")
    with pytest.raises(BadModelAnswer) as caught:
        parse_legal_pick(text, match.terms, match.view(SECOND))
    assert BAD_TEXTS[text] in str(caught.value)
    assert isinstance(caught.value, IllegalModelPick) == BAD_TEXTS[text][0].isdigit()


def read(data: bytes, status: int = 200, retry_after: str = "", s_left: float = 600) -> ModelAnswer:
    response = RawResponse(status, retry_after, data)
    endpoint = parse_endpoint("m@http://127.0.0.1/v1")
    return parse_answer(endpoint, response, time.monotonic() + s_left)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "PICK: 2"}, "PICK: 2"),
        ({"content": [{"type": "text", "text": "PICK: 2"}]}, "PICK: 2"),
        ({"content": [{"type": "output_text", "text": "PICK: 2"}]}, "PICK: 2"),
        ({"content": [{"type": "thinking", "thinking": "PICK: 3"}, "PICK: 2"]}, "\nPICK: 2"),
        ({"content": ["PICK: 1", "PICK: 2"]}, "PICK: 1\nPICK: 2"),
        ({"content": None, "refusal": "I may not."}, "I may not."),
        ({"content": None, "reasoning_content": "PICK: 1"}, ""),
        ({"content": [{"type": "image", "text": "PICK: 1"}, 1, None]}, "\n\n"),
    ],
    ids=str,
)
def test_the_text_of_an_answer(message: Any, text: str) -> None:
    assert read(json.dumps({"choices": [{"message": message}]}).encode()).text == text


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b" ", b"<p>", b"null", b"1", b'[{"choices": []}]', b'{"error": "?"}'),
        *(b'{"choices": []}', b'{"choices": [{}]}', b'{"choices": [null]}'),
        *(b'{"choices": ["PICK: 1"]}', b'{"choices": [{"message": "PICK: 1"}]}'),
        *(b'{"choices": [{"text": "PICK: 1"}]}', b'{"choices": {"message": {"content": "1"}}}'),
        *(b"[" * 100_000, b"\xff\xfe{}"),
    ],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_answer_may_be_asked_again(data: bytes) -> None:
    with pytest.raises(ServiceFailure, match="gave no answer that can be read") as caught:
        read(data)
    assert caught.value.retry_after_s == 2
    with pytest.raises(TimeoutError):
        read(data, s_left=-1)


@pytest.mark.parametrize(
    ("status", "message", "retry_after", "said", "pause"),
    [
        (302, "", "", "redirects to another address", None),
        (401, "bad", "", "wants a key, in EVENODDS_LLM_KEY (401)", None),
        (403, "bad", "", "wants a key, in EVENODDS_LLM_KEY (403)", None),
        (404, "no model 7b", "", "says no (404: no model 7b)", None),
        (400, "too\x1b[2J\nlong.\n" * 50, "", "says no (400: too", None),
        (418, "", "", "says no (418)", None),
        (429, "busy", "0", "says no (429: busy)", 0),
        (500, "busy", "Wed, 21 Oct 2015 07:28:00 GMT", "says no (500: busy)", 2),
        (503, "busy", "3600", "says no (503: busy)", 3600),
    ],
)
def test_a_refusal_is_told_and_whether_it_may_pass(
    status: int, message: str, retry_after: str, said: str, pause: float | None
) -> None:
    body = json.dumps({"error": {"message": message}}) if message else "<p>tea</p>"
    with pytest.raises(ServiceFailure) as caught:
        read(body.encode(), status, retry_after)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200
    assert caught.value.retry_after_s == pause


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        *("<think>", "</think>", "pick: *", "if pick: 2 ", "\\boxed{", "pick: 2 or ", "I ", "("),
        *("~~", "<del>", "'s ", "<", "opponent's pick: 1 ", "not pick: 1\n", "٢", "Rock "),
    ],
)
def test_a_hostile_answer_of_a_megabyte_costs_no_time(piece: str) -> None:
    match = Match(example("rock_paper_scissors"))
    began = time.process_time()
    with suppress(BadModelAnswer):
        parse_legal_pick(piece * (2**20 // len(piece)), match.terms, match.view(SECOND))
    assert time.process_time() - began < 0.5
