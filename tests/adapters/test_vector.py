"""Many matches in one step: the same as one by one, only faster."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

import evenodds
from evenodds import PASS
from evenodds.core.terms import agree
from evenodds.engine.batch import Batch
from tests.adapters.test_pettingzoo import RULINGS
from tests.support.environments import (
    MAX_CYCLES,
    Episode,
    ObservationEncoder,
    SeatVectorEnv,
    TwoSeatVectorEnv,
)
from tests.support.examples import LOOPING_GAME, SIMULTANEOUS_GAME, TURN_GAME
from tests.support.play import SEATS

SIZE = 8
STEPS = 40
SOME = (SIMULTANEOUS_GAME, TURN_GAME, LOOPING_GAME)
"""Each game takes seconds to be compiled."""

pytestmark = pytest.mark.xdist_group("compiled steps")  # kernels that no other test uses


class Beside:
    """The matches of a vector environment, played once more one by one."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.limit = options.get("max_cycles", MAX_CYCLES)
        self.terms = agree(
            game, options.get("rulings", {}), repetition=options.get("repetition", 3)
        )
        self.encoder = ObservationEncoder(self.terms.game, self.terms.rulings)
        self.episodes = [self.new() for _ in range(SIZE)]

    def new(self) -> Episode:
        return Episode(self.terms, self.encoder, self.limit)

    def agrees(self, place: int, seat: int, told: Any, where: Any) -> None:
        observations, rewards, terminated, truncated, infos = told
        episode = self.episodes[place]
        seen = {key: value[where] for key, value in observations.items()}
        assert data_equivalence(seen, episode.observation(seat))
        assert rewards[where] == episode.total(seat)
        assert terminated[place] == episode.terminated
        assert truncated[place] == episode.truncated
        assert infos["illegal"][place] == bool(episode.illegal)


def some_picks(masks: Any, chance: np.random.Generator) -> Any:
    """Open numbers by chance, and once in a while any number at all."""
    open_ones = (chance.random(masks.shape) * masks).argmax(axis=-1)
    any_ones = chance.integers(-2, masks.shape[-1] + 70, open_ones.shape)
    return np.where(chance.random(open_ones.shape) < 0.02, any_ones, open_ones)


@pytest.mark.parametrize(("game", "options"), [each for each in RULINGS if each[0] in SOME])
def test_both_seats_tell_what_single_matches_tell(game: str, options: dict[str, Any]) -> None:
    envs, beside = TwoSeatVectorEnv(SIZE, game, **options), Beside(game, options)
    chance = np.random.default_rng(5)
    observations, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    ended = set()
    for _ in range(STEPS):
        actions = some_picks(observations["action_mask"], chance)
        told = envs.step(actions)
        observations = told[0]
        for place, episode in enumerate(beside.episodes):
            if episode.over:
                beside.episodes[place] = beside.new()
            else:
                episode.act(dict(enumerate(actions[place].tolist())))
            for seat in SEATS:
                beside.agrees(place, seat, told, (place, seat))
            ended |= {key for key in ("terminated", "truncated") if getattr(episode, key)}
    assert "terminated" in ended
    assert ("truncated" in ended) == ("max_cycles" in options)


@pytest.mark.parametrize(("game", "options"), [each for each in RULINGS if each[0] in SOME])
def test_one_seat_tells_what_single_matches_tell(game: str, options: dict[str, Any]) -> None:
    envs, beside = SeatVectorEnv(SIZE, game, seat="alternate", **options), Beside(game, options)
    chance = np.random.default_rng(6)
    observations, infos = envs.reset(seed=1)
    counts = [0] * SIZE
    answered(beside, counts, infos["opponent_pick"])
    for _ in range(STEPS):
        actions = some_picks(observations["action_mask"], chance)
        told = envs.step(actions)
        observations, infos = told[0], told[-1]
        for place, episode in enumerate(beside.episodes):
            if episode.over:
                beside.episodes[place] = beside.new()
                counts[place] += 1
            else:
                episode.act({counts[place] % 2: int(actions[place])})
        answered(beside, counts, infos["opponent_pick"])
        for place in range(SIZE):
            beside.agrees(place, counts[place] % 2, told, place)
    assert max(counts) > 1


def answered(beside: Beside, counts: list[int], replies: Any) -> None:
    """Play the opponents' picks where they are asked for; nobody else has any."""
    for place, episode in enumerate(beside.episodes):
        theirs = 1 - counts[place] % 2
        asked = not episode.over and episode.match.waiting() == (theirs,)
        assert asked == (replies[place] != PASS)
        if asked:
            episode.act({theirs: int(replies[place])})
            assert not episode.illegal


@pytest.mark.parametrize(
    ("game", "rulings", "opponent", "seat"),
    [
        (SIMULTANEOUS_GAME, {"numbers": 4}, "perfect", "second"),
        (SIMULTANEOUS_GAME, {"numbers": 4}, "level:2", "first"),
        (SIMULTANEOUS_GAME, {"numbers": 4}, "high", "second"),
        (LOOPING_GAME, {"target": 9, "numbers": 4}, "level:1", "first"),
    ],
)
def test_opponents_score_against_chance_what_they_exactly_should(
    game: str, rulings: dict[str, Any], opponent: str, seat: str
) -> None:
    envs = SeatVectorEnv(1000, game, opponent=opponent, seat=seat, rulings=rulings)
    score, squares, matches = played_by_chance(envs, 120)
    ruled = evenodds.game(game, rulings)
    policy, uniform = evenodds.make_policy(ruled, opponent), evenodds.Uniform(game)
    first, second = (uniform, policy) if seat == "first" else (policy, uniform)
    odds = evenodds.odds(ruled, first, second, repetition=3)
    exact = (odds.first - odds.second) * (1 if seat == "first" else -1)
    error = (squares / matches - (score / matches) ** 2) ** 0.5 / matches**0.5
    assert abs(score / matches - exact) < 4 * error + 1e-9
    assert abs(exact) > 4 * error, "chance would not show who plays"


def played_by_chance(envs: Any, steps: int) -> tuple[float, float, int]:
    chance = np.random.default_rng(7)
    observations, _ = envs.reset(seed=3)
    score = squares = 0.0
    matches = 0
    for _ in range(steps):
        masks = observations["action_mask"]
        observations, rewards, terminated, truncated, infos = envs.step(
            (chance.random(masks.shape) * masks).argmax(axis=1)
        )
        assert not infos["illegal"].any()
        assert not truncated.any()
        score, squares = score + rewards.sum(), squares + (rewards**2).sum()
        matches += int(terminated.sum())
    return float(score), float(squares), matches


@pytest.mark.parametrize(
    ("game", "given", "policy"),
    [
        *((game, {}, None) for game in SOME),
        ("margin", {"numbers": 3}, lambda ruled: evenodds.solve(ruled).mix),
    ],
)
def test_loops_do_the_same_compiled_and_as_they_stand(game: str, given: Any, policy: Any) -> None:
    ruled = evenodds.game(game, given)
    encoder = ObservationEncoder(*ruled)
    opponent = policy(ruled) if policy else None
    terms: Any = {"repetition": 3, "limit": 30, "policy": opponent}
    outlook = encoder.sets, encoder.highest
    batches = [Batch(*ruled, 8, *outlook, compiled=compiled, **terms) for compiled in (True, False)]
    chance = np.random.default_rng(9)
    for batch in batches:
        batch.begin(4)
    for shape in ((8,), (8, 2)):
        for _ in range(25):
            actions = chance.integers(0, encoder.highest + 1, shape)
            told = [batch.step(actions, [0, 1] * 4 if shape == (8,) else None) for batch in batches]
            assert data_equivalence(told[0]._asdict(), told[1]._asdict())


def test_gymnasium_makes_them() -> None:
    envs = gymnasium.make_vec(
        "evenodds/Margin-v0", num_envs=5, vectorization_mode="vector_entry_point", seat="random"
    )
    assert isinstance(envs, SeatVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    sampled = envs.action_space.sample()
    assert envs.step(sampled)[1].shape == (5,)
    envs.close()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_they_tell_what_a_vector_of_single_environments_tells(mode: AutoresetMode) -> None:
    name, both = "evenodds/Margin-v0", []
    given: Any = {
        "vector_kwargs": {"autoreset_mode": mode},
        "opponent": "high",
        "seat": "alternate",
    }
    envs = gymnasium.make_vec(name, 4, "sync", **given)
    ours = SeatVectorEnv(4, "margin", opponent="high", seat="alternate", autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    chance = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    assert data_equivalence(observations, ours.reset(seed=1)[0])
    for _ in range(40):
        actions = some_picks(observations["action_mask"], chance)
        actions = np.clip(actions, 0, 5)
        told, own = envs.step(actions), ours.step(actions)
        observations = told[0]
        assert data_equivalence(dict(told[0]), own[0])
        for theirs, mine in zip(told[1:4], own[1:4], strict=True):
            assert np.array_equal(theirs, mine)
        assert np.array_equal(told[-1]["opponent_pick"], own[-1]["opponent_pick"])
        ended = np.flatnonzero(told[2])
        for place in ended if mode is AutoresetMode.SAME_STEP else ():
            assert data_equivalence(told[-1]["final_obs"][place], own[-1]["final_obs"][place])
            last = [infos["final_info"]["opponent_pick"][place] for infos in (told[-1], own[-1])]
            assert last[0] == last[1]
        assert ("final_obs" in own[-1]) == (mode is AutoresetMode.SAME_STEP and bool(ended.size))
        both.append(bool(ended.size))
    assert any(both)
    envs.close()


@pytest.mark.parametrize("game", SOME)
def test_they_are_pickled_in_the_middle_of_matches(game: str) -> None:
    for envs in (
        SeatVectorEnv(5, game, opponent="high", seat="random"),
        TwoSeatVectorEnv(5, game, autoreset_mode=AutoresetMode.SAME_STEP),
    ):
        told: list[Any] = [envs.reset(seed=1)]
        chance = np.random.default_rng(2)
        told.append(envs.step(some_picks(told[-1][0]["action_mask"], chance)))
        copy = pickle.loads(pickle.dumps(envs))
        for _ in range(STEPS // 2):
            actions = some_picks(told[-1][0]["action_mask"], chance)
            told.append(envs.step(actions))
            assert data_equivalence(list(told[-1]), list(copy.step(actions)))


def test_seeds_repeat_matches_and_differ_from_each_other() -> None:
    def told(seed: Any) -> Any:
        envs = SeatVectorEnv(50, "margin", seat="random")
        found: list[Any] = [envs.reset(seed=seed)]
        for _ in range(20):
            found.append(envs.step(found[-1][0]["action_mask"].argmax(axis=1)))
        return found

    eight = told(8)
    assert data_equivalence(eight, told(np.int64(8)))
    assert not data_equivalence(eight, told(9))


def test_a_seed_of_its_own_repeats_a_match_among_others() -> None:
    def replies(seeds: Any) -> Any:
        envs = gymnasium.make_vec("evenodds/Margin-v0", num_envs=len(seeds))
        observations, _ = envs.reset(seed=seeds)
        picks = []
        for _ in range(30):
            observations, *_, infos = envs.step(observations["action_mask"].argmax(axis=1))
            picks.append(infos["opponent_pick"])
        return np.transpose(picks).tolist()

    first, second, third = replies([1, 2, 3])
    assert first != second != third
    assert replies([3, 9, 1]) == [third, replies([9])[0], first]
    assert replies(np.array([1, 1])) == [first, first]


def test_seats_follow_from_the_list_of_seeds() -> None:
    for seating in ("random", "alternate"):
        envs = SeatVectorEnv(40, "circle", seat=seating)
        told = [envs.reset(seed=list(range(start, start + 40))) for start in (5, 6, 5)]
        assert data_equivalence(told[0], told[2])
        assert data_equivalence(told[0], told[1]) == (seating == "alternate")


@pytest.mark.parametrize(
    "seed", [[1, 2], [], [1, 2, "3"], [1, 2, None], [1, 2, -3], "123", 1.5], ids=str
)
def test_seeds_that_cannot_be_are_refused_in_one_line(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"^seed=.* is not allowed; allowed: a whole number"):
        SeatVectorEnv(3, "duel").reset(seed=seed)


@pytest.mark.parametrize(("kind", "many"), [(SeatVectorEnv, "3"), (TwoSeatVectorEnv, "3 x 2")])
def test_what_is_asked_of_all_matches_at_once(kind: Any, many: str) -> None:
    envs = kind(3, "margin")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        envs.step(np.ones(envs.action_space.shape, int))
    with pytest.raises(ValueError, match=r"^reset_mask is not taken; a match begins anew"):
        envs.reset(options={"reset_mask": np.array([True, False, True])})
    envs.reset(options={})
    for actions in ([1, 2], [1.0, 2.0, 3.0], [[1, 1, 1]]):
        with pytest.raises(ValueError, match=f"a step takes {many} whole numbers"):
            envs.step(np.array(actions))


def test_counting_positions_takes_no_more_memory_than_there_is() -> None:
    """In games with loops every position of a match is kept, so a match cannot be endless."""
    with pytest.raises(ValueError, match="take a lower max_cycles, or repetition=0"):
        SeatVectorEnv(1000, "factors", max_cycles=10**12)
    SeatVectorEnv(1000, "factors", max_cycles=10**12, repetition=0)
