"""No check may be unable to succeed, or to fail: every claim is seen kept, and seen broken.

Where no ruling brings a claim to both, a changed rule book does.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.claims.claim import Claim, Verdict
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import Names
from evenodds.games.underdog.claims import CLOSING, closes_so
from evenodds.games.underdog.words import Speech
from evenodds.study.claims.facts import SolvedFacts
from evenodds.study.claims.questions import QUESTIONS
from evenodds.study.claims.results import (
    ClaimResult,
    check_claim,
    claim_results_of,
    claims_module_of,
)
from evenodds.study.metrics.solved_game import SolvedGame
from evenodds.study.study import study_of
from tests.support.commands import evenodds_here as command
from tests.support.strategies import GAMES
from tests.support.variants import changed

together = pytest.mark.xdist_group("both ways")
"""Tests that look at the same findings."""


class Case(NamedTuple):
    """Some rulings, what is changed in the text of the rules, and where verdicts draw the line."""

    rules: dict[str, Any]
    changes: tuple[tuple[str, str], ...] = ()
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    only: tuple[str, ...] = ()
    """The claims that are checked, where the changed game need not or cannot be solved."""


SIX_STAYS = (
    "without(state.hands[SECOND], picks[SECOND])",
    "without(state.hands[SECOND], 8)",
)
"""Of the second hand only the 8 is ever used up."""
STRIKES = "picks[FIRST] if picks[FIRST] >= picks[SECOND] else 0"
STRUCK = "picks[SECOND] if picks[SECOND] >= picks[FIRST] else 0"
CASES: dict[str, list[Case]] = {
    "underdog": [
        Case({"numbers": 5}),
        Case({"numbers": 4, "target": 2, "gap": 0, "exhausted": "draw"}),
        Case({"numbers": 4, "target": 2}),
        Case({"numbers": 2, "target": 2}),
        Case({"numbers": 3, "target": 1}),
        Case(  # a tie is won by the first seat
            {"numbers": 3, "target": 2},
            (
                (
                    "lead = round_lead(state.rulings, picks)",
                    "lead = picks[FIRST] - picks[SECOND] or 1",
                ),
            ),
        ),
        Case(
            {"numbers": 4, "target": 2},
            (SIX_STAYS,),
            only=("used once", "worked example", "sample of a prompt"),
        ),
    ],
    "margin": [
        Case({}),
        Case({"numbers": 2}),
        Case({"numbers": 3, "last_round": "decisive"}, thresholds=Thresholds(quick=2)),
        Case({"numbers": 3}, (("state.last if keeps_last else sign(lead)", "1"),)),
        Case(  # a point for a lead of two or more
            {"numbers": 4},
            (("+ max(lead, 0)", "+ (lead > 1)"), ("+ max(-lead, 0)", "+ (lead < -1)")),
        ),
        Case(
            {"numbers": 3},
            (("return state.hands[seat]", "return state.hands[seat] if seat == FIRST else 1"),),
            only=("turns",),
        ),
        Case({"numbers": 3}, (("(full, full)", "(full, full << 1)"),), only=("sets of numbers",)),
        Case({"numbers": 3}, (SIX_STAYS,), only=("used once", "sample of a prompt")),
    ],
    "circle": [
        Case({}),
        Case({"numbers": 1}),
        Case({"numbers": 3}),
        Case({"numbers": 8, "reach": 2}),
        Case({"leaps": 1}),
        Case(
            {"numbers": 5},
            (
                (
                    "Outcome.SECOND_WINS if state.turn == FIRST else Outcome.FIRST_WINS",
                    "Outcome.DRAW",
                ),
            ),
        ),
    ],
    "duel": [
        Case({}),
        Case({"hp": 25, "numbers": 1, "knockout": "draw"}),
        Case({"hp": 6, "overreach": 1}),
        Case({"hp": 4}, ((STRIKES, STRIKES.replace(">=", ">")),)),  # equal numbers hurt the first
        Case({"hp": 4}, ((STRUCK, f"2 * {STRUCK}"),), only=("example of an attack",)),
        Case({"hp": 4}, ((STRUCK, f"{STRUCK} - 1"),)),  # whoever strikes is healed
        Case(
            {"hp": 4},
            (
                (
                    "state.health[SECOND]) <= 0:\n        return Ending.K",
                    "state.health[SECOND]) < 0:\n        return Ending.K",
                ),
            ),
        ),
        Case(  # a number above one's own health counts as a 1
            {"hp": 6},
            (
                (
                    "damage(state.rulings, picks)",
                    "damage(state.rulings, ("
                    "max(1, picks[FIRST] * (picks[FIRST] <= state.health[FIRST])), "
                    "max(1, picks[SECOND] * (picks[SECOND] <= state.health[SECOND]))))",
                ),
            ),
        ),
    ],
    "factors": [
        Case({"target": 12}),
        Case({"target": 12, "finish": "round", "opening": "live"}),
        Case({"target": 1, "numbers": 1}),
        Case({"target": 8, "numbers": 3, "echo": "barred"}),
        Case({"target": 6, "numbers": 3, "same": "twice"}, (("max(0, theirs", "max(-1, theirs"),)),
        Case(  # nothing is subtracted
            {"target": 6, "numbers": 3},
            (
                (
                    "return state.against if state.against != 0 and",
                    "return 0 if state.against != 0 and",
                ),
                ("state.rulings.same == ONCE else number", "state.rulings.same == ONCE else 0"),
            ),
        ),
        Case(  # the target must be hit exactly
            {"target": 7, "numbers": 4},
            (
                (
                    "mine = state.scores[mover] + number",
                    "mine = state.scores[mover] + number * "
                    "(state.scores[mover] + number <= state.rulings.target)",
                ),
            ),
        ),
    ],
}


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], list[dict[str, ClaimResult]]]:
    """What is found in each case of a game, once for all tests."""
    folder = tmp_path_factory.mktemp("books")
    return cache(lambda name: [findings(name, case, folder) for case in CASES[name]])


def findings(name: str, case: Case, folder: Path) -> dict[str, ClaimResult]:
    """What becomes of each claim, and of each question by its name and a question mark."""
    base = catalog.get(name)
    game = changed(name, folder, *case.changes) if case.changes else base
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
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_claim_is_seen_kept_and_seen_broken(
    game: AnyGame, found: Callable[[str], list[dict[str, ClaimResult]]]
) -> None:
    """On rulings of the game, or on a changed rule book; each with a sentence of its own."""
    seen: dict[str, set[str]] = defaultdict(set)
    for kept in found(game.name):
        for name, one in kept.items():
            seen[name].add(one.verdict)
            assert re.fullmatch(r"[A-Z0-9].*[.]", one.evidence), one
    if game.name == "underdog":
        seen["closing"].add(closed_as_in_the_book())
    for claim in claims_in(game):
        assert Verdict.HOLDS in seen[claim.name], f"{claim.name} is never kept"
        assert seen[claim.name] - {Verdict.HOLDS}, f"{claim.name} is never broken"


def closed_as_in_the_book() -> str:
    """The verdict on the closing words of a game that says what the book says first."""

    class Congratulations(Speech):
        def closing(self, state: Any, outcome: Outcome, names: Names) -> list[str]:
            return [CLOSING]

    game = catalog.get("underdog")._replace(words=Congratulations())
    return closes_so(facts_about(game, {"numbers": 4})).verdict


@pytest.mark.long
@together
def test_every_question_is_answered_both_ways(
    found: Callable[[str], list[dict[str, ClaimResult]]],
) -> None:
    """Yes under some rulings of some game, and no under others."""
    seen: dict[str, set[str]] = defaultdict(set)
    for name in CASES:
        for kept in found(name):
            for asked, one in kept.items():
                seen[asked].add(one.verdict)
    for question in QUESTIONS:
        assert {"yes", "no"} <= seen[f"{question.name}?"], question.name


@pytest.mark.long
def test_rulings_under_which_no_match_ends_are_refused_in_one_line(tmp_path: Path) -> None:
    """A pool of one number takes back what it gives."""
    rules = ("--rule", "numbers=1", "--rule", "target=5")
    done = command("study", "factors", *rules, home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == (
        "factors never ends under these rulings: no line of play comes to an end"
    )
