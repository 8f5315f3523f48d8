"""What language models may cost: one count for a run, whatever becomes of its processes."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support import models
from tests.support.commands import evenodds_here, surroundings
from tests.support.models import Budget, says
from tests.support.paths import COMMAND
from tests.support.waiting import wait_until

DUEL = ("arena", "duel", "--rule=hp=4", "--matches=2", "--player=random")
FILE = "llm-spent.json"


@pytest.mark.processes
def test_what_is_under_way_at_a_kill_is_spent(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with models.service() as service:
        service.will(models.never)
        arena = (*DUEL, f"--player={service.name}", "-o", str(folder))
        one = surroundings(home, EVENODDS_LLM_REQUESTS="1")
        process = subprocess.Popen([COMMAND, *arena], env=one)
        wait_until(lambda: len(service.asked) == 1)
        process.kill()
        process.wait()
        spent = Budget(file=folder / FILE).spent
        assert (spent.requests, spent.guesses) == (1, 1)
        assert spent.tokens > 300
        service.over.set()
        service.will(says("PICK: 1"))
        done = evenodds_here(*arena, home=home, EVENODDS_LLM_REQUESTS="1")
        assert "the 1 requests of this run are used up" in done.stderr
        assert len(service.asked) == 1


def test_a_booking_is_settled_when_the_answer_is_there(tmp_path: Path) -> None:
    budget = Budget(tokens=50, file=tmp_path / FILE)
    budget.settle(budget.reserve(90), 40)
    assert budget.summary() == "So far models were asked once, for 40 tokens."
    budget.settle(budget.reserve(0), 7, guessed=True)
    assert budget.summary() == "So far models were asked 2 times, for about 47 tokens."
    budget.reserve(90)
    with pytest.raises(
        models.BudgetExhausted, match=r"the 50 tokens of this run are used up \(EVENODDS_LLM_TOKEN"
    ):
        budget.reserve(0)


@pytest.mark.parametrize("text", ["", "[]", "{}x", '{"requests": -1}', '{"tokens": "many"}'])
def test_a_damaged_count_is_never_taken_for_nothing(text: str, home: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(
        models.BadBudgetFile, match="is damaged: what models have cost is not known"
    ):
        Budget(file=tmp_path / FILE)
    if not text:
        arena = (*DUEL, "--player=llm:any@http://127.0.0.1:1/v1", "-o", str(tmp_path))
        done = evenodds_here(*arena, home=home)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert not (tmp_path / "arena.json").exists()


def test_an_unknown_key_of_a_count_is_told_and_stays(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"requests": 1, "tokens": 2, "guesses": 1, "cents": 3}')
    budget = Budget(file=tmp_path / FILE)
    budget.reserve(3)
    assert budget.summary().endswith(f'tokens. Not understood in {tmp_path / FILE}: "cents".')
    kept = {"requests": 2, "tokens": 4, "guesses": 2, "cents": 3}
    assert json.loads((tmp_path / FILE).read_text()) == kept


@pytest.mark.parametrize(
    ("reported", "tokens", "guessed"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, 7, False),
        ({"total_tokens": 5}, 5, False),
        ({"total_tokens": 5, "prompt_tokens": 3}, 5, False),
        ({"total_tokens": 5, "completion_tokens": None}, 5, False),
        (None, 22, True),
        (7, 22, True),
        *(({"prompt_tokens": count}, 22, True) for count in (-1, True, "9", 10**12)),
        ({"prompt_tokens": 3}, 14, True),
    ],
    ids=str,
)
def test_tokens_are_told_or_guessed(reported: object, tokens: int, guessed: bool) -> None:
    assert models.answer_tokens(reported, 30, 30) == (tokens, guessed)
