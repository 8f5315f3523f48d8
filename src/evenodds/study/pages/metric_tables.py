"""Report sections with tables: outcomes, drama, choices, match length, size."""

from collections.abc import Callable, Mapping, Sequence
from math import log10
from typing import Final

from evenodds.claims.study_figures import (
    MAX_EXACT_LINES,
    PERFECT_POLICY,
    RANDOM_POLICY,
    Drama,
    LengthDistribution,
    OutcomeOdds,
    SelfPlay,
    Study,
)
from evenodds.figures import VALUE_TOLERANCE, counted, percent
from evenodds.render.blocks import Block, Chart, Columns, Fold, Note, Section, Table
from evenodds.render.charts import Bar, Series, bar_chart, column_chart, stacked_bar_chart
from evenodds.study.wording import (
    NO_FIGURE,
    ending_name,
    format_bound,
    format_mean,
    format_mean_length,
    length_unit,
    perfect_strategy_note,
    played_on_note,
    policy_label,
    repetition_note,
)

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


def outcome_shares(odds: OutcomeOdds) -> tuple[float, float, float, float]:
    """The shares of outcomes in the order of `OUTCOME_PARTS`."""
    return odds.first, odds.draw, odds.second, odds.endless


def outcome_chart(study: Study, id: str, policies: Sequence[str]) -> Chart:
    """Who wins when both play by the same policy, as bars."""
    shares = {policy: outcome_shares(study.plays[policy].odds) for policy in policies}
    rows = [
        (
            policy_label(policy),
            [(*part, share) for part, share in zip(OUTCOME_PARTS, each, strict=True)],
        )
        for policy, each in shares.items()
    ]
    present = (max(each) > VALUE_TOLERANCE for each in zip(*shares.values(), strict=True))
    key = [part for part, shown in zip(OUTCOME_PARTS, present, strict=True) if shown]
    return Chart(OUTCOMES_TITLE, "", stacked_bar_chart(id, OUTCOMES_TITLE, rows), key)


def outcomes_part(study: Study) -> Section:
    """The section on outcomes and endings of each policy against itself."""
    plays = study.plays
    title = OUTCOMES_TITLE
    chart = outcome_chart(study, "outcomes", tuple(plays))
    heads = ["Both play", *(name for name, _ in OUTCOME_PARTS), f"Mean {length_unit(study)}"]
    lines = [
        [
            policy_label(policy),
            *map(percent, outcome_shares(play.odds)),
            format_mean_length(play.odds),
        ]
        for policy, play in plays.items()
    ]
    blocks: list[Block] = [
        Columns([[chart], [_endings(study)]]),
        Table(title, heads, lines, stack=True),
        Note(perfect_strategy_note(study)),
        Note(_repetition(study)),
    ]
    return Section("outcomes", "How matches end", blocks)


def _endings(study: Study) -> Block:
    """The shares of endings for each policy."""
    names = list(dict.fromkeys(name for play in study.plays.values() for name in play.odds.endings))
    if len(names) < 2:
        return f"There is one ending by the rules: {ending_name(names[0])}."
    rows = {ending_name(name): _ending_share(name) for name in names}
    return _policy_table("By what matches end", "Ended by", study, rows)


def _ending_share(ending: str) -> Callable[[SelfPlay], str]:
    return lambda play: percent(play.odds.endings.get(ending, 0.0))


def _repetition(study: Study) -> str:
    """The note on the draw by repetition, and the scores without it."""
    shown = [
        f"{policy_label(policy).lower()} {percent(play.played_on.score)}, "
        f"{percent(play.endless)} endless"
        for policy, play in study.plays.items()
        if play.played_on is not None
    ]
    if not shown:
        return repetition_note(study)
    scores = "; ".join(shown)
    return (
        f"{repetition_note(study)} If play went on instead, the first seat would score: {scores}."
    )


def _policy_table(
    title: str, head: str, study: Study, rows: Mapping[str, Callable[[SelfPlay], str]]
) -> Table:
    """A table with a column for each policy against itself; each row has its figure told."""
    plays = study.plays
    cells = [[name, *map(tell, plays.values())] for name, tell in rows.items()]
    return Table(title, [head, *map(policy_label, plays)], cells)


def drama_part(study: Study) -> Section:
    """The section on drama: lead changes, rounds until it is decided, comebacks."""

    def of(tell: Callable[[Drama], str]) -> Callable[[SelfPlay], str]:
        return lambda play: NO_FIGURE if play.drama is None else tell(play.drama)

    rows = {
        "Lead changes in a match": of(lambda drama: f"{drama.changes:.2f}"),
        f"Open for so many {length_unit(study)}": of(lambda drama: format_mean(drama.open)),
        "Comebacks": of(lambda drama: percent(drama.comebacks)),
        "Somebody wins": lambda play: percent(play.odds.decided),
    }
    missing = any(play.drama is None for play in study.plays.values())
    note = f"{NO_FIGURE}: play may go on too long to be followed round by round." if missing else ""
    won_note = f"{played_on_note(study)} But somebody wins as matches are played." * bool(
        study.repetition
    )
    table = _policy_table("Drama", "When both play", study, rows)
    return Section("drama", "How it feels", [table, Note(f"{note} {won_note}".strip())])


def choice_part(study: Study) -> Section:
    """The section on decisions, and on the scores of simple strategies."""
    choice = study.choice
    if not study.size.decisions:
        return Section("choice", "Do choices matter?", ["There is nothing to choose."])
    shares = {
        "in which nothing depends on the pick": choice.idle,
        "with a single best pick": choice.single,
        "Numbers on offer that are dominated": choice.dominated,
    }
    rows = [[name, percent(share or 0.0)] for name, share in shares.items()]
    rows.insert(0, ["Decisions", f"{study.size.decisions:,}"])
    known = Table("Decisions", ["Over every decision", "Share"], rows)
    return Section("choice", "Do choices matter?", [Columns([[known], _habits(study)])])


def _habits(study: Study) -> list[Block]:
    """Bars of the scores of simple strategies against perfect play and their best response."""
    habits = study.choice.habits
    met = [
        Bar(policy_label(name), one.perfect, percent(one.perfect)) for name, one in habits.items()
    ]
    known = [
        Bar(policy_label(name), one.answered, percent(one.answered)) for name, one in habits.items()
    ]
    titles = ("What habits score against perfect play", "What habits score against the best answer")
    about = (
        "On average over both seats; perfect play scores half against itself. It takes no risk, so "
        f"it need not punish a habit. {perfect_strategy_note(study)}".strip(),
        f"Against the best opponent, who knows the habit. {repetition_note(study)}".strip(),
    )
    return [
        Chart(titles[0], about[0], bar_chart("habits", titles[0], met)),
        Chart(titles[1], about[1], bar_chart("answered", titles[1], known)),
    ]


def lengths_part(study: Study) -> Section:
    """The section on match lengths: random picks beside perfect play."""
    size, unit = study.size, length_unit(study)
    if size.shortest == size.longest:
        said = f"Every match takes {counted(size.shortest, unit)}."
        return Section("length", "How long a match is", [said])
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
            [f"Mean, {policy_label(policy).lower()}", format_mean_length(p.odds)]
            for policy, p in study.plays.items()
        ),
        [f"Most {unit}{rule}", format_bound(size.longest)],
    ]
    lengths = Table("How long a match is", ["Length", unit.capitalize()], rows)
    note = (
        "" if PERFECT_POLICY in known else "The chart leaves perfect play out: it goes in circles."
    )
    if study.repetition:
        note += f" In the chart play goes on; in the table it ends. {repetition_note(study)}"
    drawn: list[Block] = [_lengths(known, unit)] if known else []
    body = Columns([drawn, [lengths, Note(note)]])
    return Section("length", "How long a match is", [body])


def _lengths(known: dict[str, LengthDistribution], unit: str) -> Chart:
    least = min(_first(lengths) for lengths in known.values())
    most = max(_last(lengths) for lengths in known.values())
    names = [str(place) for place in range(least, most + 1)]
    series = [
        Series(policy_label(policy), style, _pad_lengths(known[policy], least, most))
        for policy, style in ((RANDOM_POLICY, "one"), (PERFECT_POLICY, "two"))
        if policy in known
    ]
    title = f"How many {unit} matches take"
    about = f"The share of matches that end after so many {unit}."
    if most < max(len(lengths.shares) for lengths in known.values()):
        about += f" Fewer than one match in a thousand takes more than {most}."
    rows = [
        [name, *(percent(one.shares[place]) for one in series)] for place, name in enumerate(names)
    ]
    heads = [unit.capitalize(), *(one.name for one in series)]
    chart = column_chart("lengths", title, names, series)
    figures = Fold("The figures", Table(title, heads, rows))
    return Chart(title, about, chart, series, figures)


def _first(lengths: LengthDistribution) -> int:
    return next(place for place, share in enumerate(lengths.shares, 1) if share > 0)


def _last(lengths: LengthDistribution) -> int:
    """The last length that is shown."""
    last = len(lengths.shares)
    if last <= MAX_UNTRIMMED_LENGTHS:
        return last
    left = lengths.longer
    while left + lengths.shares[last - 1] < MIN_SHOWN_SHARE:
        left += lengths.shares[last - 1]
        last -= 1
    return last


def _pad_lengths(lengths: LengthDistribution, least: int, most: int) -> list[float]:
    shares = lengths.shares[least - 1 : most]
    return [*shares, *[0.0] * (most - least + 1 - len(shares))]


def size_part(study: Study) -> Section:
    """The section on the size of the game."""
    size = study.size
    rows = [
        ["Open positions", _large(size.positions)],
        ["Decisions", _large(size.decisions)],
        ["Lines of play", _large(size.lines)],
        ["Value of the start to the first seat, from -1 to 1", _value(study)],
    ]
    counts = Table("Size", ["Count", "Figure"], rows)
    by_round = [[str(place), format_mean(count)] for place, count in enumerate(size.branching, 1)]
    heads = ["Round" if length_unit(study) == "rounds" else "Pick", "Numbers"]
    said = "Numbers to choose from, on average over matches of random picks that come so far"
    branching = Fold(said, Table("Branching by round", heads, by_round))
    return Section("size", "How large it is", [counts, branching])


def _large(count: int | None) -> str:
    """A count, with its power of ten where it has many digits."""
    if count is None or not 10**6 <= count <= MAX_EXACT_LINES:
        return format_bound(count)
    return f"{count:,} (10^{log10(count):.1f})"


def _value(study: Study) -> str:
    """The value of the start, and its certified error."""
    sure = "exact" if study.gap == 0 else f"error at most {study.gap:.1e}"
    return f"{0 if abs(study.value) <= VALUE_TOLERANCE else study.value:.4g}, {sure}"
