"""The one door of tests to the inside of studies: figures, sentences, pages, sweeps, repairs.

Tests enter here because figures are compared exactly, and pages show them rounded.
"""

import io

import evenodds
from evenodds.claims.claim import Claim, Facts, OptimalityCounts, Verdict
from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    PERFECT_STRATEGY_NOTE,
    RANDOM_POLICY,
    HabitScores,
    ScoreValues,
    Study,
    matches_needed,
)
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core.rulings import as_data, ruling_texts
from evenodds.figures import Estimate, percent, to_data
from evenodds.players.levels import level_policy
from evenodds.study.claim_results import NO_CLAIMS, check_claim, claim_results_of, claims_of
from evenodds.study.facts import solved_facts
from evenodds.study.grid import read_grid
from evenodds.study.level_strength import below_half, describe_skill_range, strengths
from evenodds.study.measures import (
    MEASURES,
    VARIANT_MEASURES,
    Figures,
    compute_measures,
    select_measures,
)
from evenodds.study.metrics import compute_study
from evenodds.study.metrics.choice import choice_metrics_of
from evenodds.study.metrics.rounds import (
    drama_of,
    game_size_of,
    length_distribution_of,
    score_values_of,
)
from evenodds.study.metrics.skill import skill_metrics_of
from evenodds.study.pages.report_page import comparison_page, render_report
from evenodds.study.repair import (
    REPORTED_MEASURES,
    SYMMETRY_PROOF,
    TURN_GAME_PROOF,
    RepairResult,
    impossibility_proofs,
    parse_goals,
    repair,
    repair_search_grid,
)
from evenodds.study.repair import as_json as repair_as_json
from evenodds.study.report import (
    RulingVariant,
    StudyReport,
    ruling_variants_of,
    sampled_study_of,
    variant_values,
)
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.study.sweep import SweepResult, SweepRow, sweep
from evenodds.study.sweep_output import as_csv, as_json, render_sweep_page
from evenodds.study.verdict import QUESTIONS, ClaimResult, verdict_answers
from evenodds.study.wording import (
    comparison_figures,
    format_compared,
    format_number_ranges,
    variant_notes,
)
from evenodds.terminal.reports import study as study_report
from evenodds.terminal.reports.sweep import show_repair
from evenodds.terminal.screen import Screen


def solved_game(name: str, **given: object) -> SolvedGame:
    return SolvedGame(*evenodds.game(name, given))


def sentences_of(study: Study) -> list[str]:
    return [answer.evidence for answer in verdict_answers(study)]


def told(found: RepairResult | StudyReport) -> str:
    """What a command says of a repair or a study, to a pipe."""
    stream = io.StringIO()
    if isinstance(found, RepairResult):
        show_repair(found, Screen(stream))
    else:
        study_report.show(found, Screen(stream))
    return stream.getvalue()
