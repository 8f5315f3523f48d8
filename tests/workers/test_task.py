"""Tasks as plain data: done by whoever has the same rules."""

import evenodds
from evenodds.arena.bouts import bouts_task
from evenodds.arena.schedule import Plan, check_plan
from evenodds.study.sweep import measure_task
from evenodds.workers.task import DIFFERENT_RULES_REASON, Task, TaskResult, run_task
from tests.support.game_data import data_of


def test_nobody_plays_or_solves_another_edition_of_the_game() -> None:
    duel = evenodds.game("duel").game
    players = ("random", "high")
    wanted = check_plan(Plan(duel, duel.settle(data_of(duel).small), players, 2, 0, False))
    match = bouts_task(wanted, [0])
    ruling = measure_task(wanted.game, wanted.rulings, ("value",), None)
    for task, place in ((match, 1), (ruling, 3)):
        assert run_task(task).reason == ""
        given = [*task.arguments]
        given[place] = "another edition"
        assert run_task(task._replace(arguments=tuple(given))) == TaskResult(
            None, DIFFERENT_RULES_REASON
        )


def test_a_task_that_fails_gives_a_reason_and_may_be_tried_again() -> None:
    assert run_task(Task("math:sqrt", (-1.0,))) == TaskResult(
        None, "it failed: ValueError math domain error", permanent=False
    )
