"""Parser for a grid of rulings such as `numbers=6..12 target=1,3 exhausted=*`."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice, product
from math import prod
from typing import Final, NamedTuple

from evenodds.core.catalog import AnyGame, typed_name
from evenodds.core.rulings import BadRuling, OneOf, Option, ruling_texts, settle
from evenodds.core.vocabulary import Settled
from evenodds.system import InvalidInput
from evenodds.system.text import parse_whole, shorten

MAX_COMBINATIONS: Final = 10_000
ALL_VALUES: Final = "*"


def allows(game: AnyGame, texts: Mapping[str, str]) -> bool:
    """Whether a game can be ruled so."""
    try:
        game.settle_typed(texts)
    except BadRuling:
        return False
    return True


def offered(game: AnyGame) -> list[Settled]:
    """The rulings that players are offered: the book's, and then the livelier ones, if any."""
    book = game.rulings()
    return list(dict.fromkeys([book, book._replace(**dict(game.lively))]))


def command_for(command: str, game: AnyGame, texts: Mapping[str, str], *options: str) -> str:
    """A command for a game under these rulings, of which it names those that are not the book's."""
    book = ruling_texts(game.rulings())
    changed = [f"--rule {key}={text}" for key, text in texts.items() if book[key] != text]
    return " ".join(["evenodds", command, typed_name(game), *options, *changed])


class Grid(NamedTuple):
    """The values of the swept rulings of a game, in the order of its options."""

    game: AnyGame
    axes: dict[str, list[str]]
    picked: list[dict[str, str]] | None = None
    """The only combinations to sweep; None for all."""

    def combinations(self) -> Iterator[dict[str, str]]:
        """Every combination as typed values; the last ruling changes fastest."""
        every = (dict(zip(self.axes, each, strict=True)) for each in product(*self.axes.values()))
        return every if self.picked is None else iter(self.picked)

    @property
    def fixed(self) -> dict[str, str]:
        """The rulings that are not swept, as the rule book has them."""
        book = ruling_texts(self.game.rulings())
        return {key: value for key, value in book.items() if key not in self.axes}


def every_ruling(game: AnyGame) -> Grid | None:
    """The grid of all that a game allows; None for more than `MAX_COMBINATIONS`."""
    found: list[dict[str, int]] = [{}]
    for key, option in game.options.items():
        more = (
            one | {key: value}
            for one in found
            for value in (
                range(len(option.words))
                if isinstance(option, OneOf)
                else range(option.low, option.most(one) + 1)
            )
        )
        found = list(islice(more, MAX_COMBINATIONS + 1))
        if len(found) > MAX_COMBINATIONS:
            return None
    picked = [{key: game.options[key].show(one[key]) for key in one} for one in found]
    axes = {key: list(dict.fromkeys(one[key] for one in picked)) for key in game.options}
    return Grid(game, axes, picked)


def read_grid(game: AnyGame, texts: Mapping[str, str]) -> Grid:
    """The grid from the typed text of each ruling.

    Raises `BadRuling` for a ruling that the game does not have, and `InvalidInput`.
    """
    unknown = {key: text for key, text in texts.items() if key not in game.options}
    settle(game.rulings, unknown)  # raises with the sentence for unknown rulings
    axes = {
        key: _values(key, texts[key], option)
        for key, option in game.options.items()
        if key in texts
    }
    count = prod(sum(map(len, parts)) for parts in axes.values())
    if count > MAX_COMBINATIONS:
        raise InvalidInput(
            f"{shorten(f'{count:,}')} combinations are too many; allowed: {MAX_COMBINATIONS:,}"
        )
    # Every value once, in the order of first occurrence.
    distinct = {key: dict.fromkeys(map(str, chain(*parts))) for key, parts in axes.items()}
    return Grid(game, {key: list(values) for key, values in distinct.items()})


def _values(key: str, text: str, option: Option) -> list[range] | list[list[str]]:
    """The values of one ruling: words, numbers and ranges of numbers, between commas."""
    parts = [part.strip() for part in text.split(",")]
    if isinstance(option, OneOf):
        words = list(option.words)
        if parts == [ALL_VALUES]:
            return [words]
        if not set(parts) <= set(words):
            allowed = f"{option.allowed({})}, several with commas, or {ALL_VALUES} for all"
            raise InvalidInput(f"{key}={shorten(text)} is not allowed; allowed: {allowed}")
        return [parts]
    found: list[range] = []
    for part in parts:
        low, dots, high = part.partition("..")
        begin, end = parse_whole(low), parse_whole(high if dots else low)
        if begin is None or end is None:
            allowed = "whole numbers, ranges like 6..12, or several with commas"
            raise InvalidInput(f"{key}={shorten(text)} is not allowed; allowed: {allowed}")
        if begin > end:
            raise InvalidInput(
                f"{key}={shorten(text)} is not allowed: {shorten(part)} runs backwards"
            )
        found.append(range(begin, end + 1))
    return found
