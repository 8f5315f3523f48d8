"""Rulings: what a rule book leaves open, as options with their limits and meanings.

A game declares its rulings once, as the fields of a NamedTuple: the annotation holds the limits and
the meaning, or is a `Choice`; the default is the field's default. The command line, pages, menus
and errors read them from there.
"""

from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from operator import index
from typing import Any, NamedTuple, Self, TypeVar, get_type_hints

from evenodds.figures import join_words
from evenodds.system import InvalidInput
from evenodds.system.text import parse_whole, shorten

R = TypeVar("R", bound=tuple[Any, ...])


class BadRuling(InvalidInput, ValueError):
    """A ruling that the game does not have, or a value that it does not allow."""


class Whole(NamedTuple):
    """A whole number between two limits; the upper one may follow another ruling of the game.

    `high` is a number, or the key of another ruling, or such a key less a number: `"numbers - 1"`.
    """

    low: int
    high: int | str
    about: str

    def most(self, settled: Mapping[str, int]) -> int:
        """The upper limit, given the rulings that are settled already."""
        if isinstance(self.high, int):
            return self.high
        key, _, less = self.high.partition(" - ")
        return settled[key] - int(less or 0)

    def allowed(self, settled: Mapping[str, int]) -> str:
        """The limits in words."""
        follows = "" if isinstance(self.high, int) else f" ({self.high})"
        return f"{self.low} to {self.most(settled)}{follows}"

    def read(self, value: object, settled: Mapping[str, int]) -> int | None:
        """The value as the rules hold it, or None where it is not allowed."""
        if type(value) is int and self.low <= value <= self.most(settled):
            return value
        return None

    def nearest(self, value: int, settled: Mapping[str, int]) -> int:
        """The value, or the limit that it exceeds."""
        return max(self.low, min(value, self.most(settled)))

    def show(self, value: int) -> str:
        """The value as text."""
        return str(value)


class Choice(IntEnum):
    """A ruling of a few words, as a class of them: `LOSES = "whoever takes the last one loses"`.

    Players type the names in small letters. The docstring says what the ruling is about.
    """

    meaning: str

    def __new__(cls, meaning: str) -> Self:
        """Members are counted from 0."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.meaning = meaning
        return member


class OneOf(NamedTuple):
    """One of a few words, each with what it means: the members of a `Choice`."""

    about: str
    choice: type[Choice]

    @property
    def words(self) -> dict[str, str]:
        """The words in their order, each with what it means."""
        return {member.name.lower(): member.meaning for member in self.choice}

    def allowed(self, settled: Mapping[str, int]) -> str:
        """The words to choose from."""
        return join_words(list(self.words), "or")

    def read(self, value: object, settled: Mapping[str, int]) -> int | None:
        """The value as the rules hold it, or None where it is not allowed."""
        return next((member for member in self.choice if value == member.name.lower()), None)

    def nearest(self, value: int, settled: Mapping[str, int]) -> int:
        """The value itself: every word is allowed whatever else is settled."""
        return value

    def show(self, value: int) -> str:
        """The value as text."""
        if value not in range(len(self.choice)):
            raise ValueError(f"{value} is not a choice; allowed: {self.allowed({})}")
        return list(self.words)[value]


Option = Whole | OneOf


def typed_value(text: str) -> int | str:
    """The value of a typed text: digits as a number, anything else as it is."""
    number = parse_whole(text)
    return text if number is None else number


@cache
def field_types(fields: Any) -> dict[str, Any]:
    """The fields of a named tuple with their types, of annotations that are strings, too."""
    try:
        hints = get_type_hints(fields, include_extras=True)
    except NameError as error:
        problem = f"{fields.__name__}: {error}; what annotations name is imported where rules run"
        raise NameError(problem) from None
    return {field: hints[field] for field in fields._fields}


def options(rulings: type[R]) -> dict[str, Option]:
    """The options of a game by key, in the order the game lists them.

    `BadRuling` names a field that is not declared as one.
    """
    found: dict[str, Option] = {}
    for key, hint in field_types(rulings).items():
        option = getattr(hint, "__metadata__", (None,))[0]
        if isinstance(hint, type) and issubclass(hint, Choice):
            about = " ".join((hint.__doc__ or "").split()).removesuffix(".")
            option = OneOf(about[:1].lower() + about[1:], hint)
        if not isinstance(option, Option):
            wanted = "Annotated[int, Whole(...)] or a Choice"
            raise BadRuling(f"the ruling {key} must be declared as {wanted}")
        found[key] = option
    return found


def as_int(value: Any) -> int | None:
    """A whole number of any type, such as NumPy's, as an `int`; None for other values."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def merge_rulings(
    given: Mapping[str, object] | None, named: Mapping[str, object]
) -> dict[str, object]:
    """Merge rulings given as a mapping and as keywords; `BadRuling` for one given twice.

    Only the mapping can hold a ruling with the name of another parameter of the called function.
    """
    check_mapping(given)
    twice = next((key for key in named if key in (given or {})), None)
    if twice is not None:
        raise BadRuling(f"{twice} is given twice, as a keyword and among the rulings")
    return {**(given or {}), **named}


def check_mapping(given: object) -> None:
    """`BadRuling` for rulings that are no mapping."""
    if given is not None and not isinstance(given, Mapping):
        raise BadRuling(f"rulings are a mapping of keys to values, not {shorten(given)}")


def settle(rulings: type[R], given: Mapping[str, object]) -> R:
    """The rulings of a match: what was given, and the default for the rest.

    A whole number may be of any kind, NumPy's included, or text as commands take it; the rules
    hold Python's own. Raises `BadRuling` with one line that names the key, the value and what is
    allowed.
    """
    given = {key: typed_value(v) if isinstance(v, str) else v for key, v in given.items()}
    given = {key: value if (n := as_int(value)) is None else n for key, value in given.items()}
    known = options(rulings)
    for key, value in given.items():
        if key not in known:
            keys = ", ".join(known) or "none"
            raise BadRuling(f"{key}={shorten(value)}: there is no such ruling; allowed: {keys}")
    defaults = rulings()._asdict()  # type: ignore[attr-defined]
    settled: dict[str, int] = {}
    for key, option in known.items():
        value = given[key] if key in given else typed_value(option.show(defaults[key]))
        number = option.read(value, settled)
        if number is None:
            origin = "" if key in given else " (the default)"
            allowed = option.allowed(settled)
            raise BadRuling(f"{key}={shorten(value)}{origin} is not allowed; allowed: {allowed}")
        settled[key] = number
    return rulings(**settled)


def given_rulings(rules: tuple[str, ...]) -> dict[str, str]:
    """The texts of `--rule key=value` by key."""
    given: dict[str, str] = {}
    for text in rules:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadRuling(f"--rule {text} is not allowed; allowed: key=value")
        if key in given:
            raise BadRuling(f"{key}={value} is not allowed: {key} is given twice")
        given[key] = value
    return given


def parse_rulings(rulings: type[R], texts: Mapping[str, str]) -> dict[str, object]:
    """Parse the texts of rulings, as typed, into values for `settle`, which checks them."""
    known = options(rulings)
    return {key: typed_value(text) if key in known else text for key, text in texts.items()}


def ruling_texts(rulings: tuple[Any, ...], *, changed_only: bool = False) -> dict[str, str]:
    """The text of each ruling by key; only those that differ from the default if asked."""
    values: dict[str, int] = rulings._asdict()  # type: ignore[attr-defined]
    defaults: dict[str, int] = type(rulings)()._asdict()  # type: ignore[attr-defined]
    return {
        key: option.show(values[key])
        for key, option in options(type(rulings)).items()
        if not changed_only or values[key] != defaults[key]
    }


def format_rulings(said: Mapping[str, object]) -> str:
    """The texts of rulings on one line, as they are typed: `hp=3 numbers=5`."""
    return " ".join(f"{key}={value}" for key, value in said.items())


def titled(title: str, rulings: tuple[Any, ...]) -> str:
    """A title, with the rulings that were changed: `Number Duel (hp=5)`."""
    changed = format_rulings(ruling_texts(rulings, changed_only=True))
    return f"{title} ({changed})" if changed else title


def as_data(rulings: tuple[Any, ...]) -> dict[str, int | str]:
    """All rulings for programs, by key: numbers as numbers, and words for the rest."""
    return {key: typed_value(said) for key, said in ruling_texts(rulings).items()}
