"""The games as Gymnasium environments: one seat against a computer opponent.

    import gymnasium
    import evenodds.envs
    environment = gymnasium.make("evenodds/Underdog-v0", opponent="level:3")

Importing this module registers every game of the catalog.
"""

import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final, SupportsIndex, cast

from evenodds.adapters.episode import (
    MAX_CYCLES,
    Episode,
    EpisodeEnv,
    Observation,
    action_space,
    observation_space,
)
from evenodds.core.catalog import AnyGame, GameLike, list_games
from evenodds.core.terms import DEFAULT_REPETITION, SEATINGS, agree, check_seating
from evenodds.core.vocabulary import FIRST, PASS, Seat, other
from evenodds.engine.solution import Solution
from evenodds.players import registry
from evenodds.players.levels import PlayerLike
from evenodds.players.player import Player, play_pick
from evenodds.players.profiles import profile
from evenodds.system.imports import needs

with needs("environments"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import ArrayLike, NDArray

OPPONENT_NAME: Final = "opponent"
"""What an opponent without a name of its own is called."""
DEFAULT_ENV_OPPONENT: Final = "random"
"""The default opponent: one for which no game has to be solved first."""
SEED_LIMIT: Final = 1 << 62


class SeatEnv(EpisodeEnv, gymnasium.Env[Observation, SupportsIndex]):
    """One seat of a game, against an opponent that sees the view of the other seat.

    The opponent is the name of a player, programs included, or a policy: a function of position and
    seat that returns a mix or a number, a mapping, or a solution.
    `seat` is `first` or FIRST, `second` or SECOND, `alternate` (in turn, from the first seat on
    after every seed) or `random`. A step is a pick of the agent and all that the opponent picks
    until the agent is asked again. A match that is over before it is asked ends in the first step.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        opponent: PlayerLike = DEFAULT_ENV_OPPONENT,
        seat: str | Seat = FIRST,
        max_cycles: int = MAX_CYCLES,
        repetition: int = DEFAULT_REPETITION,
        render_mode: str | None = None,
        rulings: Mapping[str, object] | None = None,
    ) -> None:
        terms = agree(game, rulings, repetition=repetition)
        name = registry.check_player(opponent, terms)
        shown = profile(name).name if registry.external_kind(name) else name or OPPONENT_NAME
        terms = terms._replace(players=("agent", shown), computers=("", name))
        swapped = terms._replace(players=terms.players[::-1], computers=terms.computers[::-1])
        self.terms = (terms, swapped)
        """With the agent in the first seat, and in the second."""
        self._set_up(terms, max_cycles, render_mode)
        self.seating = check_seating(seat)
        self.observation_space = cast("spaces.Space[Observation]", observation_space(self.encoder))
        self.action_space = action_space(self.encoder)
        self.seat: Seat = FIRST
        self._matches = 0
        self._solution: Solution | None = None
        if registry.is_exact(name):
            self._solution = registry.solution_to_play(name, terms)
        self.opponent = opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new match; an opponent who begins has picked already.

        The same seed gives the same draws and the same opponent, except for `search` with a limit
        of time.
        """
        super().reset(seed=seed)
        self._matches = 0 if seed is not None else self._matches
        self.seat = int(agent_seats(self.seating, self._matches, self.np_random))
        self._matches += 1
        terms = self.terms[self.seat]
        match_seed = int(self.np_random.integers(SEED_LIMIT))
        self._player: Player = registry.opponent(
            self.opponent,
            terms,
            other(self.seat),
            Random(match_seed),
            bot_seconds=registry.pick_timeout_s(terms.computer(other(self.seat)), None),
            solution=self._solution,
        )
        self.episode = Episode(terms, self.encoder, self.max_cycles, match_seed)
        self._told = False
        info = self._play_opponent()
        return self.episode.observation(self.seat), info

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a pick of the agent, then the opponent's until the agent is asked again."""
        if self._told:
            raise gymnasium.error.ResetNeeded("the match is over; call reset()")
        if not self.episode.over:  # the opponent may have won before the agent was asked
            self.episode.act({self.seat: action})
        info = self._play_opponent()
        episode, self._told = self.episode, self.episode.over
        observation, reward = episode.observation(self.seat), episode.rewards()[self.seat]
        return observation, reward, episode.terminated, episode.truncated, info

    def _play_opponent(self) -> dict[str, Any]:
        """Let the opponent pick until the agent is asked; the info dictionary of the agent.

        `opponent_pick` is the last number that the opponent has revealed since, 0 for none.
        """
        match, opponent_seat, revealed = self.episode.match, other(self.seat), PASS
        while not self.episode.over and self.seat not in match.waiting():
            revealed = play_pick(self._player, match, opponent_seat)
        if self.episode.over:
            self._player.leave(match.view(opponent_seat))
        if self.render_mode == "human":
            self.render()
        return {"opponent_pick": revealed, **self.episode.info(self.seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, where MaskablePPO of sb3-contrib looks for them."""
        return self.episode.observation(self.seat)["action_mask"].astype(bool)


def agent_seats(
    seating: str, matches_played: ArrayLike, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The seats of agents, each by the number of matches it has played before."""
    if seating == "alternate":
        return np.asarray(matches_played) % 2
    if seating == "random":
        return rng.integers(2, size=np.shape(matches_played))
    return np.full(np.shape(matches_played), SEATINGS.index(seating))


def environment_id(game: AnyGame) -> str:
    """The ID of a game in Gymnasium: `evenodds/Underdog-v0`."""
    parts = re.split(r"[^0-9A-Za-z]+", game.name)
    return f"evenodds/{''.join(part.capitalize() for part in parts)}-v0"


def register_all() -> None:
    """Register every game of the catalog that is not registered yet."""
    for game in list_games():
        if environment_id(game) not in gymnasium.registry:
            gymnasium.register(
                environment_id(game),
                entry_point=f"{__name__}:{SeatEnv.__name__}",
                vector_entry_point="evenodds.adapters.vector:SeatVectorEnv",
                kwargs={"game": game.name},
            )


register_all()
