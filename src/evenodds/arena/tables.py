"""Result tables of an arena: cells, Markdown and JSON."""

from typing import Any, Final, NamedTuple

from evenodds.arena.exact_scores import ExactScores
from evenodds.arena.sequential_test import ERROR_RATE, NEITHER_STRONGER, SequentialTest
from evenodds.arena.tally import PlayerRow, Tally
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.terms import DEFAULT_REPETITION, repetition_rule
from evenodds.figures import Estimate, counted, percent

NO_FIGURE: Final = "–"
EXACT_MARK: Final = "="
RANKING_HEADS: Final = ("", "score %", "95%", "Elo", "loss", "forfeits", "picks/s")
RANKING_LEGEND: Final = (
    "score: a win is 100%, a draw 50%. 95%: the range in which the true score lies, with 95% "
    "confidence.",
    "Elo: a rating; 0 is the average of these players, and ± is half of its 95% range.",
    "loss: the expected score that a pick gives away on average, in %, compared with the best "
    "strategy that `solve` shows.",
    "forfeits: matches lost by a bad pick or by time. picks/s: picks per second.",
)


class TextTable(NamedTuple):
    """Heads and cells; the first column is the label of a row."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


class ArenaResults(NamedTuple):
    """The results of an arena: totals, exact scores, and the sequential test."""

    tally: Tally
    exact_scores: ExactScores
    test: SequentialTest | None = None


class PairScore(NamedTuple):
    """The score of one player against another, on average over both seats: a win 1, a draw 1/2."""

    one: str
    two: str
    exact: float | None
    """Summed over all positions; None where it can only be sampled."""
    sampled: Estimate | None
    """From the matches that were played; None where there were none."""

    @property
    def score(self) -> float | None:
        """The exact score where it is known, or else the sampled one."""
        return self.sampled.value if self.exact is None and self.sampled else self.exact

    @property
    def cell(self) -> str:
        """The score in a table, in %; an exact one is marked."""
        mark = "" if self.exact is None else EXACT_MARK
        return NO_FIGURE if self.score is None else f"{100 * self.score:.1f}{mark}"


def ranking_table(results: ArenaResults) -> TextTable:
    """The players, the best first."""
    return TextTable(RANKING_HEADS, [_cells(row) for row in results.tally.rows()])


def _cells(row: PlayerRow) -> tuple[str, ...]:
    score, rating = row.score, row.rating
    return (
        row.label,
        f"{100 * score.value:.1f}" if score else NO_FIGURE,
        f"{100 * score.low:.1f}–{100 * score.high:.1f}" if score else "",
        f"{rating.value:+.0f} ±{rating.high - rating.value:.0f}" if rating else NO_FIGURE,
        NO_FIGURE if row.loss is None else f"{100 * row.loss:.2f}",
        str(sum(row.forfeits.values())),
        f"{row.pace:,.0f}" if row.pace else NO_FIGURE,
    )


def cross_table(results: ArenaResults) -> TextTable:
    """The score of each player of a row against each player of a column, in %.

    Exact scores are marked; the others are sampled.
    """
    plan = results.tally.plan
    places = _in_order(results)
    heads = ("", *(str(number) for number in range(1, len(places) + 1)))
    rows = [
        (
            f"{number} {plan.labels[one]}",
            *(pair_score(results, one, two).cell for two in places),
        )
        for number, one in enumerate(places, 1)
    ]
    return TextTable(heads, rows)


def _in_order(results: ArenaResults) -> list[int]:
    """The indices of the players, the best first."""
    return [row.place for row in results.tally.rows()]


def pair_score(results: ArenaResults, one: int, two: int) -> PairScore:
    """The score between two players, by their places."""
    plan, met = results.tally.plan, results.tally.pair_record(one, two)
    back = results.exact_scores.get((two, one))
    exact = results.exact_scores.get((one, two), None if back is None else 1 - back)
    return PairScore(plan.players[one], plan.players[two], exact, met.score if met else None)


def cross_table_notes(results: ArenaResults) -> list[str]:
    """How to read the cross table."""
    game = results.tally.plan.game
    said = _certainty(results)
    if game.loops:
        said.append(repetition_rule(DEFAULT_REPETITION))
    if any(name == "perfect" or name.startswith("level:") for name in results.tally.plan.players):
        said.append("Where several strategies are best, they use the one that `solve` shows.")
    return said


def _certainty(results: ArenaResults) -> list[str]:

    pairs, exact = len(results.tally.plan.pairs), len(results.exact_scores)
    if not exact and not results.tally.bouts:
        return ["Nothing was played, so there is nothing to compare."]
    if not exact:
        return ["Score of the row against the column, in %, sampled."]
    if exact == pairs:
        return ["Score of the row against the column, in %, exact."]
    return [
        f"Row against column, in %; {EXACT_MARK} is exact, summed over positions; the rest sampled."
    ]


def forfeit_notes(results: ArenaResults) -> list[str]:
    """Forfeits by player and reason."""
    return [
        f"{row.label}, {count:,} {'time' if count == 1 else 'times'}: {why}"
        for row in results.tally.rows()
        for why, count in row.forfeits.items()
    ]


def fault_notes(results: ArenaResults) -> list[str]:
    """Illegal answers by player."""
    return [
        f"{row.label}: {counted(row.faults.unreadable, 'answers')} could not be read, "
        f"{row.faults.illegal:,} named an illegal number"
        for row in results.tally.rows()
        if any(row.faults)
    ]


def arena_notes(results: ArenaResults) -> dict[str, list[str]]:
    """The notes below the tables, by heading."""
    return {"Forfeits": forfeit_notes(results), "Answers": fault_notes(results)}


def test_result_sentence(results: ArenaResults) -> str:
    """The result of the sequential test in a sentence."""
    tally, test = results.tally, results.test
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


def arena_title(results: ArenaResults) -> str:
    """The title line: game, rulings, matches and seed."""
    plan, tally = results.tally.plan, results.tally
    changed = format_rulings(ruling_texts(plan.rulings, changed_only=True))
    whole = "" if tally.bouts == plan.bouts else f" of {2 * plan.bouts:,}"
    rules = f" ({changed})" if changed else ""
    return f"{plan.game.title}{rules}: {2 * tally.bouts:,}{whole} matches, seed {plan.seed}."


def as_markdown(results: ArenaResults) -> str:
    """Everything as a page of Markdown."""
    parts = [f"# {arena_title(results)}"]
    if results.tally.bouts:
        parts += [
            test_result_sentence(results),
            table_markdown(ranking_table(results)),
            " ".join(RANKING_LEGEND),
        ]
    parts += [" ".join(cross_table_notes(results)), table_markdown(cross_table(results))]
    parts += notes_markdown(arena_notes(results))
    return "\n\n".join(filter(None, parts)) + "\n"


def notes_markdown(notes: dict[str, list[str]]) -> list[str]:
    """Notes in Markdown."""
    return [
        f"{head}:\n\n" + "\n".join(f"- {line}" for line in lines)
        for head, lines in notes.items()
        if lines
    ]


def table_markdown(table: TextTable) -> str:
    """A table in Markdown."""
    lines = [table.heads, ("---",) * len(table.heads), *table.rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def as_data(results: ArenaResults) -> dict[str, Any]:
    """Everything as plain data."""
    plan, tally = results.tally.plan, results.tally
    data = plan.as_data() | {
        "played": 2 * tally.bouts,
        "standings": [_row_data(row) for row in tally.rows()],
        "pairs": [_pair_data(results, *pair) for pair in plan.pairs],
    }
    if results.test:
        data["sequential"] = {"elo": results.test.elo, "settled": results.test.settled}
    return data


def _row_data(row: PlayerRow) -> dict[str, Any]:
    return row._asdict() | {
        "place": row.place + 1,
        "score": _interval(row.score),
        "rating": _interval(row.rating),
        "faults": row.faults._asdict(),
    }


def _pair_data(results: ArenaResults, one: int, two: int) -> dict[str, Any]:
    pair, met = pair_score(results, one, two), results.tally.pair_record(one, two)
    return pair._asdict() | {
        "sampled": _interval(pair.sampled),
        "won": met.won if met else 0,
        "drawn": met.drawn if met else 0,
        "lost": met.lost if met else 0,
    }


def _interval(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate._asdict()
