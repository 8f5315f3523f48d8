"""Result tables of an arena: cells, Markdown and JSON."""

from typing import Any, Final, NamedTuple

from evenodds.arena.exact_scores import ExactScores
from evenodds.arena.sequential_test import ERROR_RATE, NEITHER_STRONGER, SequentialTest
from evenodds.arena.tally import PlayerRow, Tally
from evenodds.core.rulings import one_line, spoken
from evenodds.core.terms import DEFAULT_REPETITION, repetition_rule
from evenodds.policy.estimates import Estimate
from evenodds.system.text import counted, percent

NO_FIGURE: Final = "–"
EXACT_MARK: Final = "="
RANKING_HEADS: Final = ("", "score %", "95 %", "Elo", "loss", "forfeits", "picks/s")
RANKING_LEGEND: Final = (
    "Elo counts from the average of these players, by one fit over all matches, ± 95 %.",
    "The loss is what a pick gives away on average against the best mix that `solve` names, in % "
    "of a match.",
)


class TextTable(NamedTuple):
    """Heads and cells; the first column names what a row is about."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


class ArenaResults(NamedTuple):
    """All that an arena has to say."""

    tally: Tally
    certain: ExactScores
    test: SequentialTest | None = None


def ranking_table(standing: ArenaResults) -> TextTable:
    """The players, the best first."""
    return TextTable(RANKING_HEADS, [_cells(row) for row in standing.tally.rows()])


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


def cross_table(standing: ArenaResults) -> TextTable:
    """What each player of a row scores against each player of a column, in %.

    What is exact is marked: nothing of it was drawn by lot.
    """
    plan = standing.tally.plan
    places = _in_order(standing)
    heads = ("", *(str(number) for number in range(1, len(places) + 1)))
    rows = [
        (
            f"{number} {plan.labels[one]}",
            *(_crossing(standing, one, two) for two in places),
        )
        for number, one in enumerate(places, 1)
    ]
    return TextTable(heads, rows)


def _in_order(standing: ArenaResults) -> list[int]:
    """The places of the players in the plan, the best first."""
    return [row.place for row in standing.tally.rows()]


def _crossing(standing: ArenaResults, one: int, two: int) -> str:
    exact = exact_score(standing, one, two)
    if exact is not None:
        return f"{100 * exact:.1f}{EXACT_MARK}"
    met = standing.tally.met(one, two)
    return f"{100 * met.score.value:.1f}" if met else NO_FIGURE


def exact_score(standing: ArenaResults, one: int, two: int) -> float | None:
    """What one player scores against another, where that is known exactly."""
    if (one, two) in standing.certain:
        return standing.certain[one, two]
    back = standing.certain.get((two, one))
    return None if back is None else 1 - back


def cross_table_notes(standing: ArenaResults) -> list[str]:
    """How the cross table is to be read."""
    game = standing.tally.plan.game
    said = _certainty(standing)
    if game.loops:
        said.append(repetition_rule(DEFAULT_REPETITION))
    if any(name == "perfect" or name.startswith("level:") for name in standing.tally.plan.players):
        said.append("Where there are several best mixes, they pick by the one that `solve` names.")
    return said


def _certainty(standing: ArenaResults) -> list[str]:
    """What of the cross table is exact, and what sampled."""
    pairs, certain = len(standing.tally.plan.pairs), len(standing.certain)
    if not certain and not standing.tally.bouts:
        return ["Nothing was played, and of these players nothing is known without playing."]
    if not certain:
        return ["Row against column, in %; all of it sampled."]
    if certain == pairs:
        return ["Row against column, in %; all of it exact: summed over positions, not sampled."]
    return [
        f"Row against column, in %; {EXACT_MARK} is exact, summed over positions; the rest sampled."
    ]


def forfeit_notes(standing: ArenaResults) -> list[str]:
    """Who forfeited how often, and why."""
    return [
        f"{row.label}, {count:,} {'time' if count == 1 else 'times'}: {why}"
        for row in standing.tally.rows()
        for why, count in row.forfeits.items()
    ]


def fault_notes(standing: ArenaResults) -> list[str]:
    """Whose answers were no legal pick how often: at fault in their form, apart from their play."""
    return [
        f"{row.label}: {counted(row.faults.unreadable, 'answers')} could not be read, "
        f"{row.faults.illegal:,} named an illegal number"
        for row in standing.tally.rows()
        if any(row.faults)
    ]


def arena_notes(standing: ArenaResults) -> dict[str, list[str]]:
    """What there is to tell below the tables, under headings."""
    return {"Forfeits": forfeit_notes(standing), "Answers": fault_notes(standing)}


def test_result_sentence(standing: ArenaResults) -> str:
    """What the sequential test has come to."""
    tally, test = standing.tally, standing.test
    if test is None:
        return ""
    if not test.settled:
        return f"Open after {2 * tally.bouts:,} matches which of them is the stronger."
    wrong = f"wrong in at most {percent(ERROR_RATE, 0)} of tests"
    after = f"Settled after {2 * tally.bouts:,} matches:"
    if test.settled == NEITHER_STRONGER:
        return f"{after} the two are less than {test.elo:g} Elo apart. That is {wrong}."
    winner = tally.plan.labels[0 if test.settled > 0 else 1]
    return (
        f"{after} {winner} is the stronger. If the two are {test.elo:g} Elo apart or more, that is "
        f"{wrong}."
    )


def arena_title(standing: ArenaResults) -> str:
    """What was played, and how much of it."""
    plan, tally = standing.tally.plan, standing.tally
    changed = one_line(spoken(plan.rulings, changed_only=True))
    whole = "" if tally.bouts == plan.bouts else f" of {2 * plan.bouts:,}"
    rules = f" ({changed})" if changed else ""
    return f"{plan.game.title}{rules}: {2 * tally.bouts:,}{whole} matches, seed {plan.seed}."


def as_markdown(standing: ArenaResults) -> str:
    """Everything as a page of Markdown."""
    parts = [f"# {arena_title(standing)}"]
    if standing.tally.bouts:
        parts += [
            test_result_sentence(standing),
            table_markdown(ranking_table(standing)),
            " ".join(RANKING_LEGEND),
        ]
    parts += [" ".join(cross_table_notes(standing)), table_markdown(cross_table(standing))]
    parts += notes_markdown(arena_notes(standing))
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


def as_data(standing: ArenaResults) -> dict[str, Any]:
    """Everything as plain data."""
    plan, tally = standing.tally.plan, standing.tally
    data = plan.as_data() | {
        "played": 2 * tally.bouts,
        "standings": [_row_data(row) for row in tally.rows()],
        "pairs": [_pair_data(standing, *pair) for pair in plan.pairs],
    }
    if standing.test:
        data["sequential"] = {"elo": standing.test.elo, "settled": standing.test.settled}
    return data


def _row_data(row: PlayerRow) -> dict[str, Any]:
    return row._asdict() | {
        "place": row.place + 1,
        "score": _interval(row.score),
        "rating": _interval(row.rating),
        "faults": row.faults._asdict(),
    }


def _pair_data(standing: ArenaResults, one: int, two: int) -> dict[str, Any]:
    players, met = standing.tally.plan.players, standing.tally.met(one, two)
    return {
        "one": players[one],
        "two": players[two],
        "exact": exact_score(standing, one, two),
        "sampled": _interval(met.score) if met else None,
        "won": met.won if met else 0,
        "drawn": met.drawn if met else 0,
        "lost": met.lost if met else 0,
    }


def _interval(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate._asdict()
