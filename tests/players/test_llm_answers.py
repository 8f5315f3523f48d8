"""What an answer of a model picks: all the ways in which people and models write a number."""

import time
from contextlib import suppress

import pytest

from evenodds.core.match import Match
from evenodds.core.vocabulary import SECOND
from evenodds.players.llm.answer_parsing import (
    BadModelAnswer,
    IllegalModelPick,
    UnreadableModelAnswer,
    parse_legal_pick,
    parse_pick,
)

TWO = [
    "PICK: 2",
    " PICK: 02 ",
    "a\r\nPICK: 2\r\n",
    "PICK:2",
    "pick: 2",
    "Pick: 2.",
    "PICK = 2",
    "PICK 2",
    "**PICK: 2**",
    "**PICK:** 2",
    "**PICK**: 2",
    "PICK: **2**",
    "_PICK: 2_",
    "__PICK: 2__",
    "`PICK: 2`",
    "```\nPICK: 2\n```",
    "> PICK: 2",
    "- PICK: 2",
    "# PICK: 2",
    "PICK: [2]",
    "PICK: <2>",
    "PICK: #2",
    "PICK: 2</s>",
    "<answer>PICK: 2</answer>",
    r"\boxed{PICK: 2}",
    r"$\boxed{PICK: 2}$",
    r"PICK: \boxed{2}",
    r"\boxed{2}",
    "ＰＩＣＫ： ２",
    "PICK: ٢",
    "PICK: 2 (because 3 loses to 1)",
    "PICK: 2, because 3 loses",
    "PICK: 2. 3 would lose.",
    "PICK: 2 — 3 is worse",
    "PICK: 2\n- 3 is bad",
    "PICK: 2\nGood luck!",
    "PICK: 2\n(the form is PICK: n)",
    '{"pick": 2}',
    '```json\n{"opponent_pick": 3, "pick": "2", "sure": 0.9}\n```',
    "I pick **2**",
    "I'll pick 2!",
    "I choose the number 2.",
    "I'm going with 2",
    "Three is too risky, so I pick 2 because it is safe",
    "My final pick is **2**.",
    "Final answer: 2",
    "The answer is **2**.",
    "Choice: 2",
    "2",
    "**2**",
    "Well then:\n\n2.",
    "PICK: 1\nNo, wait.\nPICK: 2",
    "If I pick 3, they pick 1 and I lose.\nPICK: 2",
    "PICK: 2\nIf they pick: 3, I lose.",
    "PICK: 2. The opponent's likely pick: 3",
    "If they go high, PICK: 2",
    "<think>PICK: 3 or PICK: 1?</think>\nPICK: 2",
    "<thinking>I pick 3</thinking>I pick 2",
    "I pick 3? PICK: 3\n</think>\nPICK: 2",
    "PICK: 2\nPlayer 1's pick: 3",
    "PICK: 2\nPlayer 1’s pick: 3",
    "PICK: 2\nPlayer 1: PICK: 3",
    "PICK: 2\nAlice's pick: 3",
    "PICK: 2\nEnemy pick: 3",
    "PICK: 2\nLast pick: 3",
    "PICK: 2\nDon't PICK: 3",
    "PICK: 2 ~~PICK: 3~~",
    "PICK: ~~3~~ 2",
    'PICK: 2\n{"opponent": {\n  "pick": 3}}',
    "My previous pick: 3. Now I choose 2.",
    "My previous choice: 3. Now I choose 2.",
    "I expect Player 1 to PICK: 3.\nI choose 2",
    "Player 1 picked 3 last time so I choose 2.",
    "Here's my PICK: 2",
    "This round's PICK: 2",
    "I play against Player 1. PICK: 2",
    "PICK: 2, not 3",
    "PICK: 2 to win",
    "PICK: 2. No other number is safe.",
    "PICK: 2 (3 loses to 1)",
    "<answer>2</answer>",
    "PICK: number 2",
    "PICK: the 2",
    "PICK: the number 2",
    "Pick number: 2",
    r"\boxed{\text{PICK: }2}",
    r"\textbf{PICK:} 2",
]
NOTHING = [
    "",
    "\n \n",
    "<think>PICK: 2",
    "<think>PICK: 2</think>",
    "I cannot help with that.",
    "I resign.",
    "PICK: n",
    "PICK: two",
    "PICK: 1 or 2",
    "PICK: **1** or **2**",
    "PICK: 1, 2",
    "PICK: 1/2",
    "PICK: 1-3",
    "PICK: 2.5",
    "PICK: 1,000",
    "PICK: -1",
    "PICK: 50%",
    "PICK: 2nd",
    "PICK: 9999999999",
    "PICK: " + "9" * 5000,
    "I won't pick 3",
    "If I pick 3, I win",
    "I picked 3 last round.",
    "My opponent picks 3",
    "My opponent's pick: 3",
    "There are 3 rounds left.",
    "I have 3 points",
    "I play 3 rounds or 4",
    "The answer is not 3",
    "Round 3",
    "1 2 3",
    "-1",
    "Don't PICK: 2",
    "Do not PICK: 2",
    "I would never PICK: 2",
    "~~PICK: 3~~",
    "<del>PICK: 3</del>",
    "PICK: 2? No, 3.",
    "PICK: 2. No, 3.",
    "PICK: 2... wait, 3",
    "PICK: 3 -> 2",
    "PICK: 3 → 2",
    "PICK: 3 ⇒ 2",
    "PICK: 1 0",
    "PICK: 2+",
    "PICK: 2 or higher",
    "PICK: 2 (or 3)",
    '{"pick": [2]}',
    "{'pick' : [2]}",
    "Your pick: 2",
    "Player 1's choice: 3",
    "Opponent: PICK: 3",
    "They PICK: 3",
    "My last pick: 3",
    "Player 1 thinks I pick 3.",
]


@pytest.mark.parametrize("text", TWO)
def test_what_can_only_mean_two_is_two(text: str) -> None:
    """In digits and marks of any kind; the last pick counts, and thoughts do not."""
    assert parse_pick(text) == 2


@pytest.mark.parametrize("text", NOTHING, ids=lambda text: repr(text[:30]))
def test_what_could_mean_anything_is_not_guessed(text: str) -> None:
    with pytest.raises(UnreadableModelAnswer):
        parse_pick(text)


def test_an_illegal_number_is_no_fault_of_form() -> None:
    match = Match("duel")
    with pytest.raises(IllegalModelPick, match="4 is not a number from 1 to 3"):
        parse_legal_pick("PICK: 4", match.terms, match.view(SECOND))
    with pytest.raises(UnreadableModelAnswer):
        parse_legal_pick("Four.", match.terms, match.view(SECOND))


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "</think>",
        "pick: *",
        "if pick: 2 ",
        "\\boxed{",
        "pick: 2 or ",
        "I ",
        "(",
        "~~",
        "<del>",
        "'s ",
    ],
)
def test_a_long_answer_is_read_in_time_that_grows_with_it(piece: str) -> None:
    """A hostile megabyte takes a moment, where a walk back from every sign would take hours."""
    text, began = piece * ((1 << 20) // len(piece)), time.process_time()
    with suppress(BadModelAnswer):
        parse_pick(text)
    assert time.process_time() - began < 60
