"""Report section with the glossary of measures and their names in Ludii."""

from collections.abc import Callable
from math import log10
from typing import Final, NamedTuple

from evenodds.claims.study_data import OutcomeOdds, Study
from evenodds.figures.formatting import percent
from evenodds.render.html import escape_text, paragraph, section, table
from evenodds.study.wording.figure_formatting import (
    NO_FIGURE,
    format_mean_length,
    policy_label,
    repetition_note,
)


class GlossaryEntry(NamedTuple):
    """A measure, its names elsewhere, and its meaning."""

    name: str
    known_as: str
    meaning: str


GLOSSARY_ENTRIES: Final = (
    GlossaryEntry(
        "Expected score",
        "Ludii: AdvantageP1",
        "What a seat scores on average: a win 1, a draw or endless play 1/2, a loss 0.",
    ),
    GlossaryEntry(
        "Fair",
        "Ludii: Balance",
        "With best play by both neither seat is ahead. Balance is 1 less the difference between "
        "the shares of matches that the two seats win.",
    ),
    GlossaryEntry(
        "Somebody wins",
        "Ludii: Completion",
        "The share of matches that have a winner.",
    ),
    GlossaryEntry("Drawn", "Ludii: Drawishness", "The share of matches that end without a winner."),
    GlossaryEntry(
        "Endless",
        "Ludii: Timeouts",
        "The share of matches that go on for ever; none where a position that comes up too often "
        "is a draw. Ludii counts matches that reach a limit of turns.",
    ),
    GlossaryEntry(
        "Mean rounds, mean picks",
        "Ludii: Duration Turns",
        "How long a match is on average; a round in which both pick counts once.",
    ),
    GlossaryEntry(
        "Lines of play",
        "Ludii: Game Tree Complexity",
        "How many different matches there are from the start to an end, every one counted; Ludii "
        "estimates the power of ten from sampled matches.",
    ),
    GlossaryEntry(
        "Open positions",
        "Ludii: State Space Complexity",
        "How many positions some line of play leads to, every one counted; Ludii gives an upper "
        "bound of the power of ten.",
    ),
    GlossaryEntry(
        "Decision",
        "Ludii: Decision Moves, Branching Factor",
        "A position in which a seat has two numbers or more to choose from. Ludii gives the share "
        "of moves in sampled matches with more than one choice, and how many choices there are; "
        "here each decision of the whole game counts once.",
    ),
    GlossaryEntry(
        "Nothing depends on the pick: an idle decision",
        "",
        "A decision in which every number leads to the same score, whatever the other picks.",
    ),
    GlossaryEntry(
        "Right, and what a number gives away",
        "",
        "What it yields less than the best against the other's best mix, the one named here; a "
        "number that gives nothing away is right.",
    ),
    GlossaryEntry(
        "Dominated",
        "",
        "Another number is never worse, whatever the other picks, and somewhere better.",
    ),
    GlossaryEntry(
        "Useless",
        "",
        "A number that can be struck out without loss: in every decision that offers it another "
        "is at least as good, whatever the other picks and with best play from then on; in some "
        "it is better.",
    ),
    GlossaryEntry(
        "Perfect play",
        "",
        "A best mix in every position: no opponent gains anything against it. Where there are "
        "several it is the one named here, which gains most from mistakes.",
    ),
    GlossaryEntry(
        "The best answer to a habit",
        "",
        "What the opponent does who takes most from it, knowing the habit but not what is drawn by "
        "lot; what can be taken is called exploitability.",
    ),
    GlossaryEntry(
        "Matches to tell",
        "",
        "After so many matches the better of two levels leads with a confidence of 95 %.",
    ),
    GlossaryEntry(
        "Lead changes",
        "Browne 2008: lead change; Ludii: Lead Change",
        "How often the better expected score under best play passes to the other seat in a match, "
        "on average. Ludii gives the share of moves after which the expected winner is another, "
        "estimates it by search, and not at all where both pick at once; ours is exact there too.",
    ),
    GlossaryEntry(
        "Open for so many rounds",
        "Browne 2008: uncertainty, permanence",
        "The mean number of rounds until the expected score stays on one side, or level, for good. "
        "Browne asks how long the result stays uncertain and whether a lead lasts, in sampled "
        "matches.",
    ),
    GlossaryEntry(
        "Comebacks",
        "Browne 2008 and Ludii: drama",
        "The share of matches won by a player whose expected score was 25 % or less at some time. "
        "Drama measures how far behind the winner was in sampled matches.",
    ),
)


def glossary_part(study: Study) -> str:
    """The glossary, and the figures under Ludii's names."""
    told_words = "".join(
        f"<div><dt>{escape_text(word.name)}"
        f"{f' <span>({escape_text(word.known_as)})</span>' if word.known_as else ''}</dt>"
        f"<dd>{escape_text(word.meaning)}</dd></div>\n"
        for word in GLOSSARY_ENTRIES
    )
    about = (
        "Ludii (ludii.games) and Browne (Automatic Generation and Evaluation of Recombination "
        "Games, 2008) measure games by playing some matches; here every figure is summed over all "
        "of them, so it has no margin of error."
    )
    body = (
        paragraph(about)
        + f'<dl class="words">\n{told_words}</dl>\n'
        + "<h3>The same figures under Ludii's names</h3>\n"
        + _ludii(study)
    )
    return section("words", "What these words mean", body, how="")


def _ludii(study: Study) -> str:
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
    return table("Under Ludii's names", heads, rows) + paragraph(repetition_note(study), "faint")


def _power(count: int | None) -> str:
    """The power of ten of a count."""
    return NO_FIGURE if not count else f"{log10(count):.2f}"
