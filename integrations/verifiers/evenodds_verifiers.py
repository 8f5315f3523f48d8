"""Even Odds in verifiers: a task is a match, rewarded by what its picks give away.

vf-validate evenodds-verifiers
vf-eval evenodds-verifiers --env.taskset.game underdog --env.taskset.opponent level:6
"""

import asyncio
from collections.abc import Iterator

import verifiers.v1 as vf
from pydantic import Field

from evenodds.text import TextEnv, pick_losses

__all__ = ["MatchEnv", "MatchTaskset"]


class MatchData(vf.TaskData):
    """Which match it is; the question at its start is the prompt."""

    game: str
    rulings: dict[str, int | str]
    opponent: str
    seed: int


def begun(data: MatchData) -> TextEnv:
    """The match of a task, at its first question; the seats alternate by the seed."""
    seat = ("first", "second")[data.seed % 2]
    env = TextEnv(data.game, rulings=data.rulings, opponent=data.opponent, seat=seat)
    env.reset(data.seed)
    return env


class MatchTask(vf.Task[MatchData]):
    """A match."""

    @vf.reward(weight=1.0)
    async def exactness(self, trace: vf.Trace) -> float:
        """1 less what a pick gave away on average; 0 where nothing was answered."""
        rewards = trace.info.get("rewards", [])
        return 1 + sum(rewards) / len(rewards) if rewards else 0.0

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether picks without a loss are rewarded as such until the match is over."""
        return await asyncio.to_thread(self._is_rewarded)

    def _is_rewarded(self) -> bool:
        env = begun(self.data)
        while env.question:
            losses = pick_losses(env.match, env.seat)
            best = min(losses, key=losses.__getitem__)
            words, rulings = env.match.game.words, env.match.terms.rulings
            env.answer(f"PICK: {words.pick_name(rulings, env.seat, best)}")
        return bool(env.turns) and not any(turn.reward for turn in env.turns)


class MatchEnvConfig(vf.EnvConfig):
    """One agent, the model."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"})


class MatchEnv(vf.Env[MatchEnvConfig]):
    """A match between the agent and a computer."""

    async def run(self, task: MatchTask, agents: vf.Agents) -> None:
        """Ask, answer, and so on to the end of the match."""
        env = await asyncio.to_thread(begun, task.data)
        async with agents.player.interaction(task) as interaction:
            trace = interaction.trace
            segment = await interaction.turn()
            while not segment.terminated:
                await asyncio.to_thread(env.answer, segment.last_reply)
                trace.info["rewards"] = [turn.reward for turn in env.turns]
                if not env.question:
                    trace.record_metric("score", float(env.score or 0))
                    break
                segment = await interaction.turn(env.question)


class MatchConfig(vf.TasksetConfig):
    """Which matches there are."""

    game: str = "duel"
    rulings: dict[str, int | str] = Field(default_factory=dict)
    opponent: str = "level:4"
    matches: int = 10


class MatchTaskset(vf.Taskset[MatchTask, MatchConfig]):
    """So many matches, from the first seat and the second in turn."""

    def load(self) -> Iterator[MatchTask]:
        """A task for each match."""
        given = self.config
        for seed in range(given.matches):
            data = MatchData(
                name=f"{given.game}#{seed}",
                game=given.game,
                rulings=given.rulings,
                opponent=given.opponent,
                seed=seed,
            )
            rules, question = (message["content"] for message in begun(data).messages)
            data = data.model_copy(update={"system_prompt": rules, "prompt": question})
            yield MatchTask(data, given.task)
