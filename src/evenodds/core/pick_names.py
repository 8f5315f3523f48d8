"""What picks are called wherever they are shown, and what is typed for them."""

import re
from collections.abc import Iterable
from typing import Any, Final

from evenodds.core.vocabulary import Seat
from evenodds.figures import join_words
from evenodds.system.text import parse_whole

UNREADABLE: Final = re.compile(r".*-.*|[\[{].*|.*\([0-9]+\)|draw|first|second|\*|.*[^\S ].*")
"""Names, as words, that notation would take for a pair of picks, a tag, a draw or a result."""


def as_word(name: str) -> str:
    """The name of a pick as notation has it: without spaces."""
    return name.casefold().replace(" ", "_")


class PickNames:
    """The names of picks, which are their numbers unless a game overrides `pick_name`."""

    def pick_name(self, rulings: Any, seat: Seat, number: int) -> str:
        """What a pick is called wherever it is shown: the number, unless a game says `Rock`.

        Legal picks of a seat have different names. A number in a name, such as `bid 3`, is what
        people type for it.
        """
        return str(number)

    @property
    def names_picks(self) -> bool:
        """Whether picks have names other than their numbers."""
        return type(self).pick_name is not PickNames.pick_name

    def pick_names(self, rulings: Any, seat: Seat, choices: Iterable[int]) -> dict[int, str]:
        """The names of picks where the game has its own; nothing where numbers are shown."""
        if not self.names_picks:
            return {}
        return {number: self.pick_name(rulings, seat, number) for number in choices}

    def typed_numbers(self, rulings: Any, seat: Seat, choices: Iterable[int]) -> dict[int, int]:
        """What is typed for each pick: the number in its name where names hold one, or its own."""
        names = self.pick_names(rulings, seat, choices)
        found = {number: re.findall(r"\d+", name) for number, name in names.items()}
        if not any(found.values()):
            return {number: number for number in choices}
        figures = {number: int(said[0]) for number, said in found.items() if len(said) == 1}
        said = list(figures.values())
        return {figure: each for each, figure in figures.items() if said.count(figure) == 1}

    def find_pick(
        self, rulings: Any, seat: Seat, choices: tuple[int, ...], text: str
    ) -> int | None:
        """The pick that is typed: its name, the beginning of no other name, or its number.

        A number that is no choice is given back, to be refused; None is no pick at all. Where names
        hold numbers, those alone are meant.
        """
        typed, names = text.strip().casefold(), self.pick_names(rulings, seat, choices)
        known, number = self.typed_numbers(rulings, seat, choices), parse_whole(typed)
        if number is not None:
            in_names = any(map(re.compile(r"\d").search, names.values()))
            return known.get(number, None if in_names else number)
        exact = [each for each, name in names.items() if name.casefold() == typed]
        begun = [each for each, name in names.items() if name.casefold().startswith(typed)]
        found = exact or begun if typed else []
        return found[0] if len(found) == 1 else None

    def listed(
        self, rulings: Any, seat: Seat, choices: tuple[int, ...], most: int = 4, last: str = "or"
    ) -> str:
        """Picks in a sentence, short: `1, 2 or 4`, and `1 to 9` for a row of more than `most`."""
        names = [self.pick_name(rulings, seat, number) for number in choices]
        if len(names) > most and is_row(names):
            return f"{names[0]} to {names[-1]}"
        return join_words(names, last)


def is_row(names: list[str]) -> bool:
    """Whether names are the same but for one number in them, which goes up one by one."""
    first, *more = re.findall(r"\d+", names[0]) or [""]
    numbers = range(int(first or 0), int(first or 0) + len(names))
    return bool(first) and not more and names == [names[0].replace(first, str(n)) for n in numbers]
