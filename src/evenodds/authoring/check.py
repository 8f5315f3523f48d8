"""What is wrong with a game, all at once: the checks before play, and those that take longer.

All positions are checked where these are few enough, others at a sample. Rules are compared with
themselves once compiled, and played under other rulings; the book's examples are replayed.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from enum import IntEnum
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Final

from evenodds.authoring.findings import Finding, Findings
from evenodds.claims.claim import Facts, Replay, Verdict
from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import module_source
from evenodds.core.rule_checks import (
    UNDECLARED_LOOPS,
    BadGame,
    check_marked,
    describe_position,
    refuse_unsolvable,
)
from evenodds.core.rulings import OneOf, Option, as_data, format_rulings, ruling_texts
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import Words
from evenodds.engine.compile import FURTHER_ROLES, ROLES, kernels_of
from evenodds.engine.game_functions import chance, ending, kernel, legal, outcome, reward, step
from evenodds.engine.position_keys import check_width, sample_layout
from evenodds.engine.small_games import StateGraph
from evenodds.figures import counted
from evenodds.render.rulebook import is_quoted, promises
from evenodds.study.claim_results import claims_of, finding_of
from evenodds.system import EvenOddsError, Progress, silent

MAX_PAIRS: Final = 30_000
"""Pairs of picks from the start on; where these are all, all positions are checked."""
PAIRS_OF_OTHERS: Final = 150
MATCHES_OF_OTHERS: Final = 2
"""What is searched and played under each of some other rulings."""
MAX_TRIED_AGAIN: Final = 20
"""Rulings of small games that are tried before one is taken to change nothing."""
COMPARED: Final = 100
"""Positions at which compiled rules are compared with interpreted ones."""


def check_game(
    game: AnyGame, progress: Progress = silent, compiled: bool = True
) -> tuple[list[Finding], str]:
    """What is wrong under the usual rulings or some others, and what was looked at."""
    found, rulings = Findings(game), game.rulings()
    for role in (*ROLES, *(role for role in FURTHER_ROLES if getattr(game, role))):
        with found.noting():
            check_marked(game, role)
    others, before = _OtherRulings(game, found, progress), len(found)
    progress("checking positions", 0, 0)
    about = ""
    with found.noting():  # where nothing can be asked, or something never returns
        play = GameValidator(game, rulings)
        play.note, play.pairs = found.note, MAX_PAIRS
        play.run()
        about = f"{'all' if play.is_complete else 'a sample of'} {len(play.searched):,} positions"
        if len(found) == before:
            others.find_idle()
        if not len(found):
            refuse_unsolvable(game)
            check_width(game, sample_layout(game, rulings), game.start(rulings))
            _check_sizes(play, found)
            for missing in others.missing(play.endings) if play.is_complete else ():
                found.say("Ending", f"the ending {missing.name} never comes", missing.name)
            if compiled:
                progress("compiling rules", 0, 0)
                _compare_compiled(play, found)
        _check_words(game, rulings, found)
        _check_claims(game, rulings, found)
    tried = counted(len(others.tried), "other rulings")
    return sorted(found.values()), f"{about}, {tried}, words, worked examples"


class _OtherRulings:
    """Play under other rulings than the usual ones."""

    def __init__(self, game: AnyGame, found: Findings, progress: Progress) -> None:
        self.game, self.found, self.progress = game, found, progress
        self.endings: set[IntEnum] = set()
        self.tried: dict[Any, int] = {}

    def play(self, given: Mapping[str, Any]) -> int:
        """What stands for all that rules say under some rulings, each as near as allowed."""
        settled: dict[str, Any] = {}
        for key, option in self.game.options.items():
            settled[key] = option.nearest(given[key], settled)
        rulings = self.game.settle(settled)
        if rulings not in self.tried:
            about = f", with {format_rulings(ruling_texts(rulings, changed_only=True))}"
            self.tried[rulings] = len(self.tried)
            with self.found.noting(about):
                played = GameValidator(self.game, rulings)
                played.note = partial(self.found.note, about=about)
                played.pairs, played.matches = PAIRS_OF_OTHERS, MATCHES_OF_OTHERS
                played.run()
                self.endings |= played.endings
                self.tried[rulings] = played.fingerprint
            self.progress("trying rulings", len(self.tried), 0)
        return self.tried[rulings]

    def small(self, chance: Random) -> dict[str, Any]:
        """Some rulings of a small game."""
        return {key: chance.choice(_few(option)) for key, option in self.game.options.items()}

    def find_idle(self) -> None:
        """Name the rulings that change nothing, alone or together with others."""
        usual = as_data(self.game.rulings())
        for key, option in self.game.options.items():
            near: list[Any] = _few(option)
            if isinstance(value := usual[key], int):
                near = [value + 1, value - 1, near[0], 10**9]
            same = {self.play(usual | {key: value}) for value in (usual[key], *near)}
            chance, few, pairs = Random(key), _few(option), 0
            while len(same) == 1 and pairs < MAX_TRIED_AGAIN:
                base, two = self.small(chance), chance.sample(few, min(2, len(few)))
                same, pairs = {self.play(base | {key: value}) for value in two}, pairs + 1
            if len(same) == 1:
                self.found.say(key, f"the ruling {key} changes nothing in matches")

    def missing(self, endings: set[IntEnum]) -> list[IntEnum]:
        """The endings that never come, sought for under rulings of small games, too."""
        chance, known = Random(0), {*type(min(endings))}
        for _ in range(MAX_TRIED_AGAIN):
            if known - endings - self.endings:
                self.play(self.small(chance))
        return sorted(known - endings - self.endings)


def _few(option: Option) -> list[Any]:
    """Values of a ruling that make small games."""
    return list(option.words) if isinstance(option, OneOf) else [option.low + n for n in range(5)]


def _check_sizes(play: GameValidator, found: Findings) -> None:
    """Hold `bound`, `longest` and `loops` against what was searched."""
    game, rulings = play.game, play.rulings
    open_positions = sum(each.outcome == Outcome.ONGOING for each in play.searched.values())
    bound = game.bound(rulings) if game.bound else open_positions
    if bound < open_positions:
        found.say("bound", f"bound is {bound:,}, but there are {open_positions:,} open positions")
    if not play.is_complete:
        return
    if bound > 3 * open_positions > 900:
        more = f"over three times the {open_positions:,} open positions"
        found.say("bound", f"bound is {bound:,}, {more}")
    graph, rounds = StateGraph(game, rulings, 2 * MAX_PAIRS), dict[int, int]()
    try:
        order = graph.backwards()
    except BadGame:
        if not game.loops:
            found.say("step", f"step {UNDECLARED_LOOPS}")
        return
    for place in order:
        after = max(rounds.get(target, 0) for target in graph.links(place))
        rounds[place] = after + (not play.searched[graph.states[place]].draws)
    if game.loops:
        found.say("loops", "loops is True, but no position can come up twice")
    elif game.longest and game.longest(rulings) != rounds[0]:
        most = counted(rounds[0], f"{game.round_word}s")
        said = f"longest is {game.longest(rulings):,}, but no match has more than {most}"
        found.say("longest", said)


@kernel
def ask(state: Any, picks: Any) -> Any:
    """All that rules say at a position, and of a step from there."""
    child = step(state, picks)
    seats = legal(state, 0), legal(state, 1)
    ends = outcome(child) + 0, ending(child) + 0
    return seats, chance(state), child[1:], *ends, reward(state, picks)


ASKED: Final = ("legal", "chance", "step", "outcome", "ending", "reward")


def _compare_compiled(play: GameValidator, found: Findings) -> None:
    """Compare what compiled rules say with what interpreted ones do."""
    compiled, interpreted = (kernels_of(play.game, each)(ask) for each in (True, False))
    every = max(1, len(play.searched) // COMPARED)
    for state, rules in islice(play.searched.items(), 0, None, every):
        for picks in rules.pairs():
            both = zip(ASKED, compiled(state, picks), interpreted(state, picks), strict=True)
            for role, one, two in both:
                if one != two:
                    at = f"with picks {picks}, at {describe_position(state)}"
                    found.say(role, f"{role} says something else once it is compiled, {at}")


def _check_words(game: AnyGame, rulings: Any, found: Findings) -> None:
    """Name words that nothing says, and those that fail in a match."""
    kind = type(game.words)
    own = {name for each in kind.__mro__ if each not in Words.__mro__ for name in vars(each)}
    source = module_source(kind.__module__)
    for name in sorted(own - {*dir(Words)}):
        if not name.startswith("_") and len(re.findall(rf"\b{name}\b", source)) == 1:
            near = get_close_matches(name, dir(Words), 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            found.say(f"words.{name}", f"words.{name} is used by nothing{meant}")
    teller = GameValidator(game, rulings)
    teller.note = found.note
    teller.tell_matches()


class _NeedsSolution(EvenOddsError):
    """What a check is told that asks what only the solution says."""


class _NoSolution:
    """Stands for figures of a study, and for what a solution answers."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise _NeedsSolution

    def __getattr__(self, name: str) -> Any:
        getattr(Study, name)  # what no study has is a mistake
        raise _NeedsSolution


class UnsolvedFacts(Facts):
    """Facts of a game without its solution; they know whether a line of play was replayed."""

    has_replayed = False

    def replay(self, *line: Any, **more: Any) -> Replay:
        """The result of replaying a line of play."""
        self.has_replayed = True
        return super().replay(*line, **more)


def _check_claims(game: AnyGame, rulings: Any, found: Findings) -> None:
    """Check the claims that replay a line of play, such as worked examples.

    Of the others it is seen whether the book has them, and whether their checks fail before they
    come to the solution.
    """
    try:
        claims = claims_of(game)
    except BadGame as error:
        error.function, error.name = "claims", "".join(re.findall(r'^[^"]*"(.+?)"', str(error)))
        raise
    for claim in claims:
        unsolved: Any = _NoSolution()
        facts = UnsolvedFacts(game, rulings, *[unsolved] * (len(Facts._fields) - 2))
        if promises(game) and not is_quoted(game, claim.quote):
            found.say("claims", f'"{claim.quote}" does not stand in the rule book', claim.name)
        with suppress(_NeedsSolution), found.noting():
            verdict, evidence, *_ = finding_of(claim, facts)
            if verdict == Verdict.FAILS and facts.has_replayed:
                said = f'the claim "{claim.name}" fails: {evidence}'
                found.say("claims", said, claim.name)
