"""Report sections with charts: opening, score values, pick frequencies, skill."""

from collections.abc import Callable, Sequence
from itertools import product
from math import ceil, floor

from evenodds.claims.checks import NO_CHOICE
from evenodds.claims.study_figures import (
    LEVEL_NAMES,
    OpeningAnalysis,
    ScoreValues,
    Study,
    compare_levels,
)
from evenodds.claims.thresholds import STEP
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.render import charts
from evenodds.render.charts import Axis, Series
from evenodds.render.pages import Block, Chart, Columns, Fold, Note, Table
from evenodds.study import wording
from evenodds.study.level_strength import below_half
from evenodds.study.pages.metric_tables import odds_table
from evenodds.study.verdict import are_numbers_useless, does_skill_pay

ROW_AXIS_LABEL, COLUMN_AXIS_LABEL = "first seat", "second seat"
TINTS = "Teal is good for the first seat, pink for the second."


def opening(study: Study) -> list[Block]:
    """The first round: best mixes, the value of each pair of picks; nothing where chance begins."""
    start = study.opening
    if not study.size.decisions:
        return [NO_CHOICE]
    if not start.payoff:
        return []
    worth = [0.5 + value / 2 for line in start.payoff for value in line]
    if max(worth) - min(worth) <= VALUE_TOLERANCE:
        said = f"whatever is picked, the first seat can expect {percent(worth[0])}."
        return [f"Every number is as good: {said}"]
    deciding = [seat for seat in SEATS if (start.first, start.second)[seat] != [PASS]]
    alike = len(deciding) == 2 and start.mixes[FIRST] == start.mixes[SECOND]
    mixes = [[_mix(start, seat, alike)] for seat in (deciding[:1] if alike else deciding)]
    return [Columns([*mixes, [_payoff(start)]])]


def _mix(start: OpeningAnalysis, seat: Seat, alike: bool) -> Chart:
    """The best mix of a seat as bars, and the loss of each number."""
    numbers = (start.first, start.second)[seat]
    mix, losses = start.mixes[seat], start.losses[seat]
    whose = "either seat" if alike else f"the {('first', 'second')[seat]} seat"
    shares = {str(number): mix.get(number, 0.0) for number in numbers}
    style = "two" if seat == SECOND else "one"
    which = "The best mix" if start.only[seat] else "A best mix"
    title = f"{which} of {whose} in the opening"
    figures = None
    if max(losses.values()) <= VALUE_TOLERANCE and len(numbers) > 1:
        about = "Every number is as good as another here; this is one best way to pick."
    else:
        about = "How often perfect play picks each number."
        about += "" if start.only[seat] else " Other mixes are as good."
        rows = [(n, percent(share), percent(losses[int(n)] / 2)) for n, share in shares.items()]
        heads = ("Number", "Picked", "Gives away")
        figures = Fold("What each number gives away", Table("The opening", heads, rows))
    chart = charts.bar_chart(f"mix-{seat}", title, shares, style)
    return Chart(f"{which} of {whose}", about, chart, figures=figures)


def _payoff(start: OpeningAnalysis) -> Chart:
    """A heat map of the value of each pair of picks to the first seat."""
    first, second = (list(map(str, numbers)) for numbers in (start.first, start.second))
    rows, columns = Axis(ROW_AXIS_LABEL, first, "row"), Axis(COLUMN_AXIS_LABEL, second, "column")
    scores: list[list[float | None]] = [
        [0.5 + value / 2 for value in line] for line in start.payoff
    ]
    title = "What each pair of picks is worth"
    if PASS in (start.first[0], start.second[0]):
        # A single row: the numbers of the seat that picks are its columns.
        alone = start.second == [PASS]
        rows, columns = Axis("", [""]), rows._replace(style="row") if alone else columns
        scores = [[line[0] for line in scores]] if alone else scores
        title = "What each pick is worth"
    about = f"Expected score of the first seat in %, with best play from there on. {TINTS}"
    return _map("payoff", title, about, rows, columns, scores)


def _map(
    id: str,
    title: str,
    about: str,
    rows: Axis,
    columns: Axis,
    shares: Sequence[Sequence[float | None]],
    field: Callable[[float, str], charts.HeatMapField] = charts.score_field,
    tip: str = "{} to {}",
    figures: Fold | None = None,
) -> Chart:
    """A heat map of expected scores of the first seat, or other shares, with its figures."""
    fields = [
        [
            None if share is None else field(share, tip.format(row, column) if row else column)
            for column, share in zip(columns.labels, line, strict=True)
        ]
        for row, line in zip(rows.labels, shares, strict=True)
    ]
    chart = charts.heat_map(id, title, about, rows, columns, fields)
    heads = [rows.name.capitalize() or "Number", *columns.labels]
    lines = [
        [name or "Score", *("" if share is None else percent(share) for share in line)]
        for name, line in zip(rows.labels, shares, strict=True)
    ]
    table = Fold("The figures", Table(title, heads, lines), wide=True)
    return Chart(title, about, chart, figures=figures or table)


def score_values(study: Study) -> list[Block]:
    """The value of points, rounds won or health; nothing in games without them."""
    if not study.score_values:
        return []
    about = (
        "What the first seat can expect at each score: the exact worth of its positions, on "
        "average over those that random picks lead to."
    )
    return [about, Columns([[_score_values_map(one)] for one in study.score_values])]


def _score_values_map(values: ScoreValues) -> Chart:
    name, steps = values.name, values.steps
    width = steps[1] - steps[0] if len(steps) > 1 else 1
    about = "Expected score of the first seat in %."
    if width > 1:
        about += f" Each field is {width} {name} wide and high."
    names = [str(step) for step in steps]
    return _map(
        f"by-{name}",
        f"By {name}",
        f"{about} {TINTS}",
        Axis(ROW_AXIS_LABEL, names, "row"),
        Axis(COLUMN_AXIS_LABEL, names, "column"),
        values.scores,
    )


def pick_frequencies(study: Study) -> list[Block]:
    """How often perfect play picks each number, round by round."""
    use = study.choice.use
    numbers = sorted({number for line in use for number in line})
    if not study.size.decisions:
        return []
    if study.choice.is_idle:
        return [are_numbers_useless(study)[1]]
    rounds = [str(place) for place in range(1, len(use) + 1)]
    unit = wording.length_unit(study).removesuffix("s")
    title = f"How often perfect play picks each number, {unit} by {unit}"
    about = (
        "In % of the times it is open: the stronger the colour, the more often. "
        "Empty where it is not open."
    )
    rows, columns = Axis("number", list(map(str, numbers))), Axis(unit, rounds)
    shares = [[line.get(number) for line in use] for number in numbers]
    tip = "{} in " + unit + " {}"
    chart = _map("use", title, about, rows, columns, shares, charts.share_field, tip)
    note = Note(f"{wording.perfect_strategy_note(study)} {wording.played_on_note(study)}".strip())
    return [Columns([[chart, note], _soundness(study)])]


def _soundness(study: Study) -> list[Block]:
    """Bars of how often each number is optimal."""
    sound = sorted(study.choice.sound.items())
    shares = {wording.called(study, number): share for number, share in sound}
    title = "How often each number is right"
    about = "In how many of the decisions that offer it a number gives nothing away."
    return [Chart(title, about, charts.bar_chart("sound", title, shares)), _dominated(study)]


def _dominated(study: Study) -> str:
    """A sentence on the dominated numbers at the start."""
    by_seat = study.choice.dominated_first
    known = sorted({number for each in by_seat.values() for number in each})
    if not known:
        return "At the start no number is dominated by another." if by_seat else ""
    if len(set(map(tuple, by_seat.values()))) == 1:
        which = wording.numbers_are(study, known)
        return f"At the start {which} dominated: another number is never worse."
    by_seat_shown = [
        f"{wording.format_number_ranges(study, each)} for the {seat} seat"
        for seat, each in by_seat.items()
        if each
    ]
    return f"At the start these are dominated: {'; '.join(by_seat_shown)}."


def skill(study: Study) -> list[Block]:
    """The levels: each against the one below, and all against all."""
    said, comparisons = does_skill_pay(study)[1], study.skill.comparisons
    scores = [odds.score for odds in study.skill.pairs.values()]
    if not scores or max(scores) - min(scores) <= VALUE_TOLERANCE:
        same = (
            f"Whichever levels meet, the first seat scores {percent(scores[0])}." if scores else ""
        )
        return [said, same]
    rows = [
        [
            level.name.removeprefix("level:"),
            percent(level.score),
            percent(level.drawn),
            f"{level.matches:,}" if level.matches else "never",
            wording.policy_label(level.better),
        ]
        for level in comparisons
    ]
    heads = ["Level", "Score against the one below", "Drawn", "Matches to tell", "Better"]
    below = below_half({level.name: level.score for level in comparisons})
    table, note = Table("The ladder", heads, rows), Note(wording.repetition_note(study))
    ladder: list[Block] = [_curve(study), below, table, note]
    return [said, Columns([ladder, [_pairs(study)]])]


def _curve(study: Study) -> Chart:
    comparisons = study.skill.comparisons
    names = [level.name.removeprefix("level:") for level in comparisons]
    pairs, low = study.skill.pairs, LEVEL_NAMES[0]
    scores = [compare_levels(one.name, low, pairs).score for one in comparisons]
    series = [
        Series("Against level 1", "two", scores),
        Series("Against the level below", "one", [level.score for level in comparisons]),
    ]
    shares = [share for one in series for share in one.shares]
    least = min(0.4, floor(10 * min(shares)) / 10)
    most = max(0.7, ceil(10 * max(shares) - VALUE_TOLERANCE) / 10)
    title = "What each level scores"
    about = f"Levels 2 to 8. The dashed line across is {STEP}: from there a step is felt."
    chart = charts.line_chart("ladder", title, names, series, low=least, high=most, mark=STEP.value)
    return Chart(title, about, chart, series[::-1])


def _pairs(study: Study) -> Chart:
    """A heat map of every level in the first seat against every level in the second."""
    pairs = study.skill.pairs
    names = [level.removeprefix("level:") for level in LEVEL_NAMES]
    title = "Every level against every other"
    odds = {
        f"Level {one} – level {two}": pairs[f"level:{one} level:{two}"]
        for one, two in product(names, names)
    }
    return _map(
        "pairs",
        title,
        f"Expected score of the first seat in %. {wording.repetition_note(study)}".strip(),
        Axis(ROW_AXIS_LABEL, names, "row"),
        Axis(COLUMN_AXIS_LABEL, names, "column"),
        [[pairs[f"{one} {two}"].score for two in LEVEL_NAMES] for one in LEVEL_NAMES],
        tip="Level {} against Level {}",
        figures=Fold("Odds of every pair", odds_table(title, "First – second seat", odds, study)),
    )
