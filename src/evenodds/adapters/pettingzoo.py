"""The games as PettingZoo environments: `env` for all, `parallel_env` where both pick at once.

    from evenodds.adapters import pettingzoo
    environment = pettingzoo.env("underdog", rulings={"numbers": 6})

`player_0` is the first seat, `player_1` the second.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from evenodds.adapters.episode import (
    MAX_CYCLES,
    Episode,
    EpisodeEnv,
    Observation,
    action_space,
    observation_space,
)
from evenodds.core.catalog import GameLike
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, agree
from evenodds.figures import join_words
from evenodds.system.imports import needs

with needs("environments"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

AGENTS: Final = ("player_0", "player_1")
SEED_BITS: Final = 62
Infos = dict[str, dict[str, Any]]
Told = tuple[dict[str, bool], dict[str, bool], Infos]
"""Terminations, truncations and infos by agent."""


class PettingZooBase(EpisodeEnv):
    """The common base of both kinds of environment: terms, spaces, and the episode."""

    agents: list[str]

    def __init__(
        self,
        game: GameLike,
        *,
        max_cycles: int = MAX_CYCLES,
        repetition: int = DEFAULT_REPETITION,
        render_mode: str | None = None,
        rulings: Mapping[str, object] | None = None,
    ) -> None:
        self.terms = agree(game, rulings, players=AGENTS, repetition=repetition)
        self._set_up(self.terms, max_cycles, render_mode)
        name = f"evenodds_{self.terms.game.name}_v0"
        parallel = self.terms.game.simultaneous
        self.metadata = self.metadata | {"name": name, "is_parallelizable": parallel}
        self.possible_agents = list(AGENTS)
        self.agents = []
        self._rng = Random()
        self._observations = {agent: observation_space(self.encoder) for agent in AGENTS}
        self._actions = {agent: action_space(self.encoder) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees: `observation`, a row of numbers, and `action_mask`."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Action n picks the number n; 0 is PASS, for an agent with nothing to decide."""
        return self._actions[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now: never a pick of a round that is not complete."""
        return self.episode.observation(AGENTS.index(agent))

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def __getattr__(self, name: str) -> Any:
        """The error for a missing attribute; it names reset() before the first match."""
        when = "" if "episode" in vars(self) else " before reset()"
        raise AttributeError(f"there is no {name}{when}")

    def _begin(self, seed: int | None) -> Told:
        """Begin a match; what is drawn in it and in the next ones follows from a seed."""
        self.agents = list(AGENTS)
        if seed is not None:
            self._rng = Random(seed)
        seed = self._rng.getrandbits(SEED_BITS)
        self.episode = Episode(self.terms, self.encoder, self.max_cycles, seed)
        if self.render_mode == "human":
            self.render()
        return self._told()

    def _rewards(self) -> dict[str, float]:
        """What each agent has earned since the step before."""
        return dict(zip(AGENTS, self.episode.rewards(), strict=True))

    def _told(self) -> Told:
        episode = self.episode
        return (
            dict.fromkeys(AGENTS, episode.terminated),
            dict.fromkeys(AGENTS, episode.truncated),
            {agent: episode.info(seat) for seat, agent in enumerate(AGENTS)},
        )


class SequentialMatch(PettingZooBase, AECEnv):  # type: ignore[misc]
    """One agent after the other. In simultaneous rounds the second agent does not see the pick."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match; in every round the first seat is asked first."""
        self.terminations, self.truncations, self.infos = self._begin(seed)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.agent_selection = AGENTS[self.episode.match.waiting()[0]]

    def step(self, action: int | None) -> None:
        """The action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = self.episode.match
        round = match.round
        self._cumulative_rewards[agent] = 0.0
        self.episode.act({AGENTS.index(agent): action})
        over = self.episode.over
        self.terminations, self.truncations, self.infos = self._told()
        self.rewards = self._rewards()
        self._accumulate_rewards()
        if over:
            self._deads_step_first()
        else:
            self.agent_selection = AGENTS[match.waiting()[0]]
        if self.render_mode == "human" and (over or match.round > round):
            self.render()


class ParallelMatch(PettingZooBase, ParallelEnv):  # type: ignore[misc]
    """Both agents pick at once, round by round."""

    def __init__(self, game: GameLike, **options: Any) -> None:
        super().__init__(game, **options)
        if not self.terms.game.simultaneous:
            name = self.terms.game.name
            raise BadTerms(f'{name} is played in turns and has no parallel form; use env("{name}")')

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """A new match."""
        *_, infos = self._begin(seed)
        return {agent: self.observe(agent) for agent in AGENTS}, infos

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """A round: what both pick is revealed at once."""
        episode = self.episode
        if not self.agents:
            return {}, {}, {}, {}, {}
        given = actions if isinstance(actions, Mapping) else {}
        missing = [agent for agent in AGENTS if agent not in given]
        if missing:
            of, who = join_words(list(AGENTS), "and"), join_words(missing, "or")
            raise ValueError(f"a round takes an action of {of} by name; there is none of {who}")
        episode.act({seat: given[agent] for seat, agent in enumerate(AGENTS)})
        if self.render_mode == "human":
            self.render()
        if episode.over:
            self.agents = []
        observations = {agent: self.observe(agent) for agent in AGENTS}
        return observations, self._rewards(), *self._told()


env = SequentialMatch
parallel_env = ParallelMatch
"""Under the names by which PettingZoo's own games are made."""
