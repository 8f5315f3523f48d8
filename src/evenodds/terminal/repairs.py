"""Repairs of a game, for people at a terminal."""

from collections import Counter
from typing import Final

from evenodds.catalog import AnyGame
from evenodds.rulings import one_line
from evenodds.study.sweeps.repair import CHANGES, Remedy, Repair, repair
from evenodds.study.sweeps.tables import shown
from evenodds.study.sweeps.wishes import WISHES
from evenodds.teams.task import Team
from evenodds.terminal.progress import shown_progress
from evenodds.terminal.screen import Screen
from evenodds.text import few, listed

TOLD: Final = 5
"""Rulings that are told of those that keep the wishes."""


def run(game: AnyGame, wishes: tuple[str, ...], team: Team) -> Repair:
    """Search with a bar for those who wait."""
    with shown_progress() as progress:
        return repair(game, wishes, team, progress)


def show(found: Repair, screen: Screen) -> None:
    """The answer first, then what it costs, and what was searched."""
    screen.say(f"{found.game.title}: {listed(found.wishes)}.", "")
    screen.say(*(f"- {name}: {_lowered(WISHES[name].about)}" for name in found.wishes), "")
    remedies = found.remedies
    if remedies:
        screen.say("Yes." if not remedies[0].rules else "Yes, with another ruling.")
        _show_remedies(found, remedies, screen)
    else:
        _show_no(found, screen)
    screen.say("", *_searched(found))


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _show_no(found: Repair, screen: Screen) -> None:
    if found.proofs:
        screen.say("No, and no ruling can.")
        for name, proof in found.proofs.items():
            screen.say(f"- {name}: {proof}")
    else:
        screen.say("No: none of the rulings that were searched keeps all of it.")
    for some, remedies in found.compromises().items():
        screen.say("", f"Only {listed(some)}:")
        _show_remedies(found, remedies, screen)


def _show_remedies(found: Repair, remedies: list[Remedy], screen: Screen) -> None:
    """The rulings nearest to the book, each with what it changes."""
    told = 1 if not remedies[0].rules else TOLD  # whoever has the book needs no other ruling
    for one in remedies[:told]:
        screen.say(f"- {_told(found, one)}")
    if len(remedies) > told:
        screen.say(f"- and {len(remedies) - told:,} more, which change more")


def _told(found: Repair, one: Remedy) -> str:
    if not one.rules:
        return f"the book as it is: {_figures(one)}"
    changes = [
        f"{name} {shown(name, one.figures[name])} (was {shown(name, found.book[name])})"
        for name in CHANGES
        if one.figures[name] != found.book.get(name)
    ]
    return f"{one_line(one.rules)}: {', '.join(changes) or 'nothing else changes'}"


def _figures(one: Remedy) -> str:
    return ", ".join(f"{name} {shown(name, one.figures[name])}" for name in CHANGES)


def _searched(found: Repair) -> list[str]:
    """What was searched, and what was left out."""
    axes = found.sweep.grid.axes
    ranges = [f"{key} {_values(values)}" for key, values in axes.items()]
    counts = [f"{name} in {len(found.keeping((name,))):,}" for name in found.wishes]
    said = [
        f"Searched, solved exactly: {len(found.sweep.found):,} of {len(found.sweep.rows):,} "
        f"rulings: {'; '.join(ranges)}.",
        f"Kept: {', '.join(counts)}.",
    ]
    reasons = Counter(row.reason for row in found.sweep.left_out)
    said += [f"Left out: {count:,} with {why}." for why, count in reasons.most_common()]
    return said


def _values(values: list[str]) -> str:
    """The values of a ruling in short: a range where they follow each other."""
    numbers = [int(value) for value in values if value.isdigit()]
    if len(values) > 2 and numbers == list(range(numbers[0], numbers[0] + len(values))):
        return f"{values[0]} to {values[-1]}"
    return few(values, 10)
