"""Report of the habits that the reader opponent has stored about a player."""

from typing import Final

from evenodds.core import catalog
from evenodds.figures import join_words, percent
from evenodds.players.reader.habits import HABITS, OpponentModel
from evenodds.system.text import shorten
from evenodds.terminal.screen import Output

MIN_PICKS_SHOWN: Final = 2.0
"""The least decayed count of a circumstance that is shown."""
MAX_KINDS_SHOWN: Final = 3
NO_HABIT: Final = "first pick"
"""The kind of a pick that has none before it to be compared with."""
HABIT_TITLES: Final = {
    "height": "by height among the open numbers",
    "number": "by number",
    "steps": "steps from their own last number",
    "copying": "distance from the opponent's last number",
}
"""What each habit looks at; how the last round went speaks for itself."""
KIND_LABELS: Final = {
    "highest": "the highest",
    "lowest": "the lowest",
    "low": "a low one",
    "middle": "a middle one",
    "high": "a high one",
    "the next up": "the next higher",
    "the next down": "the next lower",
    "two up": "two higher",
    "farther": "farther away",
    "nearest": "the nearest",
    "second nearest": "the second nearest",
    "third nearest": "the third nearest",
}
THIRD_KINDS: Final = {"low", "middle", "high"}
BEST_PREDICTOR_LABELS: Final = {
    "height": "how high the numbers are",
    "number": "which numbers they are",
    "fortune": "how the last round went",
    "steps": "their own last number",
    "copying": "the opponent's last number",
    "exact play": "what exact play would pick",
}


def show_remembered_players(names: list[str], screen: Output) -> None:
    """Show the names of all people with a stored model."""
    found = [shorten(name) for name in names]
    if not found:
        screen.say("The opponent reader has not met a named player yet.")
        return
    screen.say(f"The reader knows {join_words(found)}.")


def show_habits(name: str, games: dict[str, OpponentModel], screen: Output) -> None:
    """Show the stored models of a person by game."""
    for number, (game, model) in enumerate(games.items()):
        screen.say(*([""] if number else []))
        seen = f"{model.picks} pick{'' if model.picks == 1 else 's'} seen"
        screen.say(f"{shorten(name)} in {_title(game)}: {seen}.")
        screen.say(*_lines(model))


def _lines(model: OpponentModel) -> list[str]:
    """A line for each habit with the most frequent kinds; the best predictor comes last."""
    counts = [
        (HABIT_TITLES.get(habit.name, when), _comparable_counts(kinds))
        for habit in HABITS
        for when, kinds in model.counts.get(habit.name, {}).items()
    ]
    known = {about: kinds for about, kinds in counts if sum(kinds.values()) >= MIN_PICKS_SHOWN}
    lines = [f"  {about}: {_format_most_picked(kinds)}" for about, kinds in known.items()]
    if any(THIRD_KINDS & set(kinds) for kinds in known.values()):
        lines.append("  (Low, middle, high: the thirds between the lowest and the highest open.)")
    if lines:
        lines.insert(0, "What was picked (recent picks count most):")
    best = max(model.belief, key=lambda name: model.belief[name], default="chance")
    best_line = (
        f"These picks are best predicted by {BEST_PREDICTOR_LABELS[best]}."
        if best in BEST_PREDICTOR_LABELS
        else ""
    )
    return [*lines, best_line or "No habit predicts these picks better than chance."]


def _comparable_counts(kinds: dict[str, float]) -> dict[str, float]:
    """The counts without the kind of picks that could not be compared with an earlier one."""
    return {kind: count for kind, count in kinds.items() if kind != NO_HABIT}


def _format_most_picked(kinds: dict[str, float]) -> str:
    """The most frequent kinds with their shares, and the share of all others."""
    total = sum(kinds.values())
    ranked = sorted(kinds.items(), key=lambda item: -item[1])
    named = [(KIND_LABELS.get(kind, kind), count) for kind, count in ranked[:MAX_KINDS_SHOWN]]
    rest = sum(count for _, count in ranked[MAX_KINDS_SHOWN:])
    shown = [*named, ("others", rest)] if rest else named
    return ", ".join(f"{what} ({percent(count / total, 0)})" for what, count in shown)


def _title(name: str) -> str:
    try:
        return catalog.get(name).title
    except catalog.UnknownGame:
        return shorten(name)
