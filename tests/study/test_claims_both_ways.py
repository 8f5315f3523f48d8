"""No check may be unable to succeed, or to fail: every claim is seen kept, and seen broken.

Where no ruling brings a claim to both, a changed rule book does.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evenodds.claims.claim import Claim, Verdict
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.study.claims.claim_results import (
    ClaimResult,
    check_claim,
    claim_results_of,
    claims_module_of,
)
from evenodds.study.claims.facts import SolvedFacts
from evenodds.study.claims.questions import QUESTIONS
from evenodds.study.solved.solved_game import SolvedGame
from evenodds.study.study import study_of
from tests.support.commands import evenodds_here as command
from tests.support.game_data import WITH_DATA, ClaimCase, data_of
from tests.support.strategies import GAMES
from tests.support.variants import changed

together = pytest.mark.xdist_group("both ways")
"""Tests that look at the same findings."""


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], list[dict[str, ClaimResult]]]:
    """What is found in each case of a game, once for all tests."""
    folder = tmp_path_factory.mktemp("books")
    return cache(lambda name: [findings(name, case, folder) for case in data_of(name).claim_cases])


def findings(name: str, case: ClaimCase, folder: Path) -> dict[str, ClaimResult]:
    """What becomes of each claim, and of each question by its name and a question mark."""
    base = catalog.get(name)
    game = changed(name, folder, *case.changes) if case.changes else base
    if case.words:
        game = game._replace(words=case.words)
    if not case.only:
        found = claim_results_of(game, game.settle(case.rules), thresholds=case.thresholds)
        asked = {f"{one.name}?": one for one in found.questions}
        return {one.name: one for one in found.promises} | asked
    facts = facts_about(game, case.rules)
    return {
        claim.name: check_claim(facts, claim)
        for claim in claims_in(base)
        if claim.name in case.only
    }


def claims_in(game: AnyGame) -> tuple[Claim, ...]:
    """The claims of a game."""
    module = claims_module_of(game)
    assert module is not None
    found: tuple[Claim, ...] = module.CLAIMS
    return found


def facts_about(game: AnyGame, rules: dict[str, Any]) -> SolvedFacts:
    """The facts of a game by its rules alone; the figures are those of the unchanged one."""
    base = catalog.get(game.name)
    settled = base.settle(rules)
    study = study_of(base, settled)
    return SolvedFacts(game, game.settle(rules), study, lambda: SolvedGame(base, settled))


@pytest.mark.long
@together
@pytest.mark.parametrize("game", WITH_DATA, ids=str)
def test_every_claim_is_seen_kept_and_seen_broken(
    game: AnyGame, found: Callable[[str], list[dict[str, ClaimResult]]]
) -> None:
    """On rulings of the game, or on a changed rule book; each with a sentence of its own."""
    seen: dict[str, set[str]] = defaultdict(set)
    for kept in found(game.name):
        for name, one in kept.items():
            seen[name].add(one.verdict)
            assert re.fullmatch(r"[A-Z0-9].*[.]", one.evidence), one
    for claim in claims_in(game):
        assert Verdict.HOLDS in seen[claim.name], f"{claim.name} is never kept"
        assert seen[claim.name] - {Verdict.HOLDS}, f"{claim.name} is never broken"


@pytest.mark.long
@together
def test_every_question_is_answered_both_ways(
    found: Callable[[str], list[dict[str, ClaimResult]]],
) -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for game in GAMES:
        for kept in found(game.name):
            for asked, one in kept.items():
                seen[asked].add(one.verdict)
    for question in QUESTIONS:
        assert {"yes", "no"} <= seen[f"{question.name}?"], question.name


@pytest.mark.long
def test_rulings_under_which_no_match_ends_are_refused_in_one_line(tmp_path: Path) -> None:
    rules = ("--rule", "numbers=1", "--rule", "target=5")
    done = command("study", "factors", *rules, home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == (
        "factors never ends under these rulings: no line of play comes to an end"
    )
