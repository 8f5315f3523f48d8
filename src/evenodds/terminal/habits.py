"""What readers remember of people, in lines that anyone can read."""

from typing import Final

from evenodds import catalog
from evenodds.players import memory
from evenodds.players.habits import HABITS, Knowledge
from evenodds.terminal.screen import Screen
from evenodds.text import brief, listed, percent

ENOUGH: Final = 2.0
"""Picks below which nothing is said of a circumstance."""
SHOWN: Final = 3


def show_known(screen: Screen) -> None:
    """Everyone who is remembered."""
    found = [brief(name) for name in memory.names()]
    if not found:
        screen.say("The reader remembers nobody. It remembers players with names of their own.")
        return
    screen.say(f"The reader remembers {listed(found)}.")


def show_habits(name: str, screen: Screen) -> bool:
    """What is remembered of someone, game by game; whether there is anything."""
    games = memory.read(name)
    for number, (game, data) in enumerate(games.items()):
        knowledge = Knowledge(data)
        screen.say(*([""] if number else []))
        screen.say(f"{brief(name)} in {_title(game)}: {knowledge.picks} picks seen.")
        screen.say(*_lines(knowledge))
    return bool(games)


def _lines(knowledge: Knowledge) -> list[str]:
    """Each habit with what is picked most, and which of them foretells best."""
    lines = [
        f"  {habit.name}, {when}: {_most(kinds)}"
        for habit in HABITS
        for when, kinds in knowledge.counts.get(habit.name, {}).items()
        if sum(kinds.values()) >= ENOUGH
    ]
    best = max(knowledge.belief, key=lambda name: knowledge.belief[name], default="chance")
    return [*lines, f"  Foretold best by: {best}."]


def _most(kinds: dict[str, float]) -> str:
    whole = sum(kinds.values())
    ranked = sorted(kinds.items(), key=lambda item: -item[1])[:SHOWN]
    return ", ".join(f"{kind} {percent(count / whole, 0)}" for kind, count in ranked)


def _title(name: str) -> str:
    try:
        return catalog.get(name).title
    except catalog.UnknownGame:
        return brief(name)
