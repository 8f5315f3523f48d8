"""Report sections with tables: outcomes, drama, choices, match length, size."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Final

from evenodds.claims.checks import NO_CHOICE
from evenodds.claims.study_figures import (
    MAX_EXACT_LINES,
    PERFECT_POLICY,
    RANDOM_POLICY,
    LengthDistribution,
    Odds,
    Study,
)
from evenodds.claims.thresholds import is_fair
from evenodds.figures import VALUE_TOLERANCE, counted, percent
from evenodds.render.charts import Series, bar_chart, column_chart, stacked_bar_chart
from evenodds.render.pages import Block, Chart, Columns, Fold, Note, Table
from evenodds.study import wording

MAX_UNTRIMMED_LENGTHS: Final = 20
"""The most lengths that are all shown."""
MIN_SHOWN_SHARE: Final = 1e-3
"""Of more lengths the tail with a smaller share than this is left out."""
OUTCOMES_TITLE: Final = "Who wins when both play alike"
OUTCOME_PARTS = (
    ("First wins", "one"),
    ("Draw", "draw"),
    ("Second wins", "two"),
    ("Endless", "endless"),
)
"""The first four figures of odds, by name and style."""


def outcome_chart(study: Study, id: str, policies: Sequence[str]) -> Chart:
    """Who wins when both play by the same policy, as bars."""
    shares = {policy: study.plays[policy].odds[:4] for policy in policies}
    rows = [
        (
            wording.policy_label(policy),
            [(*part, share) for part, share in zip(OUTCOME_PARTS, each, strict=True)],
        )
        for policy, each in shares.items()
    ]
    present = (max(each) > VALUE_TOLERANCE for each in zip(*shares.values(), strict=True))
    key = [part for part, shown in zip(OUTCOME_PARTS, present, strict=True) if shown]
    return Chart(OUTCOMES_TITLE, "", stacked_bar_chart(id, OUTCOMES_TITLE, rows), key)


def outcomes(study: Study) -> list[Block]:
    """The outcomes and endings of each policy against itself."""
    chart = outcome_chart(study, "outcomes", tuple(study.plays))
    odds = {wording.policy_label(policy): play.odds for policy, play in study.plays.items()}
    return [
        Columns([[chart], [_endings(study)]]),
        odds_table(OUTCOMES_TITLE, "Both play", odds, study),
        Note(wording.perfect_strategy_note(study)),
        Note(_repetition(study)),
    ]


def odds_table(title: str, head: str, odds: Mapping[str, Odds], study: Study) -> Table:
    """A table with a row for each pair: how its matches end, and how long they take."""
    heads = [head, *(name for name, _ in OUTCOME_PARTS), f"Mean {wording.length_unit(study)}"]
    rows = [[name, *map(percent, one[:4]), wording.mean_length(one)] for name, one in odds.items()]
    return Table(title, heads, rows, stack=True)


def _endings(study: Study) -> Block:
    """The shares of endings for each policy."""
    endings = [play.odds.endings for play in study.plays.values()]
    names = list(dict.fromkeys(name for each in endings for name in each))
    if len(names) < 2:
        return f"There is one ending by the rules: {wording.ending_name(names[0])}."
    rows = [
        [wording.ending_name(name), *(percent(each.get(name, 0.0)) for each in endings)]
        for name in names
    ]
    return Table("By what matches end", ["Ended by", *map(wording.policy_label, study.plays)], rows)


def _repetition(study: Study) -> str:
    """The note on the draw by repetition, and the scores without it."""
    scores = "; ".join(
        f"{wording.policy_label(policy).lower()} {percent(play.played_on.score)}, "
        f"{percent(play.endless)} endless"
        for policy, play in study.plays.items()
        if play.played_on is not None
    )
    note = f" If play went on instead, the first seat would score: {scores}." if scores else ""
    return wording.repetition_note(study) + note


def drama(study: Study) -> list[Block]:
    """Drama: lead changes, rounds until it is decided, comebacks; nothing where points decide."""
    if study.points:
        return []
    dramas = [play.drama for play in study.plays.values()]
    told = [
        [f"{one.changes:.2f}", wording.format_mean(one.open), percent(one.comebacks)]
        if one
        else [wording.NO_FIGURE] * 3
        for one in dramas
    ]
    still_open = f"Open for so many {wording.length_unit(study)}"
    names = ("Lead changes in a match", still_open, "Comebacks")
    rows = [[name, *figures] for name, *figures in zip(names, *told, strict=True)]
    rows.append(["Somebody wins", *(percent(play.odds.decided) for play in study.plays.values())])
    table = Table("Drama", ["When both play", *map(wording.policy_label, study.plays)], rows)
    notes = []
    if None in dramas:
        notes.append(f"{wording.NO_FIGURE}: play may go on too long to be followed round by round.")
    if study.repetition:
        notes.append(f"{wording.played_on_note(study)} But somebody wins as matches are played.")
    return [table, Note(" ".join(notes))]


def choices(study: Study) -> list[Block]:
    """Decisions, and the scores of simple strategies."""
    choice = study.choice
    if not study.size.decisions:
        return [NO_CHOICE]
    rows = [
        ["Decisions", f"{study.size.decisions:,}"],
        ["in which nothing depends on the pick", percent(choice.idle or 0.0)],
        ["with a single best pick", percent(choice.single or 0.0)],
        ["Numbers on offer that are dominated", percent(choice.dominated or 0.0)],
    ]
    known = Table("Decisions", ["Over every decision", "Share"], rows)
    return [Columns([[known], _habits(study)])]


def _habits(study: Study) -> list[Block]:
    """Bars of the scores of simple strategies against perfect play and their best response."""
    habits = {wording.policy_label(name): scores for name, scores in study.choice.habits.items()}
    met = {name: scores.perfect for name, scores in habits.items()}
    known = {name: scores.best_opponent for name, scores in habits.items()}
    title = "What habits score against perfect play"
    about = (
        "On average over both seats; perfect play scores half against itself. It takes no risk, so "
        f"it need not punish a habit. {wording.perfect_strategy_note(study)}".strip()
    )
    best_title = "What habits score against the best opponent"
    rule = wording.repetition_note(study)
    best_about = f"Against the best opponent, who knows the habit. {rule}".strip()
    return [
        Chart(title, about, bar_chart("habits", title, met)),
        Chart(best_title, best_about, bar_chart("best-opponent", best_title, known)),
    ]


def lengths(study: Study) -> list[Block]:
    """Match lengths: random picks beside perfect play."""
    size, unit = study.size, wording.length_unit(study)
    if size.shortest == size.longest:
        return [f"Every match takes {counted(size.shortest, unit)}."]
    known = {
        policy: play.lengths
        for policy, play in study.plays.items()
        if policy in (RANDOM_POLICY, PERFECT_POLICY)
        and play.lengths is not None
        and any(play.lengths.shares)
    }
    rule = " by the rules" if study.repetition else ""
    rows = [
        [f"Fewest {unit}{rule}", f"{size.shortest:,}"],
        *(
            [f"Mean, {wording.policy_label(policy).lower()}", wording.mean_length(p.odds)]
            for policy, p in study.plays.items()
        ),
        [f"Most {unit}{rule}", wording.format_bound(size.longest)],
    ]
    table = Table("How long a match is", ["Length", unit.capitalize()], rows)
    note = (
        "" if PERFECT_POLICY in known else "The chart leaves perfect play out: it goes in circles."
    )
    if study.repetition:
        note += " In the chart play goes on; in the table it ends. "
        note += wording.repetition_note(study)
    drawn: list[Block] = [_lengths(known, unit)] if known else []
    return [Columns([drawn, [table, Note(note)]])]


def _lengths(known: dict[str, LengthDistribution], unit: str) -> Chart:
    least = min(next(n for n, share in enumerate(one.shares, 1) if share) for one in known.values())
    most = max(map(_last, known.values()))
    rest = [0.0] * most
    names = [str(place) for place in range(least, most + 1)]
    shown = slice(least - 1, most)
    series = [
        Series(wording.policy_label(policy), style, [*known[policy].shares, *rest][shown])
        for policy, style in ((RANDOM_POLICY, "one"), (PERFECT_POLICY, "two"))
        if policy in known
    ]
    title = f"How many {unit} matches take"
    about = f"The share of matches that end after so many {unit}."
    if most < max(len(one.shares) for one in known.values()):
        about += f" Fewer than one match in a thousand takes more than {most}."
    rows = [
        [name, *(percent(one.shares[place]) for one in series)] for place, name in enumerate(names)
    ]
    heads = [unit.capitalize(), *(one.name for one in series)]
    chart = column_chart("lengths", title, names, series)
    figures = Fold("The figures", Table(title, heads, rows))
    return Chart(title, about, chart, series, figures)


def _last(distribution: LengthDistribution) -> int:
    """The last length that is shown."""
    last = len(distribution.shares)
    if last <= MAX_UNTRIMMED_LENGTHS:
        return last
    left = distribution.longer
    while left + distribution.shares[last - 1] < MIN_SHOWN_SHARE:
        left += distribution.shares[last - 1]
        last -= 1
    return last


def game_size(study: Study) -> list[Block]:
    """The size of the game."""
    size = study.size
    rows = [
        ["Open positions", _large(size.positions)],
        ["Decisions", _large(size.decisions)],
        ["Lines of play", _large(size.lines)],
        ["Value of the start to the first seat, from -1 to 1", _value(study)],
    ]
    counts = Table("Size", ["Count", "Figure"], rows)
    means = map(wording.format_mean, size.branching)
    by_round = [[str(place), mean] for place, mean in enumerate(means, 1)]
    heads = ["Round" if wording.length_unit(study) == "rounds" else "Pick", "Numbers"]
    said = "Numbers to choose from, on average over matches of random picks that come so far"
    return [counts, Fold(said, Table("Branching by round", heads, by_round))]


def _large(count: int | None) -> str:
    """A count, with its power of ten where it has many digits."""
    if count is None or not 10**6 <= count <= MAX_EXACT_LINES:
        return wording.format_bound(count)
    return f"{count:,} (10^{log10(count):.1f})"


def _value(study: Study) -> str:
    """The value of the start, and its certified error."""
    sure = "exact" if study.gap == 0 else f"error at most {study.gap:.1e}"
    return f"{0 if is_fair(study.value) else study.value:.4g}, {sure}"
