"""The one door of tests to the inside of studies: figures, sentences, pages, sweeps, repairs.

Tests enter here because figures are compared exactly, and pages show them rounded.
"""

import io

from evenodds.claims.claim import Claim, Facts, OptimalityCounts, Verdict
from evenodds.claims.mix_notes import PERFECT_STRATEGY_NOTE
from evenodds.claims.study_data import (
    HIGHEST_POLICY,
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    RANDOM_POLICY,
    HabitScores,
    ScoreValues,
    Study,
    count_noticeable_steps,
    matches_needed,
)
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core.rulings import as_data, ruling_texts
from evenodds.figures.estimates import Estimate
from evenodds.figures.formatting import percent
from evenodds.players.exact import level_policy
from evenodds.players.level_strength import describe_skill_range, strengths
from evenodds.study.claims.claim_results import (
    NO_CLAIMS,
    ClaimResult,
    check_claim,
    claim_results_of,
    claims_module_of,
)
from evenodds.study.claims.facts import SolvedFacts
from evenodds.study.claims.questions import QUESTIONS
from evenodds.study.claims.ruling_variants import RulingVariant, ruling_variants_of, variant_values
from evenodds.study.figure_serialization import from_data, to_data
from evenodds.study.metrics.all_metrics import compute_study, summarize_solved_game
from evenodds.study.metrics.choice import choice_metrics_of
from evenodds.study.metrics.drama import drama_of
from evenodds.study.metrics.outcomes import length_distribution_of, outcome_odds_of
from evenodds.study.metrics.score_values import score_values_of
from evenodds.study.metrics.size import game_size_of
from evenodds.study.metrics.skill import skill_metrics_of
from evenodds.study.pages.comparison import comparison_page
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import StudyReport, study_report_of
from evenodds.study.sampled import sampled_study_of
from evenodds.study.solved.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.study.summary import summary_of
from evenodds.study.sweeps.goals import (
    SYMMETRY_PROOF,
    TURN_GAME_PROOF,
    impossibility_proofs,
    parse_goals,
)
from evenodds.study.sweeps.grid import read_grid
from evenodds.study.sweeps.measures import MEASURES, Figures, compute_measures, select_measures
from evenodds.study.sweeps.repair import (
    REPORTED_MEASURES,
    RepairResult,
    repair,
    repair_search_grid,
)
from evenodds.study.sweeps.repair import as_json as repair_as_json
from evenodds.study.sweeps.sweep import SweepResult, SweepRow, sweep
from evenodds.study.sweeps.sweep_output import as_csv, as_json
from evenodds.study.sweeps.sweep_page import render_sweep_page
from evenodds.study.wording.figure_formatting import (
    COMPARISON_MEASURES,
    comparison_figures,
    format_number_ranges,
    summary_notes,
)
from evenodds.study.wording.verdict import verdict_answers
from evenodds.terminal.reports import repair as repair_report
from evenodds.terminal.reports import study as study_report
from evenodds.terminal.screen import Screen

# fmt: off
__all__ = [
    "COMPARISON_MEASURES", "HIGHEST_POLICY", "MEASURES", "MIDDLE_LEVEL", "NO_CLAIMS",
    "PERFECT_POLICY", "PERFECT_STRATEGY_NOTE", "QUESTIONS", "RANDOM_POLICY", "REPORTED_MEASURES",
    "SYMMETRY_PROOF", "THRESHOLDS", "TURN_GAME_PROOF", "Claim", "ClaimResult", "Estimate", "Facts",
    "Figures", "HabitScores", "OptimalityCounts", "RepairResult", "RulingVariant", "ScoreValues",
    "SolvedFacts", "SolvedGame", "Study", "SweepResult", "SweepRow", "Verdict", "as_csv", "as_data",
    "as_json", "check_claim", "choice_metrics_of", "claim_results_of", "claims_module_of",
    "comparison_figures", "comparison_page", "compute_measures", "compute_study",
    "count_noticeable_steps", "describe_skill_range", "drama_of", "format_number_ranges",
    "from_data", "game_size_of", "impossibility_proofs", "length_distribution_of", "level_policy",
    "matches_needed", "outcome_odds_of", "parse_goals", "percent", "read_grid", "render_report",
    "render_sweep_page", "repair", "repair_as_json", "repair_search_grid", "ruling_texts",
    "ruling_variants_of", "sampled_study_of", "score_values_of", "select_measures",
    "skill_metrics_of", "strengths", "study_of", "study_report_of", "summarize_solved_game",
    "summary_notes", "summary_of", "sweep", "to_data", "variant_values", "verdict_answers",
]
# fmt: on


def sentences_of(study: Study) -> list[str]:
    return [answer.sentence for answer in verdict_answers(study)]


def told(found: RepairResult | StudyReport) -> str:
    """What a command says of a repair or a study, to a pipe."""
    stream = io.StringIO()
    if isinstance(found, RepairResult):
        repair_report.show(found, Screen(stream))
    else:
        study_report.show(found, Screen(stream))
    return stream.getvalue()
