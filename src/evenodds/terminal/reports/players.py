"""Report of the computer opponents and their exact strength, as text."""

from itertools import pairwise
from typing import Final

from evenodds.claims.study_figures import PERFECT_STRATEGY_NOTE
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, repetition_rule
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.players.level_strength import (
    Strengths,
    are_levels_alike,
    below_half,
    describe_skill_range,
)
from evenodds.players.profiles import profile
from evenodds.players.registry import BUILT_IN_PLAYERS
from evenodds.system.text import hanging
from evenodds.terminal.screen import Output


def show_names(screen: Output) -> None:
    """List the opponents, each with a description."""
    for name in BUILT_IN_PLAYERS:
        screen.say(*hanging(f"{name:<9}", profile(name).line, screen.columns - 1))


def show(game: AnyGame, found: Strengths, screen: Output, repetition: int | None = None) -> None:
    """Show a table of exact scores, and remarks; `repetition` is the rule that was asked for."""
    screen.say(f"{game.title}: the expected score of each level, in %. A win is 100, a draw 50.")
    fallen = below_half({level.name: level.below for level in found.levels})
    screen.say(*([fallen, ""] if fallen else [""]))
    narrow = screen.columns <= (WIDEST if found.repetition else WIDE)
    screen.say(*(_legend(found) if narrow else _heads(found)))
    for level in found.levels:
        figures = (level.below, level.random, level.perfect, level.best_opponent)
        widths = NARROW_COLUMN_WIDTHS if narrow else WIDE_COLUMN_WIDTHS
        cells = zip((*figures, level.played_on), widths, strict=True)
        line = "".join(_cell(figure, width) for figure, width in cells)
        screen.say(f"{level.name:<{8 if narrow else 10}}{line}".rstrip())
    screen.say("")
    screen.say_wrapped(*([] if narrow else TABLE_LEGEND))
    screen.say(skill_sentence(game, found), *remarks(game, found, repetition))


def _heads(found: Strengths) -> list[str]:
    """The heads of the columns."""
    extra = NO_REPETITION_HEAD if found.repetition else [""] * len(COLUMN_HEADS)
    return [f"{head:<61}{more}".rstrip() for head, more in zip(COLUMN_HEADS, extra, strict=True)]


def _legend(found: Strengths) -> list[str]:
    """The same on a narrow screen: columns by number, and what each number is."""
    meanings = COLUMN_LEGEND if found.repetition else COLUMN_LEGEND[:-1]
    numbers = "".join(f"{number:>{width}}" for number, width in enumerate(NARROW_COLUMN_WIDTHS, 1))
    legend = [f"{number}: {meaning}" for number, meaning in enumerate(meanings, 1)]
    return [*legend, "", " " * 8 + numbers[: sum(NARROW_COLUMN_WIDTHS[: len(meanings)])]]


TABLE_LEGEND: Final = (
    "The one below: the next weaker level. The best opponent: the score of a player who knows how "
    "this level plays and makes the most of it.",
)
COLUMN_HEADS: Final = (
    "          against   against   against   the best opponent",
    "          the one    random   perfect      against it",
    "            below",
)
NO_REPETITION_HEAD: Final = ("the one below,", "if repeating were", "no draw")
WIDE_COLUMN_WIDTHS: Final = (7, 10, 10, 15, 20)
WIDE, WIDEST = 58, 79
NARROW_COLUMN_WIDTHS: Final = (6, 6, 6, 6, 6)
COLUMN_LEGEND: Final = (
    "against the one below",
    "against random",
    "against perfect",
    "the best opponent against it",
    "the one below, played on",
)


def _cell(figure: float | None, width: int) -> str:
    return " " * width if figure is None else f"{100 * figure:>{width}.1f}"


def skill_sentence(game: AnyGame, found: Strengths) -> str:
    """How much skill matters in a game, in a sentence."""
    return describe_skill_range(
        found.perfect_score,
        found.value,
        simultaneous=game.simultaneous,
        alike=are_levels_alike(found),
    )


def remarks(game: AnyGame, found: Strengths, asked: int | None = None) -> list[str]:
    """Remarks against misreading the table."""
    if game.loops and not found.repetition:
        said = [repetition_rule(0), *([] if asked == 0 else [REPETITION_NOT_COUNTED_NOTE])]
    else:
        said = _repetition_remarks(found) if found.repetition else []
    if not are_levels_alike(found):
        said.append(PERFECT_STRATEGY_NOTE)
    if any(more.random < less.random - VALUE_TOLERANCE for less, more in pairwise(found.levels)):
        said.append(
            "Against random picks a higher level does not always score more: the exact pick is the "
            "one that the best opponent gains least from, not a trap for a careless one."
        )
    return said


def _repetition_remarks(found: Strengths) -> list[str]:
    """Remarks on the effect of the draw by repetition."""
    said = [
        f"{repetition_rule(found.repetition)} The last column shows the scores without this rule."
    ]
    above = found.levels[1:]
    least = min(level.drawn or 0 for level in above)
    if least > 0.5:
        said.append(
            f"Neighbouring levels repeat their picks and draw at least {percent(least)} of matches."
        )
    if all((level.played_on or 0) > 0.5 for level in above):
        said.append("Without this rule each level scores above 50% against the one below.")
    return said
