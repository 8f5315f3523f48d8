"""The report of one study as a self-contained HTML page.

It is byte for byte the same for the same study and version.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from evenodds.claims.study_figures import PERFECT_POLICY, RANDOM_POLICY, Study
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core import catalog
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import format_rulings
from evenodds.figures import counted
from evenodds.graph import TooLarge
from evenodds.render.narration import goal_of
from evenodds.render.pages import Note, render_page
from evenodds.study.claim_results import NO_CLAIMS, ClaimResult
from evenodds.study.pages.comparison import comparison_page, ruling_variants_part
from evenodds.study.pages.metric_charts import (
    opening_part,
    pick_frequency_part,
    score_values_part,
    skill_part,
)
from evenodds.study.pages.metric_tables import (
    choice_part,
    drama_part,
    lengths_part,
    outcome_chart,
    outcomes_part,
    size_part,
)
from evenodds.study.report import study_report_of
from evenodds.study.study import NotCached, refuse_to_solve, study_of
from evenodds.study.variants import RulingVariant
from evenodds.study.verdict import verdict_answers
from evenodds.study.wording import perfect_strategy_note
from evenodds.system.environment import BadSetting
from evenodds.workers.task import TASK_PROGRESS, TaskResult

VERDICT_LABELS: Final = {
    "holds": "✓ holds",
    "fails": "✗ fails",
    "undefined": "? left open",
    "yes": "yes",
    "partly": "partly",
    "no": "no",
}
SECTION_TITLES: Final = {
    "claims": "Promises",
    "variants": "Rulings",
    "opening": "Opening",
    "scores": "Scores",
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


def render_report(
    study: Study,
    claims: Sequence[ClaimResult] = (),
    questions: Sequence[ClaimResult] = (),
    variants: Sequence[RulingVariant] = (),
    *,
    notes: Sequence[str] = (),
    home: str = "",
) -> str:
    """The page of one study.

    `variants` are the rows of the table of rulings, `notes` replace the note that all figures are
    exact, and `home` is the address of a page with all games.
    """
    game = catalog.get(study.game)
    by_name = {result.name: result for result in questions}
    answers = [(one, by_name.pop(one.name, None)) for one in verdict_answers(study)]
    possible = [
        ruling_variants_part(variants, study),
        opening_part(study),
        score_values_part(study),
        pick_frequency_part(study),
        choice_part(study),
        lengths_part(study),
        outcomes_part(study),
        skill_part(study),
        drama_part(study),
        size_part(study),
    ]
    parts = [part for part in possible if part is not None]
    present = {"claims", "words", *(part.id for part in parts)}
    return render_page(
        "study/pages/report.html.jinja",
        game=game,
        goal=goal_of(game, game.settle(study.rules)),
        outcomes=outcome_chart(study, "verdict-outcomes", (RANDOM_POLICY, PERFECT_POLICY)),
        rulings=format_rulings(study.rules),
        home=home,
        contents={id: name for id, name in SECTION_TITLES.items() if id in present},
        answers=answers,
        notes=[Note(note) for note in notes or [_exactness(study)]],
        thresholds=THRESHOLDS,
        verdict_labels=VERDICT_LABELS,
        claims=claims,
        no_claims=NO_CLAIMS,
        questions=by_name.values(),
        parts=parts,
    )


def _exactness(study: Study) -> str:
    positions = counted(study.size.positions, "positions")
    every = "the" if study.size.positions == 1 else "all"
    return (
        f"Every figure on this page is exact: summed over {every} {positions} "
        f"of the solved game. Nothing is sampled. {perfect_strategy_note(study)}"
    ).strip()


def page_task(home: str, game: str, rules: dict[str, str], cached_only: bool) -> TaskResult:
    """The page of a game's study, or without a game the comparison of all, for a server's worker.

    `home` is the address of the comparison; the study of a game lies below it. With `cached_only`
    the result is None where something would have to be solved.
    """
    progress = TASK_PROGRESS.get()
    try:
        if game:
            found = catalog.get(game)
            rulings = found.settle_typed(rules)
            report = study_report_of(found, rulings, progress, cached_only=cached_only)
            return TaskResult(render_report(*report, home=home))
        solve = refuse_to_solve if cached_only else None
        studies = []
        for each in catalog.list_games():
            with suppress(BadGame, TooLarge):  # the others are compared all the same
                studies.append(study_of(each, each.rulings(), progress, solve))
        return TaskResult(comparison_page(studies, lambda name: f"{home}/{name}"))
    except NotCached:
        return TaskResult(None)
    except (BadGame, BadSetting, TooLarge) as error:
        return TaskResult(None, str(error), permanent=True)
