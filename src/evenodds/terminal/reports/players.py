"""Reports on players: the computer opponents and their exact strength, and people's habits."""

from itertools import pairwise
from typing import Final

from evenodds.claims.checks import NO_CHOICE
from evenodds.claims.study_figures import PERFECT_STRATEGY_NOTE
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, repetition_rule
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.players.profiles import profile
from evenodds.players.reader.habits import HABITS, OpponentModel
from evenodds.players.registry import BUILT_IN_PLAYERS
from evenodds.study.level_strength import Strengths, are_levels_alike, below_half, skill_sentence
from evenodds.system.text import TextTable, hanging, shorten
from evenodds.terminal.screen import Output
from evenodds.terminal.tables import table_lines

STRENGTH_HEADS: Final = ("", "below", "random", "perfect", "best", "played on")
"""The last column is shown where repetition is a draw."""
STRENGTH_LEGEND: Final = (
    "below, random, perfect: against the level below, random picks, perfect play.",
    "best: of an opponent who knows how this level plays and makes the most of it.",
    "played on: against the level below, if repeating were no draw.",
)

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


def show_names(screen: Output) -> None:
    """List the opponents, each with a description."""
    for name in BUILT_IN_PLAYERS:
        screen.say(*hanging(f"{name:<9}", profile(name).line, screen.columns - 1))


def show_strengths(game: AnyGame, repetition: int | None, found: Strengths, screen: Output) -> None:
    """Show a table of exact scores, and remarks; `repetition` is the rule that was asked for."""
    if not found.decides:
        screen.say(f"{game.title}: {NO_CHOICE[0].lower()}{NO_CHOICE[1:]}")
        return
    screen.say(f"{game.title}: the expected score of each level, in %. A win is 100, a draw 50.")
    fallen = below_half({level.name: level.below for level in found.levels})
    screen.say(*filter(None, [fallen]), "")
    rows = []
    for level in found.levels:
        figures = (level.below, level.random, level.perfect, level.best_opponent, level.played_on)
        rows.append((level.name, *("" if one is None else f"{100 * one:.1f}" for one in figures)))
    end = None if found.repetition else -1
    table = TextTable(STRENGTH_HEADS[:end], [row[:end] for row in rows])
    screen.say(*table_lines(table), "")
    screen.say_wrapped(*STRENGTH_LEGEND[:end])
    screen.say(skill_sentence(game, found), *_remarks(game, found, repetition))


def _remarks(game: AnyGame, found: Strengths, asked: int | None) -> list[str]:
    """Remarks against misreading the table."""
    said = []
    if found.repetition:
        rule = repetition_rule(found.repetition)
        said.append(f"{rule} The last column shows the scores without this rule.")
        above = found.levels[1:]
        least = min(level.drawn or 0 for level in above)
        if least > 0.5:
            often = f"at least {percent(least)} of matches"
            said.append(f"Neighbouring levels repeat their picks and draw {often}.")
        if all((level.played_on or 0) > 0.5 for level in above):
            said.append("Without this rule each level scores above 50% against the one below.")
    elif game.can_repeat:
        said += [repetition_rule(0), *([] if asked == 0 else [REPETITION_NOT_COUNTED_NOTE])]
    if not are_levels_alike(found):
        said.append(PERFECT_STRATEGY_NOTE)
    if any(more.random < less.random - VALUE_TOLERANCE for less, more in pairwise(found.levels)):
        said.append(
            "Against random picks a higher level does not always score more: the exact pick is the "
            "one that the best opponent gains least from, not a trap for a careless one."
        )
    return said


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
        try:
            title = catalog.get(game).title
        except catalog.UnknownGame:
            title = shorten(game)
        seen = f"{model.picks} pick{'' if model.picks == 1 else 's'} seen"
        screen.say(*([""] if number else []), f"{shorten(name)} in {title}: {seen}.")
        screen.say(*_habits(model))


def _habits(model: OpponentModel) -> list[str]:
    """A line for each habit with the most frequent kinds; the best predictor comes last."""
    known = {
        HABIT_TITLES.get(habit.name, when): kept
        for habit in HABITS
        for when, kinds in model.counts.get(habit.name, {}).items()
        if sum((kept := _comparable(kinds)).values()) >= MIN_PICKS_SHOWN
    }
    lines = [f"  {about}: {_format_most_picked(kinds)}" for about, kinds in known.items()]
    if any(THIRD_KINDS & set(kinds) for kinds in known.values()):
        lines.append("  (Low, middle, high: the thirds between the lowest and the highest open.)")
    if lines:
        lines.insert(0, "What was picked (recent picks count most):")
    best = max(model.belief, key=lambda name: model.belief[name], default="chance")
    if best in BEST_PREDICTOR_LABELS:
        return [*lines, f"These picks are best predicted by {BEST_PREDICTOR_LABELS[best]}."]
    return [*lines, "No habit predicts these picks better than chance."]


def _comparable(kinds: dict[str, float]) -> dict[str, float]:
    """The counts without the kind of picks that could not be compared with an earlier one."""
    return {kind: count for kind, count in kinds.items() if kind != NO_HABIT}


def _format_most_picked(kinds: dict[str, float]) -> str:
    """The most frequent kinds with their shares, and the share of all others."""
    total = sum(kinds.values())
    ranked = sorted(kinds.items(), key=lambda item: -item[1])
    shown = [(KIND_LABELS.get(kind, kind), count) for kind, count in ranked[:MAX_KINDS_SHOWN]]
    if rest := sum(count for _, count in ranked[MAX_KINDS_SHOWN:]):
        shown.append(("others", rest))
    return ", ".join(f"{what} ({percent(count / total, 0)})" for what, count in shown)
