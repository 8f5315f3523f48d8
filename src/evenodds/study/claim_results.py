"""Results of checking a game's claims and the standard questions, computed once and cached."""

import os
import sys
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from traceback import extract_tb
from types import ModuleType
from typing import Final, NamedTuple

import msgspec

from evenodds.claims import checks
from evenodds.claims.claim import Claim, Facts, Finding, left_open
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, module_source, save_result
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import ladder_of
from evenodds.render.rulebook import promises
from evenodds.study import STUDY_CODE
from evenodds.study.grid import command_for
from evenodds.study.named_odds import Solve, solve_for_study
from evenodds.study.study import study_of
from evenodds.study.verdict import QUESTIONS, ClaimResult, Question
from evenodds.system import EvenOddsError, Progress, silent
from evenodds.system.cache_folder import CacheKind
from evenodds.system.imports import needs
from evenodds.system.text import error_text, shorten

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
UNCHECKED: Final = "Nobody has checked:"
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

    The sources of the claims and the sentences of the book are part of the cache key: what was
    changed is checked again.
    `solve` solves the game where needed. Raises `TooLarge` or `BadGame`.
    """
    listed = claims_of(game)
    names = {claim.check.__module__ for claim in listed} | {game.claims} - {""}
    unchecked = [claim.quote for claim in listed if claim.check is checks.unchecked]
    key = [f"{ladder_of(game)} {unchecked}", *map(module_source, sorted(names))]
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
    try:
        return import_module(game.claims) if game.claims else None
    except Exception as error:  # whatever a package does on import
        raise _unloaded(game, error) from None


def claims_of(game: AnyGame) -> tuple[Claim, ...]:
    """The claims of a game, and the promises of its page that none of them quotes.

    A module may have made its own `CLAIMS` of its sentences.
    """
    listed: tuple[Claim, ...] = ()
    if module := claims_module_of(game):
        try:
            listed = getattr(module, "CLAIMS", ()) or checks.claims(module.SENTENCES, vars(module))
        except (AttributeError, LookupError) as error:
            raise _unloaded(game, error) from None
    left = [
        said
        for said in promises(game)
        if not any(said in claim.quote or claim.quote in said for claim in listed)
    ]
    return *listed, *(Claim("unchecked", said, checks.unchecked) for said in left)


def _unloaded(game: AnyGame, error: Exception) -> BadGame:
    return BadGame(f"the claims of {game.name} do not load: {shorten(str(error), 400)}")


class BadCheck(BadGame):
    """A check that fails itself; `problem` says where, too."""

    function, problem = "claims", ""


def finding_of(claim: Claim | Question, facts: Facts) -> Finding:
    """What the check of a claim finds; `BadCheck` where it fails itself."""
    try:
        return Finding(*claim.check(facts))
    except (EvenOddsError, MemoryError):  # of the rules, or of what facts take
        raise
    except Exception as error:
        said = f'the check of "{claim.name}" fails with {error_text(error, 400)}'
        bad, file = BadCheck(said), getattr(sys.modules[claim.check.__module__], "__file__", "")
        bad.name = claim.name
        lines = [each.lineno for each in extract_tb(error.__traceback__) if each.filename == file]
        place = ":".join([os.path.basename(file), *map(str, lines[-1:])])
        bad.problem = f"{place}: {said}"
        raise bad from error


def check_claim(facts: Facts, claim: Claim | Question) -> ClaimResult:
    """Check a claim, or answer a question."""
    try:
        verdict, evidence, line, rules = finding_of(claim, facts)
    except BadCheck as error:
        verdict, evidence, line, rules = left_open(error.problem)
    texts = ruling_texts(facts.rulings) | {key: str(value) for key, value in rules.items()}
    command = command_for("show", facts.game, texts, f'--line "{line}"') if line else ""
    return ClaimResult(claim.name, claim.quote, str(verdict), evidence, line, command)
