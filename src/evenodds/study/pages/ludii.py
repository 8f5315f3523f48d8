"""Figures of a study under the names that Ludii gives them."""

from collections.abc import Callable
from math import log10

from evenodds.claims.study_data import OutcomeOdds, Study
from evenodds.figures.formatting import percent
from evenodds.render.blocks import Block, Note, Table
from evenodds.study.wording.figure_formatting import (
    NO_FIGURE,
    format_mean_length,
    policy_label,
    repetition_note,
)


def ludii_blocks(study: Study) -> list[Block]:
    """The table of figures under Ludii's names."""
    all_odds = [play.odds for play in study.plays.values()]

    def each(name: str, figure: Callable[[OutcomeOdds], str]) -> list[str]:
        return [name, *map(figure, all_odds)]

    rows = [
        each("AdvantageP1", lambda odds: percent(odds.score)),
        each("Balance", lambda odds: percent(1 - abs(odds.first - odds.second))),
        each("Completion", lambda odds: percent(odds.decided)),
        each("Drawishness", lambda odds: percent(odds.draw)),
        each("Timeouts", lambda odds: percent(odds.endless)),
        each("Duration Turns", format_mean_length),
        each("Game Tree Complexity", lambda _: _power(study.size.lines)),
        each("State Space Complexity", lambda _: _power(study.size.positions)),
    ]
    heads = ["When both play", *map(policy_label, study.plays)]
    return [Table("Under Ludii's names", heads, rows), Note(repetition_note(study))]


def _power(count: int | None) -> str:
    """The power of ten of a count."""
    return NO_FIGURE if not count else f"{log10(count):.2f}"
