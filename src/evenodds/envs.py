"""The games in Gymnasium, under a short name: importing this registers all of them.

    gymnasium.make("evenodds.envs:evenodds/Underdog-v0")

needs no import of its own: Gymnasium imports what stands before the colon.
"""

import evenodds.adapters.gymnasium as _registered  # noqa: F401
from evenodds.adapters.observation import describe_observation

__all__ = ["describe_observation"]
