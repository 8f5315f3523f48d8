"""Vector environments: thousands of matches in one step by the compiled rules.

    import gymnasium
    import evenodds.envs
    environments = gymnasium.make_vec("evenodds/Underdog-v0", num_envs=4096, opponent="perfect")

`TwoSeatVectorEnv` takes the picks of both seats, for play against oneself.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evenodds.adapters.episode import (
    MAX_CYCLES,
    Observation,
    action_space,
    check_count,
    observation_space,
)
from evenodds.adapters.gymnasium import DEFAULT_ENV_OPPONENT, SEED_LIMIT, agent_seats
from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.catalog import GameLike
from evenodds.core.rulings import as_int
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, Terms, agree, check_seating
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat
from evenodds.players import registry
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.players.player import CannotPlay
from evenodds.system.imports import needs
from evenodds.system.text import shorten

with needs("environments"):
    import numpy as np
    from gymnasium import Space
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import ArrayLike, NDArray

with needs("solver"):
    from evenodds.engine.batch import Batch, BatchStep
    from evenodds.engine.policies import Policy, check_policy, is_policy
    from evenodds.engine.random_streams import stream

AUTORESET_MODES: Final = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
Seeds = int | Sequence[int] | None
"""One seed for all matches, or one for each."""
Flags = NDArray[np.bool_]
VectorStep = tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class VectorEnvBase(VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """The common base of both vector environments: many matches of a game on the same terms.

    A match that has ended begins anew in the next step, whose action for it is ignored
    (`AutoresetMode.NEXT_STEP`), or at once, and `final_obs` and `final_info` tell of its end
    (`AutoresetMode.SAME_STEP`).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    both_seats = False

    def __init__(
        self,
        num_envs: int,
        game: GameLike,
        *,
        max_cycles: int = MAX_CYCLES,
        repetition: int = DEFAULT_REPETITION,
        render_mode: str | None = None,
        rulings: Mapping[str, object] | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if autoreset_mode not in AUTORESET_MODES:
            allowed = ", ".join(map(str, AUTORESET_MODES))
            raise BadTerms(
                f"autoreset_mode={shorten(autoreset_mode)} is not allowed; allowed: {allowed}"
            )
        self.metadata = self.metadata | {"autoreset_mode": autoreset_mode}
        if render_mode is not None:
            raise BadTerms("render_mode is for a single environment; thousands are not drawn")
        self.terms = terms = agree(game, rulings, repetition=repetition)
        self.num_envs = check_count("num_envs", num_envs)
        self.encoder = ObservationEncoder(terms.game, terms.rulings)
        seen: Space[Any] = observation_space(self.encoder)
        picks: Space[Any] = action_space(self.encoder)
        if self.both_seats:
            seen, picks = batch_space(seen, len(SEATS)), batch_space(picks, len(SEATS))
        self.single_observation_space, self.single_action_space = seen, picks
        self.observation_space = batch_space(seen, num_envs)
        self.action_space = batch_space(picks, num_envs)
        self._begun = False
        self.max_cycles = check_count("max_cycles", max_cycles)
        self.batch = self._new_batch()

    def _new_batch(self) -> Batch:
        return Batch(
            self.terms.game,
            self.terms.rulings,
            self.num_envs,
            self.encoder.sets,
            self.encoder.highest,
            repetition=self.terms.repetition,
            limit=self.max_cycles,
            **self._opponent(),
        )

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"batch": self.batch.matches}  # all but what is compiled

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.batch = self._new_batch()
        self.batch.matches = state["batch"]

    def _opponent(self) -> dict[str, Any]:
        """The policy that plays a seat, and the seats it may have."""
        return {}

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

    def step(self, actions: ArrayLike) -> VectorStep:
        """Play a pick of the agent in each match and the opponent's after it, or a whole round.

        `opponent_pick` in the infos are the last numbers that the opponents have revealed since;
        `illegal` marks illegal picks.
        """
        if not self._begun:
            raise ResetNeeded("there is no match yet; call reset() before step()")
        done, over = self._step(actions), self.batch.matches.over.copy()
        observations, infos = self._told(done)
        if over.any() and self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            final, begun = np.full(self.num_envs, None, object), self._step(actions, only_over=True)
            for place in np.flatnonzero(over):
                final[place] = {"observation": done.rows[place], "action_mask": done.masks[place]}
            anew = {
                key: _merged(over, getattr(begun, key), getattr(done, key))
                for key in ("rows", "masks", "illegal", "replies")
            }
            ends = {"final_obs": final, "_final_obs": over, "final_info": infos}
            observations, infos = self._told(done._replace(**anew))
            infos |= ends | {"_final_info": over}
        return observations, done.rewards, done.terminated, done.truncated, infos

    def _told(self, done: BatchStep) -> tuple[Observation, dict[str, Any]]:
        infos: dict[str, Any] = {} if done.replies is None else {"opponent_pick": done.replies}
        observations = Observation(observation=done.rows, action_mask=done.masks)
        return observations, infos | {"illegal": done.illegal}

    def _step(self, actions: ArrayLike, only_over: bool = False) -> BatchStep:
        return self.batch.step(actions, only_over=only_over)


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
        **options: Any,
    ) -> None:
        self.opponent, self.seating = opponent, check_seating(seat)
        super().__init__(num_envs, game, **options)
        self._played = np.zeros(num_envs, np.int64)
        self._seats = np.zeros(num_envs, np.int64)

    def _opponent(self) -> dict[str, Any]:
        fixed = {"first": (SECOND,), "second": (FIRST,)}
        policy = _policy(self.opponent, self.terms)
        return {"policy": policy, "seats": fixed.get(self.seating, SEATS)}

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches anew; after a seed the seats are given as at first."""
        if seed is not None:
            self._played[:] = 0
        return super().reset(seed=seed, options=options)

    def _step(self, actions: ArrayLike, only_over: bool = False) -> BatchStep:
        begin = self.batch.matches.over
        if begin.any():
            self._seats = agent_seats(self.seating, self._played, self.np_random)
            self._played += begin
        return self.batch.step(actions, self._seats, only_over=only_over)


class TwoSeatVectorEnv(VectorEnvBase):
    """Both seats of many matches: actions, observations and rewards have an axis for the seats.

    A step is a round. In games of turns the seat that is not asked has the action 0.
    """

    both_seats = True


def _policy(opponent: PlayerLike, terms: Terms) -> Policy:
    """The fixed policy of an opponent; `CannotPlay` for one that uses more than the position.

    A function is asked once about every position.
    """
    if not isinstance(opponent, str) and is_policy(opponent):
        return check_policy(terms.game, terms.rulings, opponent)
    name = registry.check_opponent(opponent, allow_external=True)
    policy = policy_of(terms.game, name, lambda: registry.solution_to_play(name, terms))
    if policy is None:
        raise CannotPlay(
            f"{opponent} depends on more than the position, so it cannot play many matches in one "
            'step; use vectorization_mode="async"'
        )
    return policy


def _merged(where: Flags, new: Any, old: Any) -> Any:
    """The new rows in some places, the old ones elsewhere; None where there are none."""
    return old if old is None else np.where(where.reshape(-1, *[1] * (old.ndim - 1)), new, old)


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
