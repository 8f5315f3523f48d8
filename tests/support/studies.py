"""The one door to the inside of studies, for figures are compared that pages round."""

import io

import evenodds
from evenodds.claims.claim import *
from evenodds.claims.study_figures import *
from evenodds.claims.thresholds import *
from evenodds.core.rulings import as_data, ruling_texts
from evenodds.figures import *
from evenodds.players.levels import level_policy
from evenodds.study.claim_results import *
from evenodds.study.facts import solved_facts
from evenodds.study.grid import read_grid
from evenodds.study.level_strength import below_half, describe_skill_range, strengths
from evenodds.study.measures import *
from evenodds.study.metrics import compute_study
from evenodds.study.metrics.choice import choice_metrics_of
from evenodds.study.metrics.rounds import *
from evenodds.study.metrics.skill import skill_metrics_of
from evenodds.study.pages.report_page import *
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
from evenodds.study.report import *
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.study.sweep import *
from evenodds.study.sweep_output import as_csv, as_json, render_sweep_page
from evenodds.study.verdict import *
from evenodds.study.wording import *
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
