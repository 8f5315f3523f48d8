"""Whoever measures one ruling at a time: here, in a process of its own, or on a cluster."""

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import Final, NamedTuple, TextIO

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver import BadGame, TooLarge, cache, silent, solve_settled
from evenodds.solver.compile import loops_of
from evenodds.solver.ground import SMALL
from evenodds.solver.listing import Lister
from evenodds.study.survey import Survey
from evenodds.study.sweeps.measures import Figures, edition, measure
from evenodds.text import brief

ALONE: Final = threading.Lock()
"""One ruling at a time in a process, however many threads it has: a solve takes all its cores."""
STRANGER: Final = "whoever was to solve it has another edition of the game"


class Task(NamedTuple):
    """One ruling to be measured."""

    game: str
    rules: dict[str, str]
    measures: tuple[str, ...]
    stamp: str
    """What tells one edition of a game, its rules and the measures from another."""
    most: int | None = None
    """Positions that it may have."""


class Answer(NamedTuple):
    """What came of a task: figures, or the reason why there are none."""

    figures: Figures | None
    reason: str = ""
    lasting: bool = False
    """Whether the reason would be the same the next time, within the same limits."""


def stamp(game: AnyGame, rulings: object) -> str:
    """The edition of a game that figures are found for; nothing where its rules have no text."""
    path = cache.table_path(game, rulings)
    return " ".join([path.name, *edition(game)]) if path else ""


def work(task: Task) -> Answer:
    """Measure one ruling. Whatever happens, it is an answer."""
    with ALONE:
        try:
            return _measured(task)
        except (TooLarge, BadGame) as error:
            few = task.most is not None and isinstance(error, TooLarge)
            reason = f"more than {task.most:,} positions" if few else str(error)
            return Answer(None, reason, lasting=True)
        except Exception as error:  # one ruling is lost, and the others go on
            reason = f"it failed: {type(error).__name__} {brief(str(error), 80)}".strip()
            return Answer(None, reason)


def _measured(task: Task) -> Answer:
    game = catalog.get(task.game)
    rulings = game.settle_typed(task.rules)
    if task.stamp != stamp(game, rulings):
        return Answer(None, STRANGER)
    if task.most is not None:
        _mind(game, rulings, task.most)
    solution = solve_settled(game, rulings, keep=False)
    return Answer(measure(Survey(game, rulings, solution=solution), task.measures))


def _mind(game: AnyGame, rulings: object, most: int) -> None:
    """Refuse a ruling with more positions than that, as soon as the listing shows it."""
    whole = game._replace(mirror=None)
    try:
        Lister(whole, rulings, loops_of(whole, compiled=False), min(most, SMALL), silent).run()
    except TooLarge:
        if most <= SMALL:
            raise
        Lister(whole, rulings, loops_of(whole), most, silent).run()


def main() -> None:
    """Read tasks from standard input, a line each, and answer them one by one.

    When whoever asks is gone, this process ends at once, in the middle of a solve too.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is not an answer
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, waiting), daemon=True).start()
    while line := waiting.get():
        game, rules, measures, stamp, most = json.loads(line)
        answer = work(Task(game, rules, tuple(measures), stamp, most))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _listen(asked: TextIO, waiting: "SimpleQueue[str]") -> None:
    """Hand on what is asked; at the end of it stop whatever is going on."""
    for line in asked:
        waiting.put(line)
    waiting.put("")
    if not ALONE.acquire(blocking=False):
        os._exit(1)
    ALONE.release()
