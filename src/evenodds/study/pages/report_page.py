"""The report of one study as a self-contained HTML page.

It is byte for byte the same for the same study and version.
"""

from collections.abc import Sequence
from html import escape

from evenodds.claims.study_data import Study
from evenodds.claims.thresholds import (
    DEFAULT_THRESHOLDS,
    THRESHOLD_SPECS,
    Thresholds,
    format_threshold,
)
from evenodds.core import catalog
from evenodds.core.rulings import format_rulings
from evenodds.figures.formatting import counted
from evenodds.render.html import collapsible, document, escape_text, paragraph, section
from evenodds.study.claims.claim_results import ClaimResult
from evenodds.study.claims.ruling_variants import RulingVariant
from evenodds.study.pages.claims import (
    badge,
    claims_part,
    replay_command_html,
    ruling_variants_part,
)
from evenodds.study.pages.glossary import glossary_part
from evenodds.study.pages.match_length import lengths_part
from evenodds.study.pages.metric_charts import opening_part, pick_frequency_part, score_values_part
from evenodds.study.pages.metric_tables import (
    choice_part,
    drama_part,
    outcomes_part,
    size_part,
    skill_part,
)
from evenodds.study.wording.verdict import verdict_answers


def render_report(
    study: Study,
    promises: Sequence[ClaimResult] = (),
    questions: Sequence[ClaimResult] = (),
    variants: Sequence[RulingVariant] = (),
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    *,
    notes: Sequence[str] = (),
    home: str = "",
) -> str:
    """The page of one study.

    `variants` are the rows of the table of rulings, `notes` replace the note that all figures are
    exact, and `home` is the address of a page with all games.
    """
    game = catalog.get(study.game)
    answered = _verdict_questions(study)
    parts = [
        verdict_part(study, thresholds, notes, questions),
        claims_part(promises, [one for one in questions if one.said not in answered]),
        ruling_variants_part(variants, study, thresholds),
        opening_part(study),
        score_values_part(study),
        pick_frequency_part(study),
        choice_part(study),
        lengths_part(study),
        outcomes_part(study),
        skill_part(study, thresholds),
        drama_part(study),
        size_part(study),
        glossary_part(study),
    ]
    head = (
        (f'<p><a href="{escape(home)}">All games</a></p>\n' if home else "")
        + f"<h1>{escape_text(game.title)}</h1>\n"
        + paragraph(game.summary)
        + f"<p><small>Studied with <code>{escape_text(format_rulings(study.rules))}</code></small>"
        + "</p>\n"
        + _contents(study, bool(variants))
    )
    return document(f"{game.title}: a study", head, "".join(parts))


def _verdict_questions(study: Study) -> list[str]:
    """The questions that the verdict answers, which are left out below the claims."""
    return [answer.question for answer in verdict_answers(study)]


def verdict_part(
    study: Study,
    thresholds: Thresholds,
    notes: Sequence[str] = (),
    questions: Sequence[ClaimResult] = (),
) -> str:
    """The section with the verdict: each answer with its evidence, and how exact it is."""
    by_question = {result.said: result for result in questions}
    said = "".join(
        f"<dt>{escape_text(answer.question)}</dt>"
        f"<dd>{_short(by_question.get(answer.question))}{escape_text(answer.sentence)}"
        f"{_shown(by_question.get(answer.question))}</dd>\n"
        for answer in verdict_answers(study, thresholds)
    )
    positions = counted(study.size.positions, "positions")
    every = "the" if study.size.positions == 1 else "all"
    exactness = (
        f"Every figure on this page is exact: summed over {every} {positions} "
        "of the solved game. Nothing is sampled."
    )
    body = f'<dl class="verdict">\n{said}</dl>\n' + "".join(
        paragraph(note, "faint") for note in (notes or (exactness,))
    )
    body += _thresholds(thresholds)
    return section("verdict", "The verdict", body)


def _thresholds(thresholds: Thresholds) -> str:
    """The thresholds of the verdicts, and how to change them."""
    rows = "".join(
        f"<div><dt>{name} <span>({escape_text(format_threshold(name, thresholds))})</span></dt>"
        f"<dd>{escape_text(line.about)}</dd></div>\n"
        for name, line in THRESHOLD_SPECS.items()
    )
    how = "<p>Change one: <code>evenodds study ... --threshold consistently=0.7</code></p>\n"
    title = "Where these verdicts draw the line"
    return collapsible(title, f'<dl class="words">\n{rows}</dl>\n{how}')


def _short(result: ClaimResult | None) -> str:
    return badge(result.verdict) if result else ""


def _shown(result: ClaimResult | None) -> str:
    return replay_command_html(result.command) if result and result.line else ""


SECTION_TITLES = {
    "claims": "Promises",
    "readings": "Rulings",
    "opening": "Opening",
    "standings": "Scores",
    "use": "Numbers",
    "choice": "Choices",
    "length": "Length",
    "outcomes": "Endings",
    "skill": "Skill",
    "drama": "Drama",
    "size": "Size",
    "words": "Words",
}
"""The links of the table of contents by section id."""


def _contents(study: Study, variants: bool) -> str:
    missing = set() if variants else {"readings"}
    if not study.score_values:
        missing.add("standings")
    if not study.size.decisions:
        missing.add("use")
    links = "".join(
        f'<li><a href="#{part}">{name}</a></li>'
        for part, name in SECTION_TITLES.items()
        if part not in missing
    )
    return f'<nav aria-label="On this page"><ul class="contents">{links}</ul></nav>\n'
