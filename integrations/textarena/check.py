"""Play a match of each game with two agents: one takes its lowest number, one draws."""

import json
import random
import re

import evenodds_textarena  # noqa: F401 - registers the games
import textarena as ta


class Agent(ta.Agent):
    """Answers the last question it has seen."""

    def __init__(self, choose) -> None:
        super().__init__()
        self.choose = choose

    def __call__(self, observation: str) -> str:
        legal = json.loads(re.findall(r'"legal": (\[.*?\])', observation)[-1])
        return f"I take this one.\nPICK: {self.choose(legal)}"


agents = {0: Agent(min), 1: Agent(random.Random(1).choice)}
for game in ("Underdog", "Margin", "Circle", "Duel", "Factors"):
    env = ta.make(f"EvenOdds-{game}-v0")
    env.reset(num_players=2, seed=1)
    done, losses = False, {0: [], 1: []}
    while not done:
        player, observation = env.get_observation()
        text = "\n".join(said for _, said, _ in observation)
        done, info = env.step(agents[player](text))
        losses[player].append(info["loss"])
    rewards, infos = env.close()
    assert sorted(rewards.values()) in ([-1, 1], [0, 0])
    assert not any(infos[player]["invalid_move"] for player in (0, 1))
    print(game, rewards, {player: round(sum(each), 2) for player, each in losses.items()})

env = ta.make("EvenOdds-Duel-v0")
env.reset(num_players=2)
assert env.step("I pass.")[0] is False
done, _ = env.step("PICK: 99")
assert done
assert env.close()[0] == {0: -1, 1: 1}
