"""Even Odds in Inspect: a sample is a match, scored by what its picks give away against exact play.

inspect eval evenodds_inspect/evenodds --model openai/MODEL -T game=underdog -T opponent=level:6
"""

import asyncio
import json

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from evenodds.text import TextEnv


def begun(given: dict[str, object]) -> TextEnv:
    """The match of a sample, at its first question; the seats alternate by the seed."""
    seed = int(str(given["seed"]))
    env = TextEnv(
        str(given["game"]),
        rulings=json.loads(str(given["rulings"])),
        opponent=str(given["opponent"]),
        seat=("first", "second")[seed % 2],
    )
    env.reset(seed)
    return env


@solver
def match() -> Solver:
    """Play the match: each question holds all that the seat sees, so each is asked anew."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        env = await asyncio.to_thread(begun, state.metadata)
        while env.question:
            rules, question = (message["content"] for message in env.messages)
            asked = [ChatMessageSystem(content=rules), ChatMessageUser(content=question)]
            state.output = await get_model().generate(asked)
            state.messages += [*asked, state.output.message]
            await asyncio.to_thread(env.answer, state.output.completion)
        state.store.set("rewards", [turn.reward for turn in env.turns])
        state.store.set("problems", [turn.problem for turn in env.turns if turn.problem])
        state.store.set("score", env.score)
        return state

    return solve


@scorer(metrics={"exactness": [mean(), stderr()], "result": [mean(), stderr()], "faults": [mean()]})
def exact() -> Scorer:
    """1 less what an answer gave away on average; the result; answers without a legal pick."""

    async def score(state: TaskState, target: Target) -> Score:
        rewards, problems = state.store.get("rewards"), state.store.get("problems")
        value = {
            "exactness": 1 + sum(rewards) / max(1, len(rewards)),
            "result": state.store.get("score"),
            "faults": len(problems),
        }
        return Score(value=value, explanation="; ".join(problems))

    return score


@task
def evenodds(
    game: str = "duel", opponent: str = "level:4", matches: int = 10, rulings: str = "{}"
) -> Task:
    """So many matches, from the first seat and the second in turn; rulings are JSON."""
    given = {"game": game, "opponent": opponent, "rulings": rulings}
    samples = [
        Sample(input=f"{game} against {opponent}", id=seed, metadata={**given, "seed": seed})
        for seed in range(matches)
    ]
    return Task(dataset=MemoryDataset(samples, name=game), solver=match(), scorer=exact())
