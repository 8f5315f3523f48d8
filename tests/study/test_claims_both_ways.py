"""Every claim is seen kept, and seen broken: by a ruling, or else by a changed rule book."""

import importlib.util
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import evenodds
from tests.support import studies
from tests.support.game_data import WITH_DATA, ClaimCase, data_of
from tests.support.strategies import GAMES

Found = Callable[[str], list[dict[str, studies.ClaimResult]]]
together = pytest.mark.xdist_group("both ways")
"""Tests that look at the same findings."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each case of a game, once for all tests."""
    folder = tmp_path_factory.mktemp("books")

    def cases(name: str) -> list[ClaimCase]:
        """Changed books first: once a large game has compiled its loops, small ones do so too."""
        return sorted(data_of(name).claim_cases, key=lambda case: not case.changes)

    return cache(lambda name: [findings(name, case, folder) for case in cases(name)])


def findings(name: str, case: ClaimCase, folder: Path) -> dict[str, studies.ClaimResult]:
    """What becomes of each claim, and of each question by its name and a question mark."""
    base = evenodds.game(name).game
    game = changed(name, folder, *case.changes) if case.changes else base
    if case.words:
        game = game._replace(words=case.words)
    if not case.only:
        found = studies.claim_results_of(game, game.settle(case.rules))
        asked = {f"{one.name}?": one for one in found.questions}
        return {one.name: one for one in found.claims} | asked
    facts = facts_about(game, case.rules)
    return {
        claim.name: studies.check_claim(facts, claim)
        for claim in studies.claims_of(base)
        if claim.name in case.only
    }


def changed(name: str, folder: Path, *changes: str) -> Any:
    """A game with some of its rules replaced; who is favoured, size and length are unsaid."""
    game = evenodds.game(name).game
    text = inspect.getsource(sys.modules[game.start.__module__])
    for old, new in (change.split(" -> ") for change in changes):
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path = folder / f"changed_{name}_{abs(hash(text))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rules = {
        name: getattr(module, name) for name in ("start", "legal", "step", "outcome", "ending")
    }
    unsaid: dict[str, Any] = dict.fromkeys(("mirror", "bound", "longest"))
    return game._replace(rulings=module.Rulings, **rules, **unsaid)


def facts_about(game: Any, rules: dict[str, Any]) -> studies.Facts:
    """The facts of a game by its rules alone; the figures are those of the unchanged one."""
    base = evenodds.game(game.name, rules)
    return studies.solved_facts(
        game, game.settle(rules), studies.study_of(*base), lambda: studies.SolvedGame(*base)
    )


@pytest.mark.long
@together
@pytest.mark.parametrize("game", WITH_DATA, ids=str)
def test_every_claim_is_seen_kept_and_seen_broken(game: Any, found: Found) -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for kept in found(game.name):
        for name, one in kept.items():
            seen[name].add(one.verdict)
            assert re.fullmatch(r"[A-Z0-9].*[.]", one.evidence), one
    for claim in studies.claims_of(game):
        assert studies.Verdict.HOLDS in seen[claim.name], f"{claim.name} is never kept"
        assert seen[claim.name] - {studies.Verdict.HOLDS}, f"{claim.name} is never broken"


@pytest.mark.long
@together
def test_every_question_is_answered_both_ways(found: Found) -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for game in GAMES:
        for kept in found(game.name):
            for asked, one in kept.items():
                seen[asked].add(one.verdict)
    for question in studies.QUESTIONS:
        assert {"yes", "no"} <= seen[f"{question.name}?"], question.name
