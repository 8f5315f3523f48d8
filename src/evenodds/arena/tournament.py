"""Runs the bouts of an arena on worker processes, in the order of the plan.

The same plan leads to the same matches, however many workers there are and however often it is
interrupted, as far as the players are deterministic.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from evenodds.arena.archive import ArenaArchive, open_archive
from evenodds.arena.bouts import (
    BOUT_NUMBERS_ARGUMENT,
    PlayedMatch,
    bouts_task,
    play_bout,
    read_bout,
)
from evenodds.arena.entrants import Entrants
from evenodds.arena.exact_scores import exact_scores_of
from evenodds.arena.schedule import Plan
from evenodds.arena.sequential_test import SequentialTest
from evenodds.arena.tables import ArenaResults
from evenodds.arena.tally import Tally
from evenodds.core import catalog
from evenodds.core.catalog import is_built_in
from evenodds.core.terms import agree
from evenodds.players.levels import PlayerLike
from evenodds.players.player import CannotPlay, Unavailable
from evenodds.players.registry import check_external_available
from evenodds.system.errors import EvenOddsError
from evenodds.system.progress import Progress
from evenodds.workers.task import Task, TaskResult, TaskRunner

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
    live_table: Callable[[ArenaResults], AbstractContextManager[Callable[[Tally], None]]]


class InProcess:
    """Plays bouts in this process, for players or games that no other process can be told of."""

    limits = ""

    def __init__(self, entrants: Entrants) -> None:
        self._entrants = entrants

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The bouts of each task, one after the other; errors of policies are raised."""
        for place, task in enumerate(tasks):
            numbers = task.arguments[BOUT_NUMBERS_ARGUMENT]
            try:
                result = TaskResult([play_bout(self._entrants, number) for number in numbers])
            except (CannotPlay, Unavailable) as error:
                result = TaskResult(None, str(error))
            yield place, result


def run_plan(
    plan: Plan,
    runner: TaskRunner,
    folder: Path | None,
    display: ArenaDisplay,
    test: SequentialTest | None = None,
    budget_file: Path | None = None,
    own: Mapping[str, PlayerLike] = MappingProxyType({}),
) -> ArenaResults:
    """Play the rest of a plan; Ctrl-C ends it with the results so far.

    With `own` players, by the names that the plan gives them, all is played in this process; so it
    is in a game that no package offers, and with models whose costs no file counts: there is one
    count for all that this process asks them.
    """
    archive: Any = open_archive(folder, plan) if folder else nullcontext()
    with archive as match_archive:
        with display.progress_bar() as progress:
            entrants = Entrants(plan, progress, own=own)
            exact_scores = exact_scores_of(plan, entrants.policies, progress)
        is_known = is_built_in(plan.game) or plan.game in catalog.list_games()
        if own or not is_known or (plan.asks_models and budget_file is None):
            runner = InProcess(entrants)
        results = ArenaResults(Tally(plan), exact_scores, test)
        with suppress(KeyboardInterrupt), display.live_table(results) as on_progress:
            play_arena(results.tally, runner, match_archive, test, on_progress, budget_file)
    return results


def play_arena(
    tally: Tally,
    runner: TaskRunner,
    archive: ArenaArchive | None = None,
    test: SequentialTest | None = None,
    on_progress: Callable[[Tally], None] = lambda _: None,
    spending: Path | None = None,
) -> None:
    """Play the bouts of a plan that the archive does not have, or until the test is settled.

    `on_progress` is called after every batch, once it is in the archive. `spending` is the file in
    which all processes count the costs of models.
    """
    for bout in archive.bouts if archive else []:
        _count(tally, bout, test)
    on_progress(tally)
    if test and test.settled:
        return
    try:
        if tally.bouts < tally.plan.bouts:
            _check_external_players(tally.plan)
        for batch in _played_batches(tally.plan, tally.bouts, runner, spending):
            _record_batch(batch, tally, archive, test)
            on_progress(tally)
            if test and test.settled:
                return
    except ArenaStopped as error:
        if archive:
            archive.put_aside(error.talk)
        raise


def _check_external_players(plan: Plan) -> None:
    # Start every program and model once before anything is played: a name may be mistyped.
    terms = agree(plan.game)._replace(rulings=plan.rulings)
    for name in plan.external_players:
        try:
            check_external_available(name, terms, plan.seconds)
        except CannotPlay as error:
            raise ArenaStopped(str(error), []) from None


def _record_batch(
    batch: list[list[PlayedMatch]],
    tally: Tally,
    archive: ArenaArchive | None,
    test: SequentialTest | None,
) -> None:
    """Count and archive a batch, up to the bout that settles the test."""
    played: list[list[PlayedMatch]] = []
    for bout in batch:
        _count(tally, bout, test)
        played.append(bout)
        if test and test.settled:
            break
    if archive:
        archive.add(played)


def _count(tally: Tally, bout: list[PlayedMatch], test: SequentialTest | None) -> None:
    score = tally.add(bout)
    if test:
        test.add(score)


def _played_batches(
    plan: Plan, begun: int, runner: TaskRunner, spending: Path | None
) -> Iterator[list[list[PlayedMatch]]]:
    """Batches of bouts in the order of the plan."""
    slow = plan.external_players or any(name.startswith("search") for name in plan.players)
    size = 1 if slow else min(MAX_BATCH_BOUTS, max(1, (plan.bouts - begun) // TARGET_BATCHES))
    starts = range(begun, plan.bouts, size)
    ends = [min(start + size, plan.bouts) for start in starts]
    tasks = [
        bouts_task(plan, range(start, end), spending)
        for start, end in zip(starts, ends, strict=True)
    ]
    # Tasks finish in any order, but the test and the archive depend on the order of the plan.
    early: dict[int, list[list[PlayedMatch]]] = {}
    due = 0
    for place, result in runner.results(tasks):
        if result.reason:
            raise ArenaStopped(result.reason, result.value["talk"] if result.value else [])
        early[place] = [read_bout(bout) for bout in result.value]
        while due in early:
            yield early.pop(due)
            due += 1
