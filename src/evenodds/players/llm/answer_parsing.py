"""Parsing of a language model's answer: the number it picks, in any notation.

People and models write a pick in many ways; what can only be meant as one is taken as one. Where
nothing can, the answer is at fault in its form, which is no fault of play.
"""

import re
from typing import Final

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.system.text import brief

ANSWER_FORMAT: Final = "PICK: n"
"""What a model is asked to write."""

FULL_WIDTH_TO_ASCII: Final = {0xFEE0 + sign: sign for sign in range(0x21, 0x7F)}
"""The full-width signs of East Asian keyboards, and the usual ones."""
_REASONING_BLOCK: Final = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.S | re.I
)
_REASONING_END: Final = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)
"""Some services cut off the tag that begins a thought, and leave the one that ends it."""

_STRUCK_OUT_TEXT: Final = re.compile(r"~~[^~\n]+~~|<(del|strike)>[^<\n]*</\1>", re.I)
"""What is struck out is not said."""

_MARKS: Final = r"[\s*_`~\"'“”‘’«»$(\[{}<#]"
"""Signs before a number that set it off."""
_NUMBER: Final = (
    rf"{_MARKS}{{0,20}}(?:\\(?:boxed|text|textbf|mathbf){{{_MARKS}{{0,20}}){{0,2}}"
    r"(?P<number>\d{1,9})(?![^\W_]|%|[.,:]\d)"
)
_COLON: Final = r"[*_`\"'”\s]{0,20}[:=]"
_AFTER: Final = r"[ \t*_`\"'}\])]{0,20}"
_DOUBT: Final = re.compile(
    rf"{_AFTER}(?:\?|\+|-+>|=+>|[→⇒⟶➜➔]|\(?or\b|[.,;(…—–-]*[ \t]*(?:no[,.!:]|wait\b|actually\b)|"
    rf"(?:(?:and|to|through|/|,|&|\||-|–)(?!\n){_MARKS}{{0,20}})?\d)",
    re.I,
)
"""After a number: it is one of several or taken back, and nobody knows which is meant."""
_SUPPOSED: Final = re.compile(
    r"(?:\b(?:if|when|suppose|assum\w+|not|never|cannot|avoid|instead of|rather than|"
    r"(?:think|expect|hope|want|believe|fear|guesse)s)|n['’]t)\b[^.,;:!?\n]*\Z",
    re.I,
)
"""Before a pick: it is only being thought about, or ruled out."""
_THEIRS: Final = re.compile(
    r"(?:\b(?:(?:opponent|rival|enem(?:y|ie)|adversar(?:y|ie))s?|players?[ _]?\d*|other player|"
    r"your?|they|their|them|he|his|him|she|her|"
    r"last|past|prior|earlier|previous(?:ly)?|predicted|expected)|"
    r"(?<!\bhere)(?<!\bit)(?<!\bthat)(?<!\blet)(?<!\bround)(?<!\bturn)['’]s)\b"
    r"(?:[^.,;:!?\n]*|[^\w\n.,;!?]{0,10}(?:{\s{0,20}[\"']?)?)\Z",
    re.I,
)
"""Before a pick: it is somebody else's, or one of the past."""
_LABELLED: Final = re.compile(
    rf"(?<!\w)_{{0,3}}pick(?: number)?{_COLON}"
    rf"(?:[ \t]{{1,5}}the\b)?(?:[ \t]{{1,5}}number\b)?{_NUMBER}",
    re.I,
)
_LIST: Final = re.compile(r"pick[\"']\s{0,20}:\s{0,20}\[", re.I)
"""A list in JSON, which is no number even where it holds one."""
_ANSWERED: Final = re.compile(
    rf"(?:\b(?:answer|choice|selection)(?:{_COLON}|[*_]{{0,3}} is\b)|<answer>|\\boxed{{){_NUMBER}",
    re.I,
)
_SAID: Final = re.compile(
    r"\b(?:(?:i|i['’]ll|i will|i['’]d|i would|i['’]m going to|let me|let['’]s)\s+"
    r"(?:pick|choose|select|play|go with)|my (?:final )?(?:pick|number) is|"
    r"i(?:['’]m| am) going with)"
    rf"(?:\s+the)?(?:\s+number)?(?!\w){_NUMBER}"
    r"(?=[\s*_`\"'”’)\]}]{0,20}(?:[.!,;:(/&|–—-]|or|and|to|as|for|since|because|\Z))",
    re.I,
)
_ALONE: Final = re.compile(
    rf"(?:{_MARKS}|\\boxed|\bpick\b)*(?P<number>\d{{1,9}})[\s*_`\"'”’)\]}}>.$!]*", re.I
)
CONTEXT_CHARACTERS: Final = 80
"""Signs before a pick in which it may be said whose it is."""


class BadModelAnswer(Exception):
    """An answer that is no legal pick, and what is wrong with it."""


class UnreadableModelAnswer(BadModelAnswer):
    """An answer in which no pick can be found: a fault of form."""


class IllegalModelPick(BadModelAnswer):
    """A pick that the rules do not allow here: a fault of play."""


def parse_legal_pick(text: str, terms: Terms, view: View) -> int:
    """The legal number that an answer picks; `BadModelAnswer` says what is wrong."""
    assert view.seat is not None
    number = parse_pick(text)
    if number not in view.choices:
        raise IllegalModelPick(
            f"{number} is {terms.game.words.refusal(view.state, view.seat, number)}"
        )
    return number


def parse_pick(text: str) -> int:
    """The number that an answer picks, the last of several; else `UnreadableModelAnswer`.

    What is written as asked for goes before every other form.
    """
    said = without_reasoning(text)
    if not said:
        problem = "the answer is nothing but thoughts" if text.strip() else "the answer is empty"
        if _STRUCK_OUT_TEXT.search(text):
            problem = "the answer is struck out"
        raise UnreadableModelAnswer(problem)
    last_line = said.splitlines()[-1]
    for form, where in ((_LABELLED, said), (_ANSWERED, said), (_SAID, last_line)):
        for found in reversed([*form.finditer(where)]):
            if not _is_disclaimed(form, found, where):
                return _single(found, where)
    if alone := _ALONE.fullmatch(last_line):
        return int(alone["number"])
    raise UnreadableModelAnswer(f'no pick was found; the answer ends with "{brief(last_line)}"')


def without_reasoning(text: str) -> str:
    """An answer without what the model thought before it, and what it struck out."""
    text = _REASONING_END.sub("", _REASONING_BLOCK.sub("", text.translate(FULL_WIDTH_TO_ASCII)))
    return _STRUCK_OUT_TEXT.sub("", text).strip()


def _is_disclaimed(form: "re.Pattern[str]", found: "re.Match[str]", text: str) -> bool:
    """Whether it is said before a pick that the model does not make it; "I pick" says who does."""
    before = max(0, found.start() - CONTEXT_CHARACTERS), found.start()
    if _SUPPOSED.search(text, *before):
        return True
    return form is not _SAID and bool(_THEIRS.search(text, *before))


def _single(found: "re.Match[str]", text: str) -> int:
    if _DOUBT.match(text, found.end()) or _LIST.match(found[0]):
        raise UnreadableModelAnswer(
            f'"{brief(text[found.start() : found.end() + 12])}" may mean several'
        )
    return int(found["number"])
