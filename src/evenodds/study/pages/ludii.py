"""Figures of a study under the names that Ludii gives them."""

from collections.abc import Callable
from math import log10

from evenodds.claims.study_data import SelfPlay, Study
from evenodds.figures.formatting import percent
from evenodds.render.blocks import Block, Note
from evenodds.study.pages.metric_tables import policy_table
from evenodds.study.wording.figure_formatting import NO_FIGURE, format_mean_length, repetition_note


def ludii_blocks(study: Study) -> list[Block]:
    """The table of figures under Ludii's names."""
    lines, positions = _power(study.size.lines), _power(study.size.positions)
    rows: dict[str, Callable[[SelfPlay], str]] = {
        "AdvantageP1": lambda play: percent(play.odds.score),
        "Balance": lambda play: percent(1 - abs(play.odds.first - play.odds.second)),
        "Completion": lambda play: percent(play.odds.decided),
        "Drawishness": lambda play: percent(play.odds.draw),
        "Timeouts": lambda play: percent(play.odds.endless),
        "Duration Turns": lambda play: format_mean_length(play.odds),
        "Game Tree Complexity": lambda _: lines,
        "State Space Complexity": lambda _: positions,
    }
    table = policy_table("Under Ludii's names", "When both play", study, rows)
    return [table, Note(repetition_note(study))]


def _power(count: int | None) -> str:
    """The power of ten of a count."""
    return NO_FIGURE if not count else f"{log10(count):.2f}"
