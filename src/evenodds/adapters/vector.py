"""Vector environments: thousands of matches in one step by the compiled rules.

    import gymnasium
    import evenodds.envs
    environments = gymnasium.make_vec("evenodds/Underdog-v0", num_envs=4096, opponent="perfect")

`TwoSeatVectorEnv` takes the picks of both seats, for play against oneself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evenodds.adapters.episode import (
    MAX_CYCLES,
    Observation,
    action_space,
    check_count,
    check_cycles,
    observation_space,
)
from evenodds.adapters.gymnasium import DEFAULT_ENV_OPPONENT, SEED_LIMIT
from evenodds.adapters.observation import ObservationEncoder
from evenodds.adapters.seating import check_seating, seats_of_agents
from evenodds.core.catalog import GameLike
from evenodds.core.rulings import as_int
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, Terms, agree
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat
from evenodds.players import registry
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.players.player import CannotPlay
from evenodds.system.imports.extras import needs
from evenodds.system.text import shorten

with needs("environments"):
    import numpy as np
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import ArrayLike, NDArray

with needs("solver"):
    from evenodds.kernels import stream
    from evenodds.policy import Batch, BatchStep, ObservationLayout, Policy, check_policy, is_policy

Seeds = int | Sequence[int] | None
"""One seed for all matches, or one for each."""
Flags = NDArray[np.bool_]
VectorStep = tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class VectorEnvBase(VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """The common base of both vector environments: many matches of a game on the same terms.

    A match that has ended begins anew in the next step, whose action for it is ignored
    (`AutoresetMode.NEXT_STEP`).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        terms: Terms,
        max_cycles: int,
        render_mode: str | None,
        policy: Policy | None = None,
        seats: tuple[Seat, ...] = SEATS,
    ) -> None:
        if render_mode is not None:
            raise BadTerms("render_mode is for a single environment; thousands are not drawn")
        self.terms = terms
        self._begun = False
        self.num_envs = check_count("num_envs", num_envs)
        self.encoder = ObservationEncoder(terms.game, terms.rulings)
        self.single_observation_space = observation_space(self.encoder)
        self.single_action_space = action_space(self.encoder)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = Batch(
            terms.game,
            terms.rulings,
            num_envs,
            ObservationLayout(self.encoder.sets, self.encoder.highest),
            repetition=terms.repetition,
            limit=check_cycles(max_cycles),
            policy=policy,
            seats=seats,
        )

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches anew; the same seed gives the same matches.

        With a seed for each match, the opponent's random numbers in it depend on that seed alone.
        An opponent that goes first has picked already.
        """
        if options and "reset_mask" in options:
            raise BadTerms("reset_mask is not taken; a match begins anew in the step after its end")
        own = _seeds(seed, self.num_envs)
        common = int(np.random.SeedSequence(own).generate_state(1)[0]) if own else as_int(seed)
        super().reset(seed=common)
        self.batch.begin(int(self.np_random.integers(SEED_LIMIT)))
        if own is not None:
            self.batch.matches.rng_states[:] = [stream(each, 0) for each in own]
        self._begun = True
        observations, *_, infos = self.step(np.zeros(self.action_space.shape or 0, np.int64))
        return observations, infos

    def _check_begun(self) -> None:
        """`ResetNeeded` before the first reset."""
        if not self._begun:
            raise ResetNeeded("there is no match yet; call reset() before step()")


class SeatVectorEnv(VectorEnvBase):
    """One seat in each of many matches, against an opponent that is a fixed policy.

    It takes what `SeatEnv` takes, and `num_envs`. For an exact opponent a table
    of its mixes is built first, which takes a while where there are very many positions.
    """

    def __init__(
        self,
        num_envs: int,
        game: GameLike,
        *,
        opponent: PlayerLike = DEFAULT_ENV_OPPONENT,
        seat: str | Seat = FIRST,
        max_cycles: int = MAX_CYCLES,
        repetition: int = DEFAULT_REPETITION,
        render_mode: str | None = None,
        rulings: Mapping[str, object] | None = None,
    ) -> None:
        terms = agree(game, rulings or {}, repetition=repetition)
        self.seating = check_seating(seat)
        fixed = {"first": (SECOND,), "second": (FIRST,)}
        policy = _policy(opponent, terms)
        super().__init__(
            num_envs, terms, max_cycles, render_mode, policy, fixed.get(self.seating, SEATS)
        )
        self._played = np.zeros(num_envs, np.int64)
        self._seats = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches anew; after a seed the seats are given as at first."""
        if seed is not None:
            self._played[:] = 0
        return super().reset(seed=seed, options=options)

    def step(self, actions: ArrayLike) -> VectorStep:
        """Play a pick of the agent in each match, and the picks of the opponent after it.

        `opponent_pick` in the infos are the last numbers that the opponents have revealed since.
        """
        self._check_begun()
        begin = self.batch.matches.over
        if begin.any():
            self._seats = seats_of_agents(self.seating, self._played, self.np_random)
            self._played += begin
        done = self.batch.step(actions, self._seats)
        return _vector_step(done, {"opponent_pick": done.replies})


class TwoSeatVectorEnv(VectorEnvBase):
    """Both seats of many matches: actions, observations and rewards have an axis for the seats.

    A step is a round. In games of turns the seat that is not asked has the action 0.
    """

    def __init__(
        self,
        num_envs: int,
        game: GameLike,
        *,
        max_cycles: int = MAX_CYCLES,
        repetition: int = DEFAULT_REPETITION,
        render_mode: str | None = None,
        rulings: Mapping[str, object] | None = None,
    ) -> None:
        terms = agree(game, rulings or {}, repetition=repetition)
        super().__init__(num_envs, terms, max_cycles, render_mode)
        one, pick = self.single_observation_space, self.single_action_space
        self.single_observation_space = batch_space(one, len(SEATS))
        self.single_action_space = batch_space(pick, len(SEATS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def step(self, actions: ArrayLike) -> VectorStep:
        """A round of each match."""
        self._check_begun()
        return _vector_step(self.batch.step_both(actions), {})


def _vector_step(done: BatchStep, infos: dict[str, Any]) -> VectorStep:
    """A step in Gymnasium's form; `illegal` in the infos marks illegal picks."""
    observations = Observation(observation=done.rows, action_mask=done.masks)
    infos |= {"illegal": done.illegal}
    return observations, done.rewards, done.terminated, done.truncated, infos


def _policy(opponent: PlayerLike, terms: Terms) -> Policy:
    """The fixed policy of an opponent; `CannotPlay` for one that uses more than the position.

    A function is asked once about every position.
    """
    if not isinstance(opponent, str) and is_policy(opponent):
        return check_policy(terms.game, terms.rulings, opponent)
    name = registry.check_opponent(opponent)
    policy = policy_of(terms.game, name, lambda: registry.solution_of(name, terms))
    if policy is None:
        raise CannotPlay(
            f"{opponent} depends on more than the position, so it cannot play many matches in one "
            'step; use vectorization_mode="async"'
        )
    return policy


def _seeds(seed: object, matches: int) -> list[int] | None:
    """One seed for each match; None where a single seed or none is given."""
    if seed is None or as_int(seed) is not None:
        return None
    own = [as_int(each) for each in seed] if isinstance(seed, Sequence | np.ndarray) else []
    seeds = [each for each in own if each is not None and each >= 0]
    if len(seeds) != len(own) or len(own) != matches:
        allowed = f"a whole number, or a list of {matches} of them, none below 0"
        raise BadTerms(f"seed={shorten(seed)} is not allowed; allowed: {allowed}")
    return seeds
