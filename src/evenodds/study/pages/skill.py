"""Report section on skill: each level against the one below, and all against all."""

from math import ceil, floor

from evenodds.claims.study_figures import LEVEL_NAMES, Study
from evenodds.claims.thresholds import STEP
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.players.level_strength import below_half
from evenodds.render.blocks import Block, Chart, Columns, Fold, Note, Section, Table
from evenodds.render.charts import Series, line_chart
from evenodds.render.heat_maps import Axis, heat_map, score_field
from evenodds.study.pages.metric_tables import odds_table
from evenodds.study.verdict import does_skill_pay
from evenodds.study.wording import policy_label, repetition_note


def skill_part(study: Study) -> Section:
    """The section on levels: each against the one below, and all against all."""
    skill, said = study.skill, does_skill_pay(study)[1]
    if not skill.comparisons:
        return Section("skill", "Does skill pay?", [said])
    scores = [odds.score for odds in skill.pairs.values()]
    if max(scores) - min(scores) <= VALUE_TOLERANCE:
        same = f"Whichever levels meet, the first seat scores {percent(scores[0])}."
        return Section("skill", "Does skill pay?", [said, same])
    rows = [
        [
            level.name.removeprefix("level:"),
            percent(level.score),
            percent(level.drawn),
            f"{level.matches:,}" if level.matches else "never",
            policy_label(level.better),
        ]
        for level in skill.comparisons
    ]
    heads = ["Level", "Score against the one below", "Drawn", "Matches to tell", "Better"]
    below_note = below_half({level.name: level.score for level in skill.comparisons})
    ladder: list[Block] = [
        _curve(study),
        below_note,
        Table("The ladder", heads, rows),
        Note(repetition_note(study)),
    ]
    return Section("skill", "Does skill pay?", [said, Columns([ladder, [_pairs(study)]])])


def level_score(study: Study, one: str, two: str) -> float:
    """The score of a level against another, averaged over both seats."""
    pairs = study.skill.pairs
    return (pairs[f"{one} {two}"].score + 1 - pairs[f"{two} {one}"].score) / 2


def _curve(study: Study) -> Chart:
    comparisons = study.skill.comparisons
    names = [level.name.removeprefix("level:") for level in comparisons]
    weakest = LEVEL_NAMES[0]
    series = [
        Series(
            "Against level 1", "two", [level_score(study, r.name, weakest) for r in comparisons]
        ),
        Series("Against the level below", "one", [level.score for level in comparisons]),
    ]
    shares = [share for one in series for share in one.shares]
    low = min(0.4, floor(10 * min(shares)) / 10)
    high = max(0.7, ceil(10 * max(shares) - VALUE_TOLERANCE) / 10)
    title = "What each level scores"
    about = f"Levels 2 to 8. The dashed line across is {STEP}: from there a step is felt."
    chart = line_chart("ladder", title, names, series, low=low, high=high, mark=STEP.value)
    return Chart(title, about, chart, series[::-1])


def _pairs(study: Study) -> Chart:
    """A heat map of every level in the first seat against every level in the second."""
    pairs = study.skill.pairs
    names = [level.removeprefix("level:") for level in LEVEL_NAMES]
    fields = [
        [
            score_field(
                pairs[f"{one} {two}"].score, f"{policy_label(one)} against {policy_label(two)}"
            )
            for two in LEVEL_NAMES
        ]
        for one in LEVEL_NAMES
    ]
    title = "Every level against every other"
    about = f"Expected score of the first seat in %. {repetition_note(study)}".strip()
    rows, across = Axis("first seat", names, "row"), Axis("second seat", names, "column")
    chart = heat_map("pairs", title, about, rows, across, fields)
    odds = {
        f"{policy_label(one)} – {policy_label(two).lower()}": pairs[f"{one} {two}"]
        for one in LEVEL_NAMES
        for two in LEVEL_NAMES
    }
    table = odds_table(title, "First – second seat", odds, study)
    figures = Fold("Odds of every pair", table)
    return Chart(title, about, chart, figures=figures)
