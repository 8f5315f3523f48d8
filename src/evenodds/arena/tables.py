"""Result tables of an arena: cells, Markdown and JSON."""

from typing import Any, Final

from evenodds.arena.sequential import ERROR_RATE, NEITHER_STRONGER
from evenodds.arena.tally import EXACT_MARK, NO_FIGURE, PlayerRow, Tally
from evenodds.core.rulings import titled
from evenodds.core.terms import DEFAULT_REPETITION, repetition_rule
from evenodds.figures import counted, percent, to_data
from evenodds.system.text import TextTable

RANKING_HEADS: Final = ("", "score %", "95%", "Elo", "loss", "forfeits", "picks/s")
RANKING_LEGEND: Final = (
    "score: a win is 100%, a draw 50%. 95%: the range in which the true score lies, with 95% "
    "confidence.",
    "Elo: a rating; 0 is the average of these players, and ± is half of its 95% range.",
    "loss: the expected score that a pick gives away on average, in %, compared with the best "
    "strategy that `solve` shows.",
    "forfeits: matches lost by a bad pick or by time. picks/s: picks per second.",
)


table_markdown: Final = TextTable.as_markdown


def ranking_table(tally: Tally) -> TextTable:
    """The players, the best first."""
    return TextTable(RANKING_HEADS, [_cells(row) for row in tally.rows()])


def _cells(row: PlayerRow) -> tuple[str, ...]:
    score, rating = row.score, row.rating
    return (
        row.label,
        f"{100 * score.value:.1f}" if score else NO_FIGURE,
        f"{100 * score.low:.1f}–{100 * score.high:.1f}" if score else "",
        f"{rating.value:+.0f} ±{rating.high - rating.value:.0f}" if rating else NO_FIGURE,
        *loss_and_forfeits(row),
        f"{row.pace:,.0f}" if row.pace else NO_FIGURE,
    )


def loss_and_forfeits(row: PlayerRow) -> tuple[str, str]:
    """The cells for the loss of a pick, in %, and the matches lost by forfeit."""
    loss = NO_FIGURE if row.loss is None else f"{100 * row.loss:.2f}"
    return loss, str(sum(row.forfeits.values()))


def cross_table(tally: Tally) -> TextTable:
    """The score of each player of a row against each player of a column, in %.

    Exact scores are marked; the others are sampled.
    """
    places = [row.entry - 1 for row in tally.rows()]
    rows = [
        (f"{number} {tally.plan.labels[one]}", *(tally.pair(one, two).cell for two in places))
        for number, one in enumerate(places, 1)
    ]
    return TextTable(("", *(str(number) for number in range(1, len(places) + 1))), rows)


def cross_table_notes(tally: Tally) -> list[str]:
    """How to read the cross table."""
    exact = len(tally.exact_scores)
    if not exact and not tally.bouts:
        said = ["Nothing was played, so there is nothing to compare."]
    elif exact in (0, len(tally.plan.pairs)):
        how = "exact" if exact else "sampled"
        said = [f"Score of the row against the column, in %, {how}."]
    else:
        said = [
            f"Row against column, in %; {EXACT_MARK} is exact, summed over positions; the rest "
            "sampled."
        ]
    if tally.plan.game.can_repeat:
        said.append(repetition_rule(DEFAULT_REPETITION))
    if any(name == "perfect" or name.startswith("level:") for name in tally.plan.players):
        said.append("Where several strategies are best, they use the one that `solve` shows.")
    return said


def arena_notes(tally: Tally) -> dict[str, list[str]]:
    """The notes below the tables, by heading: forfeits by reason, and illegal answers."""
    rows = tally.rows()
    forfeits = [
        f"{row.label}, {count:,} {'time' if count == 1 else 'times'}: {why}"
        for row in rows
        for why, count in row.forfeits.items()
    ]
    answers = [
        f"{row.label}: {counted(row.faults.unreadable, 'answers')} could not be read, "
        f"{row.faults.illegal:,} named an illegal number"
        for row in rows
        if any(row.faults)
    ]
    return {"Forfeits": forfeits, "Answers": answers}


def test_result_sentence(tally: Tally) -> str:
    """The result of the sequential test in a sentence."""
    test = tally.test
    if test is None:
        return ""
    if not test.settled:
        return f"Open after {2 * tally.bouts:,} matches which of them is the stronger."
    wrong = f"wrong in at most {percent(ERROR_RATE, 0)} of tests"
    after = f"Settled after {2 * tally.bouts:,} matches:"
    if test.settled == NEITHER_STRONGER:
        return f"{after} the two are less than {test.elo:g} Elo apart. That is {wrong}."
    winner = tally.plan.labels[0 if test.settled > 0 else 1]
    apart = f"if the two are {test.elo:g} Elo apart or more"
    return f"{after} {apart}, {winner} is the stronger. That is {wrong}."


def arena_title(tally: Tally) -> str:
    """The title line: game, rulings, matches and seed."""
    plan = tally.plan
    whole = "" if tally.bouts == plan.bouts else f" of {2 * plan.bouts:,}"
    title = titled(plan.game.title, plan.rulings)
    seed = "dice without a seed" if plan.seed is None else f"seed {plan.seed}"
    return f"{title}: {2 * tally.bouts:,}{whole} matches, {seed}."


def as_markdown(tally: Tally) -> str:
    """Everything as a page of Markdown."""
    parts = [f"# {arena_title(tally)}"]
    if tally.bouts:
        parts += [
            test_result_sentence(tally),
            ranking_table(tally).as_markdown(),
            " ".join(RANKING_LEGEND),
        ]
    parts += [" ".join(cross_table_notes(tally)), cross_table(tally).as_markdown()]
    parts += notes_markdown(arena_notes(tally))
    return "\n\n".join(filter(None, parts)) + "\n"


def notes_markdown(notes: dict[str, list[str]]) -> list[str]:
    """Notes in Markdown."""
    return [
        f"{head}:\n\n" + "\n".join(f"- {line}" for line in lines)
        for head, lines in notes.items()
        if lines
    ]


def as_data(tally: Tally) -> dict[str, Any]:
    """Everything as plain data."""
    data = tally.plan.as_data() | {
        "played": 2 * tally.bouts,
        "standings": [to_data(row) for row in tally.rows()],
        "pairs": [
            to_data(tally.pair(*pair)) | dict(zip(("won", "drawn", "lost"), outcomes, strict=True))
            for pair, outcomes in tally.outcomes.items()
        ],
    }
    if tally.test:
        data["sequential"] = {"elo": tally.test.elo, "settled": tally.test.settled}
    return data
