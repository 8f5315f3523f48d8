"""The report of one study, and the comparison of games, as self-contained HTML pages.

They are byte for byte the same for the same studies and version.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from evenodds.claims.fixed_outcome import decided_sentence, is_lively, rules_line
from evenodds.claims.study_figures import PERFECT_POLICY, RANDOM_POLICY, Study
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core import catalog
from evenodds.core.rule_checks import BadGame, TooLarge
from evenodds.core.rulings import format_rulings
from evenodds.figures import counted, percent
from evenodds.render.narration import goal_of
from evenodds.render.pages import Block, Note, Section, Table, render_page
from evenodds.study import wording
from evenodds.study.claim_results import NO_CLAIMS
from evenodds.study.measures import MEASURES, VARIANT_MEASURES, Figures
from evenodds.study.pages import metric_charts, metric_tables
from evenodds.study.report import RulingVariant, study_report_of
from evenodds.study.study import NotCached, refuse_to_solve, study_of
from evenodds.study.verdict import ClaimResult, verdict_answers
from evenodds.system.environment import BadSetting
from evenodds.workers.task import TASK_PROGRESS, TaskResult

VERDICT_LABELS: Final = {
    "holds": "✓ holds",
    "fails": "✗ fails",
    "undefined": "? left open",
    "unchecked": "not checked",
    "yes": "yes",
    "partly": "partly",
    "no": "no",
}
COMPARED: Final = (RANDOM_POLICY, PERFECT_POLICY)
"""The ways to play whose outcomes are shown first."""
SECTIONS: Final[tuple[tuple[str, str, Callable[[Study], Sequence[Block]]], ...]] = (
    ("opening", "The opening", metric_charts.opening),
    ("scores", "What a score is worth", metric_charts.score_values),
    ("use", "Which numbers are used", metric_charts.pick_frequencies),
    ("choice", "Do choices matter?", metric_tables.choices),
    ("length", "How long a match is", metric_tables.lengths),
    ("outcomes", "How matches end", metric_tables.outcomes),
    ("skill", "Does skill pay?", metric_charts.skill),
    ("drama", "How it feels", metric_tables.drama),
    ("size", "How large it is", metric_tables.game_size),
)
"""The sections on figures: id, title, and what is told there."""


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
    asked = {result.name: result for result in questions}
    told = ruling_variants(variants, study)
    parts = [Section("variants", "Every ruling each way", told)]
    parts += [Section(id, title, tell(study)) for id, title, tell in SECTIONS]
    return render_page(
        "study/pages/report.html.jinja",
        game=game,
        header=[goal_of(game, game.settle(study.rules)), *_why_livelier(study)],
        outcomes=metric_tables.outcome_chart(study, "verdict-outcomes", COMPARED),
        rulings=format_rulings(study.rules),
        home=home,
        answers=[asked.pop(one.name, one) for one in verdict_answers(study)],
        notes=[Note(note) for note in notes or [_exactness(study)]],
        thresholds=THRESHOLDS,
        verdict_labels=VERDICT_LABELS,
        claims=claims,
        no_claims=NO_CLAIMS,
        questions=asked.values(),
        parts=[part for part in parts if part.blocks],
    )


def _why_livelier(study: Study) -> list[str]:
    """What livelier rules give, lack, and change, once the book is studied; nothing of others."""
    game = catalog.get(study.game)
    if not is_lively(game, game.settle(study.rules)):
        return []
    said = [rules_line(game, game.settle(study.rules))]
    with suppress(NotCached):
        book = study_of(game, game.rulings(), solve=refuse_to_solve)
        decided, useless = decided_sentence(game, game.rulings()), book.choice.useless
        matter, mattered = (percent(1 - (each.choice.idle or 0)) for each in (study, book))
        which = wording.numbers_are(book, useless)
        less = f"By the book {which} useless; here none is." * bool(useless)
        said += [
            f"Why livelier? By the book {decided[:1].lower()}{decided[1:]}",
            f"Here {matter} of decisions matter, by the book {mattered}.",
            "" if study.choice.useless else less,
        ]
    return [" ".join(filter(None, said))]


def _exactness(study: Study) -> str:
    positions = counted(study.size.positions, "positions")
    every = "the" if study.size.positions == 1 else "all"
    return (
        f"Every figure on this page is exact: summed over {every} {positions} "
        f"of the solved game. Nothing is sampled. {wording.perfect_strategy_note(study)}"
    ).strip()


def comparison_page(
    studies: Sequence[Study], address: Callable[[str], str] = "{}.html".format
) -> str:
    """One page with the key measures of some games; `address` gives the page of each."""
    heads = ["Measure", *(study.game for study in studies)]
    found = [wording.comparison_figures(study) for study in studies]
    names = found[0] if found else ()
    rows = [[name, *(one[name] for one in found)] for name in names]
    count = sum(study.size.positions for study in studies)
    exactness = (
        f"Every figure is exact: summed over all {count:,} positions of the solved games. "
        "Nothing is sampled."
    )
    notes = {
        study.game: f"{wording.repetition_note(study)} {wording.perfect_strategy_note(study)}"
        for study in studies
    }
    told = [Note(f"{game}: {note.strip()}") for game, note in notes.items() if note.strip()]
    table = Table("Side by side", heads, rows, stack=True)
    return render_page(
        "study/pages/comparison.html.jinja",
        games=[_game(study, address(study.game)) for study in studies],
        measures=Section("measures", "Side by side", [table, exactness, *told]),
    )


def _game(study: Study, address: str) -> dict[str, Any]:
    """A game as the comparison shows it: what it is like first, its rulings last."""
    game = catalog.get(study.game)
    return {
        "game": game,
        "address": address,
        "goal": goal_of(game, game.settle(study.rules)),
        "answers": [one for one in verdict_answers(study) if one.name != "useless"],
        "outcomes": metric_tables.outcome_chart(study, f"outcomes-{study.game}", COMPARED),
        "rulings": format_rulings(study.rules),
    }


def ruling_variants(variants: Sequence[RulingVariant], study: Study) -> list[Block]:
    """The variants of every ruling; nothing where none was studied."""
    if not variants:
        return []
    about = (
        "Each row changes one rule option and leaves the rest as they are. The options used on "
        "this page are marked."
    )
    now = [place for place, one in enumerate(variants) if str(study.rules[one.key]) == one.value]
    things = wording.length_unit(study)
    rows = [[f"{one.key} = {one.value}", *_figures(one.figures, things)] for one in variants]
    heads = ["Ruling", *(MEASURES[name].head for name in VARIANT_MEASURES)]
    table = Table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, wording.repetition_note(study), wording.perfect_strategy_note(study)]
    return [table, Note(" ".join(filter(None, notes))), *map(_variant_note, variants)]


def _figures(figures: Figures | None, things: str) -> list[str]:
    if figures is None:
        return ["left out"] + [""] * (len(VARIANT_MEASURES) - 1)
    return [wording.format_compared(name, figures[name], things) for name in VARIANT_MEASURES]


def _variant_note(variant: RulingVariant) -> Note:
    """Why a variant has no figures, with the command that finds them; or why some are missing."""
    name = f"{variant.key} = {variant.value}"
    if variant.figures is None:
        return Note(f"{name} is left out: {variant.reason}.", variant.command)
    notes = wording.variant_notes(variant.figures)
    return Note(f"{name}: {'; '.join(notes)}." if notes else "")


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
