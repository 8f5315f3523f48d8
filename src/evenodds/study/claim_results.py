"""Results of checking a game's claims and the standard questions, computed once and cached."""

from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Final, NamedTuple

import msgspec

from evenodds.claims.claim import Claim, Facts
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, module_source, save_result
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import ladder_of
from evenodds.study import STUDY_CODE
from evenodds.study.grid import command_for
from evenodds.study.named_odds import Solve, solve_for_study
from evenodds.study.study import study_of
from evenodds.study.verdict import QUESTIONS, ClaimResult, Question
from evenodds.system import Progress, silent
from evenodds.system.cache_folder import CacheKind
from evenodds.system.imports import needs
from evenodds.system.text import shorten

CLAIMS_CODE: Final = (
    *STUDY_CODE,
    "study/level_strength.py",
    "claims",
    "study/claim_results.py",
    "study/facts.py",
    "study/verdict.py",
    "study/wording.py",
)
CLAIMS_KIND: Final = CacheKind("claims", "checked promises", CLAIMS_CODE)
NO_CLAIMS: Final = "The rule book comes without promises to check."


class ClaimResults(NamedTuple):
    """The results of the claims of a rule book, and of the standard questions."""

    claims: list[ClaimResult]
    """Empty for a game without claims."""
    questions: list[ClaimResult]


def claim_results_of(
    game: AnyGame, rulings: Settled, progress: Progress = silent, solve: Solve | None = None
) -> ClaimResults:
    """The results of all claims and questions, from the cache where they are there.

    The source of the claims of a game is part of the cache key: a changed claim is checked again.
    `solve` solves the game where needed. Raises `TooLarge` or `BadGame`.
    """
    module = claims_module_of(game)
    listed: tuple[Claim, ...] = module.CLAIMS if module else ()
    names = {claim.check.__module__ for claim in listed} | ({module.__name__} if module else set())
    key = [str(ladder_of(game)), *map(module_source, sorted(names))]
    is_kept = all(key)  # nothing is without the source of some module
    with suppress(msgspec.ValidationError):  # not in the cache, or damaged
        cached = load_result(game, rulings, CLAIMS_KIND, *key) if is_kept else None
        return msgspec.convert(cached, ClaimResults)
    with needs("solver"):
        from evenodds.study.facts import solved_facts
    solve_once = solve or cache(partial(solve_for_study, game, rulings, progress))
    study = study_of(game, rulings, progress, solve_once)
    facts = solved_facts(game, rulings, study, solve_once)
    found = ClaimResults(
        [check_claim(facts, claim) for claim in listed],
        [check_claim(facts, question) for question in QUESTIONS],
    )
    if is_kept:
        save_result(found, game, rulings, CLAIMS_KIND, *key)
    return found


def claims_module_of(game: AnyGame) -> ModuleType | None:
    """The module with the claims of a game, if it has any; `BadGame` where it does not load."""
    if not game.claims:
        return None
    try:
        module = import_module(game.claims)
        _: tuple[Claim, ...] = module.CLAIMS
    except Exception as error:  # whatever a package does on import
        problem = shorten(str(error), 80)
        raise BadGame(f"the claims of {game.name} do not load: {problem}") from None
    return module


def check_claim(facts: Facts, claim: Claim | Question) -> ClaimResult:
    """Check a claim, or answer a question."""
    verdict, evidence, line, rules = claim.check(facts)
    texts = ruling_texts(facts.rulings) | {key: str(value) for key, value in rules.items()}
    command = command_for("show", facts.game, texts, f'--line "{line}"') if line else ""
    return ClaimResult(claim.name, claim.quote, str(verdict), evidence, line, command)
