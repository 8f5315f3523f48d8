"""Runs the bouts of an arena on worker processes, in the order of the plan.

The same plan leads to the same matches, however many workers there are and however often it is
interrupted, as far as the players are deterministic.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from evenodds.arena.archive import ArenaArchive, open_archive
from evenodds.arena.bouts import Entrants, PlayedMatch, bouts_task, entrants_of
from evenodds.arena.schedule import Plan
from evenodds.arena.sequential import SequentialTest
from evenodds.arena.tally import Tally
from evenodds.core import catalog
from evenodds.core.catalog import is_built_in
from evenodds.core.match import Match
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST
from evenodds.players.levels import PlayerLike
from evenodds.players.player import CannotPlay
from evenodds.players.registry import opponent, pick_timeout_s
from evenodds.system import EvenOddsError, Progress
from evenodds.workers.processes import ProcessPool
from evenodds.workers.task import InThisProcess, TaskRunner

MAX_BATCH_BOUTS: Final = 64
"""Bouts of one task."""
TARGET_BATCHES: Final = 40
"""Tasks into which a run is split, so that its progress can be seen."""


class ArenaStopped(EvenOddsError):
    """Some bouts could not be played, and why; with the dialogue of models in them."""

    def __init__(self, why: str, talk: list[str]) -> None:
        super().__init__(why)
        self.talk = talk


class ArenaDisplay(NamedTuple):
    """What shows an arena while it is prepared and played."""

    progress_bar: Callable[[], AbstractContextManager[Progress]]
    live_table: Callable[[Tally], AbstractContextManager[Callable[[Tally], None]]]


def run_plan(
    plan: Plan,
    runner: TaskRunner,
    folder: Path | None,
    display: ArenaDisplay,
    test: SequentialTest | None = None,
    budget_file: Path | None = None,
    own: Mapping[str, PlayerLike] = MappingProxyType({}),
) -> Tally:
    """Play the rest of a plan; Ctrl-C ends it with the results so far.

    With `own` players, by the names that the plan gives them, all is played in this process; so it
    is in a game that no package offers, with models whose costs no file counts (there is one
    count for all that this process asks them), and where starting processes would take longest.
    """
    archive: Any = open_archive(folder, plan) if folder else nullcontext()
    with archive as match_archive:
        with display.progress_bar() as progress:
            entrants = Entrants(plan, progress, own=own) if own else entrants_of(plan, "", progress)
            exact_scores = entrants.exact_scores(progress)
        is_known = is_built_in(plan.game) or plan.game in catalog.list_games()
        few = isinstance(runner, ProcessPool) and plan.bouts <= MAX_BATCH_BOUTS and not plan.slow
        if few or own or not is_known or (plan.asks_models and budget_file is None):
            runner = InThisProcess(lambda _, __, numbers, ___: entrants.play(numbers))
        tally = Tally(plan, exact_scores, test)
        with suppress(KeyboardInterrupt), display.live_table(tally) as on_progress:
            play_arena(tally, runner, match_archive, on_progress, budget_file)
    return tally


def play_arena(
    tally: Tally,
    runner: TaskRunner,
    archive: ArenaArchive | None = None,
    on_progress: Callable[[Tally], None] = lambda _: None,
    budget_file: Path | None = None,
) -> None:
    """Play the bouts of a plan that the archive does not have, or until the test is settled.

    `on_progress` is called after every batch, once it is in the archive. `budget_file` is where
    all processes count the costs of models.
    """
    for bout in archive.bouts if archive else []:
        tally.add(bout)
    on_progress(tally)
    if tally.settled or tally.bouts >= tally.plan.bouts:
        return
    try:
        _check_external_players(tally.plan)
        for batch in _played_batches(tally.plan, tally.bouts, runner, budget_file):
            counted: list[list[PlayedMatch]] = []
            while batch and not tally.settled:
                counted.append(batch.pop(0))
                tally.add(counted[-1])
            if archive:
                archive.add(counted)
            on_progress(tally)
            if tally.settled:
                return
    except ArenaStopped as error:
        if archive:
            archive.put_aside(error.talk)
        raise


def _check_external_players(plan: Plan) -> None:
    # Start every program and model once before anything is played: a name may be mistyped.
    terms = agree(plan.game)._replace(rulings=plan.rulings)
    for name in plan.external_players:
        seconds = pick_timeout_s(name, plan.seconds)
        try:
            player = opponent(name, terms, FIRST, Random(), bot_seconds=seconds)
            player.check_available()
            player.leave(Match(terms).view(FIRST))
        except CannotPlay as error:
            raise ArenaStopped(str(error), []) from None


def _played_batches(
    plan: Plan, begun: int, runner: TaskRunner, budget_file: Path | None
) -> Iterator[list[list[PlayedMatch]]]:
    """Batches of bouts in the order of the plan."""
    size = 1 if plan.slow else min(MAX_BATCH_BOUTS, max(1, (plan.bouts - begun) // TARGET_BATCHES))
    bouts = range(begun, plan.bouts)
    tasks = [
        bouts_task(plan, bouts[start : start + size], budget_file)
        for start in range(0, len(bouts), size)
    ]
    # Tasks finish in any order, but the test and the archive depend on the order of the plan.
    early: dict[int, list[list[PlayedMatch]]] = {}
    due = 0
    for place, result in runner.results(tasks):
        if result.reason:
            raise ArenaStopped(result.reason, result.value["talk"] if result.value else [])
        early[place] = msgspec.convert(result.value, list[list[PlayedMatch]])
        while due in early:
            yield early.pop(due)
            due += 1
