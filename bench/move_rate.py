"""Moves a second of an environment in which every agent picks by chance; any environment's."""

import random
import time
from typing import Any, Final

SECONDS: Final = 2.0


def aec_move_rate(env: Any) -> float:
    """Moves a second of an AEC environment: each agent looks, and takes any action it may take."""
    chance = random.Random(1)

    def chosen(observation: Any, agent: str) -> int:
        if isinstance(observation, dict):
            mask = observation["action_mask"]
            return chance.choice([action for action in range(len(mask)) if mask[action]])
        return chance.randrange(env.action_space(agent).n)

    moves, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else chosen(observation, agent))
            moves += not over
    return moves / spent
