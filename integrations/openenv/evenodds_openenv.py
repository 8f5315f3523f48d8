"""Even Odds in OpenEnv: matches in text, each answer rewarded by what its pick gives away.

`server` serves it (`server --port 8000`), and TRL and others reach it through the client:

    with MatchClient(base_url="http://127.0.0.1:8000").sync() as client:
        result = client.reset(seed=1, game="underdog", opponent="level:6", seat="first")
        result = client.step(Answer(text="PICK: 7"))
"""

import argparse
from typing import Any
from uuid import uuid4

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from evenodds.players.registry import external_kind
from evenodds.text import TextEnv


class Answer(Action):
    """What a model says."""

    text: str = Field(description="An answer that ends with a line `PICK: n`.")


class Question(Observation):
    """What a model is asked."""

    rules: str = Field(default="", description="The rules, the seat, and the form of an answer.")
    question: str = Field(default="", description="What is asked; empty once the match is over.")
    problem: str = Field(default="", description="What was wrong with the last answer.")
    score: float | None = Field(default=None, description="A win 1, a draw 1/2, a loss 0.")


class MatchEnvironment(Environment[Answer, Question, State]):
    """Matches against a computer."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._env: TextEnv | None = None
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        game: str = "duel",
        opponent: str = "level:4",
        seat: str = "random",
        rulings: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Question:
        """Begin a match; the seed repeats it."""
        if external_kind(opponent):
            raise ValueError("programs and models are no opponents here")  # callers are strangers
        self._env = TextEnv(game, opponent=opponent, seat=seat, rulings=rulings)
        self._env.reset(seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return self._asked(None)

    def step(self, action: Answer, timeout_s: float | None = None, **kwargs: Any) -> Question:
        """Take an answer."""
        if self._env is None:
            self.reset()
        assert self._env
        turn = self._env.answer(action.text)
        self._state.step_count += 1
        return self._asked(turn.reward, turn.problem)

    @property
    def state(self) -> State:
        """The episode, and how many answers there were."""
        return self._state

    def _asked(self, reward: float | None, problem: str = "") -> Question:
        assert self._env
        rules, question = (message["content"] for message in self._env.messages)
        return Question(
            rules=rules,
            question=question,
            problem=problem,
            score=self._env.score,
            done=not question,
            reward=reward,
        )


class MatchClient(EnvClient[Answer, Question, State]):
    """A client of a server."""

    def _step_payload(self, action: Answer) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Question]:
        told = {"done": payload.get("done", False), "reward": payload.get("reward")}
        question = Question(**payload.get("observation", {}) | told)
        return StepResult(observation=question, **told)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


app = create_app(
    MatchEnvironment, Answer, Question, env_name="evenodds_openenv", max_concurrent_envs=64
)


def main() -> None:
    """Serve this machine."""
    import uvicorn

    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
