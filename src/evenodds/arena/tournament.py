"""Runs the bouts of an arena on a team of workers, in the order of the plan.

Whoever plays, and however often it is interrupted, the same plan comes to the same matches, as far
as the players do.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from evenodds.arena.archive import ArenaArchive
from evenodds.arena.bouts import PlayedMatch, bouts_task, read_bout
from evenodds.arena.schedule import Plan
from evenodds.arena.sequential_test import SequentialTest
from evenodds.arena.tally import Tally
from evenodds.core.terms import agree
from evenodds.players.player import CannotPlay
from evenodds.players.registry import check_external_available, pick_timeout_s
from evenodds.workers.task import TaskRunner

MAX_BATCH_BOUTS: Final = 64
"""Bouts that are played together."""
TARGET_BATCHES: Final = 40
"""Into how many lots bouts are parted, so that one sees how it goes."""


class ArenaStopped(Exception):
    """Some bouts could not be played, and why; what models had said in them by then."""

    def __init__(self, why: str, talk: list[str]) -> None:
        super().__init__(why)
        self.talk = talk


def play_arena(
    tally: Tally,
    team: TaskRunner,
    book: ArenaArchive | None = None,
    test: SequentialTest | None = None,
    tell: Callable[[Tally], None] = lambda _: None,
    spending: Path | None = None,
) -> None:
    """Play all that is left of a plan, or until the test is settled.

    `tell` hears of every lot of bouts once it is kept. What models cost is counted in a file,
    whichever process asks them.
    """
    for bout in book.kept if book else []:
        _count(tally, bout, test)
    tell(tally)
    if test and test.settled:
        return
    try:
        if tally.bouts < tally.plan.bouts:
            _check_external_players(tally.plan)
        for lot in _played_batches(tally.plan, tally.bouts, team, spending):
            _record_batch(lot, tally, book, test)
            tell(tally)
            if test and test.settled:
                return
    except ArenaStopped as error:
        if book:
            book.put_aside(error.talk)
        raise


def _check_external_players(plan: Plan) -> None:
    """Let every program and model come once, before anything is played: one may be mistyped."""
    terms = agree(plan.game)._replace(rulings=plan.rulings)
    for name in plan.guests:
        try:
            check_external_available(name, terms, pick_timeout_s(name, plan.seconds))
        except CannotPlay as error:
            raise ArenaStopped(str(error), []) from None


def _record_batch(
    lot: list[list[PlayedMatch]],
    tally: Tally,
    book: ArenaArchive | None,
    test: SequentialTest | None,
) -> None:
    """Count a lot of bouts and keep it, but for what comes after the test is settled."""
    played: list[list[PlayedMatch]] = []
    for bout in lot:
        _count(tally, bout, test)
        played.append(bout)
        if test and test.settled:
            break
    if book:
        book.add(played)


def _count(tally: Tally, bout: list[PlayedMatch], test: SequentialTest | None) -> None:
    score = tally.add(bout)
    if test:
        test.add(score)


def _played_batches(
    plan: Plan, begun: int, team: TaskRunner, spending: Path | None
) -> Iterator[list[list[PlayedMatch]]]:
    """Lots of bouts in their order; those that come early wait for those before."""
    slow = plan.guests or any(name.startswith("search") for name in plan.players)
    size = 1 if slow else min(MAX_BATCH_BOUTS, max(1, (plan.bouts - begun) // TARGET_BATCHES))
    starts = range(begun, plan.bouts, size)
    ends = [min(start + size, plan.bouts) for start in starts]
    tasks = [
        bouts_task(plan, range(start, end), spending)
        for start, end in zip(starts, ends, strict=True)
    ]
    early: dict[int, list[list[PlayedMatch]]] = {}
    due = 0
    for place, answer in team.answers(tasks):
        if answer.reason:
            raise ArenaStopped(answer.reason, answer.found["talk"] if answer.found else [])
        early[place] = [read_bout(bout) for bout in answer.found]
        while due in early:
            yield early.pop(due)
            due += 1
