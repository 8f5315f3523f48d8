"""A game: five functions over immutable states, its rulings, and the words it speaks.

`start`, `legal`, `step`, `outcome` and `ending` are all of the rules. A step always takes a pick
from both seats; a seat with nothing to decide picks PASS, so that all other code treats turns and
simultaneous rounds alike.
"""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import IntEnum
from importlib import import_module
from math import inf
from typing import Any, Final, Generic, NamedTuple, TypeVar

from evenodds.core.rulings import BadRuling, Option, options, parse_rulings, settle
from evenodds.core.step_limit import limited
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    PASS,
    SEATS,
    Moves,
    Outcome,
    Pair,
    Seat,
    numbers,
)
from evenodds.core.words import Words
from evenodds.figures import join_words
from evenodds.system.text import error_text, printable, shorten

R = TypeVar("R", bound=tuple[Any, ...])
S = TypeVar("S", bound=tuple[Any, ...])

LEVELS: Final = range(1, 9)
"""The strengths at which the computer plays any game."""
MAX_DRAWN: Final = 10_000
"""Positions that opening draws may lead to before `Game.of` takes it that nobody picks."""
NEEDED: Final = ("Rulings", "start", "legal", "step", "outcome", "ending")
"""What a module of rules has."""


class Game(NamedTuple, Generic[R, S]):
    """One rule book.

    `start(rulings)` is the first position. `legal(state, seat)` is the set of numbers open to a
    seat while the match is open; bit 0 alone when there is nothing to decide. `step(state, picks)`
    is the position after both picks, which must be legal: a `Match` checks them.
    `outcome(state)` says who has won, `ending(state)` by what.

    Where nobody picks, `chance(state)` is the set of numbers of which one is drawn, and `step`
    takes it in place of the first seat's pick. With `reward` a match is about points.
    """

    name: str
    title: str
    summary: str
    rulings: type[R]
    start: Callable[[R], S]
    legal: Callable[[S, Seat], Moves]
    step: Callable[[S, Pair], S]
    outcome: Callable[[S], Outcome]
    ending: Callable[[S], IntEnum]
    simultaneous: bool
    """Whether both seats pick in the same round, at least in some positions."""
    words: Words[S] = Words()
    mirror: Callable[[S], S] | None = None
    """The same position with the seats exchanged, where the rules favour neither seat."""
    canonical: Callable[[S], S] | None = None
    """The position that stands for this one and for others that differ in the numbers alone: its
    k-th legal pick leads on as the k-th legal pick of each. Only it is solved."""
    chance: Callable[[S], Moves] | None = None
    """The numbers that may be drawn at a position; NOTHING where somebody picks."""
    weight: Callable[[S, int], int] | None = None
    """How likely each of them is, as a whole number from 1 on; without it all are alike."""
    reward: Callable[[S, Pair], int] | None = None
    """The points that a step from a position brings the first seat, and costs the second. The
    result of a match is their sum, and 1 or -1 point for an outcome that is no draw."""
    loops: bool = False
    """Whether a position can come up twice in one match."""
    bound: Callable[[R], int] | None = None
    """No more open positions than this, and no less than a third of it where there are hundreds:
    what is far too large to be solved is refused at once."""
    longest: Callable[[R], int] | None = None
    """No match has more rounds than this, and with some picks it has as many; None where matches
    can go on and on."""
    ladder: tuple[float, ...] = ()
    """How careless the levels are (a softmax temperature), and then for each of the eight the
    chance that it plays the exact mix. Empty: `players.levels.ladder_of` finds one."""
    lively: tuple[tuple[str, int], ...] = ()
    """Rulings, as pairs of key and value, that make picks matter where the rules decide a match, or
    where one number is always best: measured by a study."""
    lively_about: str = ""
    """What they give and what they lack, in the second half of a sentence."""
    page: str = ""
    """The file with the rules for players, in Markdown."""
    claims: str = ""
    """The module with the claims of the rule book as `SENTENCES`; imported when needed."""
    place: int = 100
    """The sort key of the game in lists."""

    @classmethod
    def of(cls, rules: Any, **about: Any) -> "Game[Any, Any]":
        """The game of a rules module, with the other fields as keywords.

        Types and functions are the module's, by their names. In a package the folder has the rest:
        it is called like the game, and `words.py` with a `Speech`, `claims.py` and `rulebook.md`
        are used where they are there. Without a title it is the name, and without a summary the
        first line of the module's text.
        Without `simultaneous` the first decision says whether both seats pick.
        """
        if missing := [name for name in NEEDED if not hasattr(rules, name)]:
            raise TypeError(f"the rules have no {join_words(missing, 'or')}")
        found = {field: getattr(rules, field) for field in cls._fields if hasattr(rules, field)}
        both_pick = limited(_first_decision_is_for_both, rules, found.get("chance"))
        found |= {"rulings": rules.Rulings, "simultaneous": both_pick}
        about_rules = (rules.__doc__ or "").strip().partition("\n")[0]
        found.setdefault("summary", about_rules or "A game of two players.")
        if package := rules.__package__:
            folder = os.path.dirname(rules.__file__)
            files = {name: os.path.join(folder, name) for name in os.listdir(folder)}
            found |= {"name": package.rpartition(".")[2], "page": files.get("rulebook.md", "")}
            if "claims.py" in files:
                found["claims"] = f"{package}.claims"
            if "words.py" in files and "words" not in about:
                words = import_module(f"{package}.words")
                if not hasattr(words, "Speech"):
                    raise TypeError("words.py has no class Speech")
                found["words"] = words.Speech()
        found |= about
        return cls(**{"title": title_of(str(found.get("name", "")))} | found)

    def flaw(self) -> str:
        """What is wrong with the declaration of the game, in one line; empty where it is valid."""
        for text in (self.title, self.summary):
            if not isinstance(text, str) or printable(text) != text:
                return "title and summary must be text without control characters"
        if not isinstance(self.place, int):
            return f"place must be a whole number, not {shorten(repr(self.place))}"
        if self.ladder != () and not _is_ladder(self.ladder):
            wanted = f"{1 + len(LEVELS)} numbers: one above 0, then {len(LEVELS)} from 0 to 1"
            return f"ladder must be {wanted}, not {shorten(repr(self.ladder), 80)}"
        if problem := self._unused_words():
            return problem
        try:
            self.settle({})
        except BadRuling as error:
            return str(error)
        except Exception as error:  # a package may declare anything
            return f"rulings fail with {error_text(error)}"
        try:
            picture = limited(self.words.picture)
        except Exception as error:
            return f"words.picture fails with {error_text(error)}"
        return "" if isinstance(picture, list) else "words.picture must be a list of lines"

    @property
    def rules_file(self) -> str:
        """The file of the rules, beside which others may lie; empty where there is none."""
        module = sys.modules.get(getattr(self.start, "__module__", ""))
        return getattr(module, "__file__", None) or ""

    def _unused_words(self) -> str:
        """That there are words beside the rules which the game does not use."""
        file = self.rules_file
        words = os.path.join(os.path.dirname(file), "words.py")
        if type(self.words) is not Words or not file or not os.path.isfile(words):
            return ""
        with suppress(OSError), open(words, encoding="utf-8", errors="replace") as source:
            if "class Speech" not in source.read():
                return ""
        remedy = "make the game with Game.of in a folder of its own, or say words=Speech()"
        return f"words.py beside {os.path.basename(file)} is not used: {remedy}"

    def settle(self, given: Mapping[str, object]) -> R:
        """The rulings of a match: the given values, else the defaults; or `BadRuling`."""
        return settle(self.rulings, given)

    def settle_typed(self, texts: Mapping[str, str]) -> R:
        """The same from typed texts."""
        return settle(self.rulings, parse_rulings(self.rulings, texts))

    def picks(self, state: S, seat: Seat) -> tuple[int, ...]:
        """What a step takes for a seat while the match is open: its numbers, or PASS alone.

        Where a number is drawn, those that may be: they stand in the first seat's place.
        """
        drawn = numbers(self.chance(state)) if self.chance and seat == FIRST else ()
        return drawn or numbers(self.legal(state, seat)) or (PASS,)

    def draws(self, state: S) -> dict[int, int]:
        """The numbers of which one is drawn, with their weights; none where somebody picks."""
        drawn = numbers(self.chance(state)) if self.chance else ()
        return {number: self.weight(state, number) if self.weight else 1 for number in drawn}

    @property
    def is_combinatorial(self) -> bool:
        """Whether a position is won, drawn or lost: in turns, without chance and points."""
        return not (self.simultaneous or self.chance or self.reward)

    @property
    def representative(self) -> Callable[[S], S] | None:
        """`canonical`, where solving needs it: not with loops, nor where positions keep a pick."""
        return None if self.loops or self.is_combinatorial else self.canonical

    @property
    def can_repeat(self) -> bool:
        """Whether a match is a draw once a position has come up too often.

        With chance, or where both pick at once, play leaves a position by luck: it goes on.
        """
        return self.loops and self.is_combinatorial

    @property
    def round_word(self) -> str:
        """What rule books call a step: a turn where one player picks, a round where both do."""
        return "round" if self.simultaneous else "turn"

    @property
    def options(self) -> dict[str, Option]:
        """The rulings that players may change, by key."""
        return options(self.rulings)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"


def title_of(name: str) -> str:
    """The title of a game that declares none."""
    return name.replace("_", " ").replace("-", " ").title()


def _first_decision_is_for_both(rules: Any, chance: Callable[[Any], Moves] | None) -> bool:
    state = rules.start(rules.Rulings())
    drawn = [state] if chance else []
    seen = {*drawn}
    while chance and drawn and len(seen) < MAX_DRAWN:
        state = drawn.pop()
        if rules.outcome(state) == Outcome.ONGOING:
            if chance(state) == NOTHING:
                break
            after = {rules.step(state, (each, PASS)) for each in numbers(chance(state))}
            drawn += after - seen
            seen |= after
    return all(rules.legal(state, seat) != NOTHING for seat in SEATS)


def _is_ladder(ladder: Any) -> bool:
    return (
        isinstance(ladder, tuple)
        and len(ladder) == 1 + len(LEVELS)
        and all(isinstance(number, int | float) for number in ladder)
        and 0 < ladder[0] < inf
        and all(0 <= chance <= 1 for chance in ladder[1:])
    )
