"""Parsing of a language model's answer: the number it picks, in any notation.

Models write a pick in many ways; a form with only one possible meaning is accepted. An answer
without one is counted as unreadable, not as an illegal pick.
"""

import re
from typing import Final

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.system.text import shorten

FULL_WIDTH_TO_ASCII: Final = {0xFEE0 + sign: sign for sign in range(0x21, 0x7F)}
"""Translation of full-width characters of East Asian keyboards."""
_REASONING_BLOCK: Final = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.S | re.I
)
_REASONING_END: Final = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)
"""Some services cut off the opening tag of the reasoning, and leave the closing one."""

_STRUCK_OUT_TEXT: Final = re.compile(r"~~[^~\n]+~~|<(del|strike)>[^<\n]*</\1>", re.I)
_MARKS: Final = r"[\s*_`~\"'“”‘’«»$(\[{}<#]"
"""Markup before a number."""
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
"""After a number: it is one of several or withdrawn, so the pick is ambiguous."""
_SUPPOSED: Final = re.compile(
    r"(?:\b(?:if|when|suppose|assum\w+|not|never|cannot|avoid|instead of|rather than|"
    r"(?:think|expect|hope|want|believe|fear|guesse)s)|n['’]t)\b[^.,;:!?\n]*\Z",
    re.I,
)
"""Before a pick: it is hypothetical, or ruled out."""
_THEIRS: Final = re.compile(
    r"(?:\b(?:(?:opponent|rival|enem(?:y|ie)|adversar(?:y|ie))s?|players?[ _]?\d*|other player|"
    r"your?|they|their|them|he|his|him|she|her|"
    r"last|past|prior|earlier|previous(?:ly)?|predicted|expected)|"
    r"(?<!\bhere)(?<!\bit)(?<!\bthat)(?<!\blet)(?<!\bround)(?<!\bturn)['’]s)\b"
    r"(?:[^.,;:!?\n]*|[^\w\n.,;!?]{0,10}(?:{\s{0,20}[\"']?)?)\Z",
    re.I,
)
"""Before a pick: it is the opponent's, or an earlier one."""
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
NAMED: Final = 10**6
"""What is added to a pick that an answer calls by its name, while it is parsed."""
CONTEXT_CHARACTERS: Final = 80
"""Characters before a pick that are searched for whose it is."""
MAX_READ_CHARACTERS: Final = 20_000
"""What is read of an answer, thoughts apart: its end, where the pick stands."""


class BadModelAnswer(Exception):
    """An answer in which no legal pick can be found, and what is wrong with it."""


class IllegalModelPick(BadModelAnswer):
    """A pick that the rules do not allow here."""


def parse_legal_pick(text: str, terms: Terms, view: View) -> int:
    """The legal number that an answer picks; `BadModelAnswer` says what is wrong."""
    assert view.seat is not None
    words, asked = terms.game.words, (terms.rulings, view.seat, view.choices)
    text = _written(text)
    for known, name in sorted(words.pick_names(*asked).items(), key=lambda item: -len(item[1])):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", str(NAMED + known), text, flags=re.I)
    number = _pick_in(text)
    if number >= NAMED and words.names_picks:
        return number - NAMED
    if words.find_pick(*asked, str(number)) != number:
        raise BadModelAnswer(f"{number} may mean a name or a number; give the name of the pick")
    if number not in view.choices:
        raise IllegalModelPick(words.refused(view.state, view.seat, number))
    return number


def parse_pick(text: str) -> int:
    """The number that an answer picks, the last of several; else `BadModelAnswer`.

    The format that was asked for takes precedence over every other form.
    """
    return _pick_in(_written(text))


def _written(text: str) -> str:
    """What an answer says apart from thoughts; `BadModelAnswer` where that is nothing."""
    answer = without_reasoning(text)
    if not answer:
        problem = "the answer is nothing but thoughts" if text.strip() else "the answer is empty"
        if _STRUCK_OUT_TEXT.search(text):
            problem = "the answer is struck out"
        raise BadModelAnswer(problem)
    return answer


def _pick_in(answer: str) -> int:
    last_line = answer.splitlines()[-1]
    for pattern, searched in ((_LABELLED, answer), (_ANSWERED, answer), (_SAID, last_line)):
        for found in reversed([*pattern.finditer(searched)]):
            if not _is_disclaimed(pattern, found, searched):
                return _single(found, searched)
    if alone := _ALONE.fullmatch(last_line):
        return int(alone["number"])
    raise BadModelAnswer(f'no pick was found; the answer ends with "{shorten(last_line)}"')


def without_reasoning(text: str) -> str:
    """The end of an answer, without the model's reasoning and without struck-out text."""
    text = _REASONING_END.sub("", _REASONING_BLOCK.sub("", text)).strip()
    end = text[-MAX_READ_CHARACTERS:].translate(FULL_WIDTH_TO_ASCII)
    return _STRUCK_OUT_TEXT.sub("", end).strip()


def _is_disclaimed(pattern: "re.Pattern[str]", found: "re.Match[str]", text: str) -> bool:
    """Whether the text before a pick denies it; "I pick" excludes that it is the opponent's."""
    before = max(0, found.start() - CONTEXT_CHARACTERS), found.start()
    if _SUPPOSED.search(text, *before):
        return True
    return pattern is not _SAID and bool(_THEIRS.search(text, *before))


def _single(found: "re.Match[str]", text: str) -> int:
    if _DOUBT.match(text, found.end()) or _LIST.match(found[0]):
        said = shorten(text[found.start() : found.end() + 12])
        raise BadModelAnswer(f'"{said}" may mean several')
    return int(found["number"])
