"""The adapters in one place, because users get them from registries of other libraries."""

import evenodds.adapters.openspiel  # registers the games
from evenodds.adapters import pettingzoo
from evenodds.adapters.episode import MAX_CYCLES, Episode
from evenodds.adapters.gymnasium import SeatEnv, environment_id, register_all
from evenodds.adapters.observation import ObservationEncoder
from evenodds.adapters.openspiel import from_openspiel, to_openspiel
from evenodds.adapters.openspiel.games import max_rounds, register
from evenodds.adapters.vector import SeatVectorEnv, TwoSeatVectorEnv
