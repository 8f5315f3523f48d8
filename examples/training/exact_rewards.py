"""A linear softmax learner in the text environment, rewarded by what each pick gives away.

    python examples/training/exact_rewards.py
    python examples/training/exact_rewards.py --target 9 --numbers 4 --matches 400

It learns Clash of Numbers against random play, without a library. Both figures are exact: the mean
loss of its picks, and its exploitability, what the best opponent would take from it. Its features
are the fields of a position, each alone and all together; for a language model the text would do.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import exp, nan
from random import Random
from typing import Any

import evenodds
from evenodds.text import TextEnv


class Learner:
    """A weight for each feature and number; policy gradient moves it."""

    def __init__(self, game: evenodds.RuledGame) -> None:
        self.game = game
        self.weights: dict[Any, float] = defaultdict(float)

    def features(self, state: Any, seat: int) -> list[Any]:
        """The fields of a position as the seat sees it."""
        fields = [*zip(state._fields[1:], state[1:], strict=True)]
        return [(seat, *fields), *((seat, *field) for field in fields)]

    def mix(self, state: Any, seat: int) -> dict[int, float]:
        """The policy: a softmax over the legal numbers."""
        features, numbers = self.features(state, seat), self.game.picks(state, seat)
        shares = [exp(sum(self.weights[each, number] for each in features)) for number in numbers]
        return {number: share / sum(shares) for number, share in zip(numbers, shares, strict=True)}

    def learn(self, features: list[Any], mix: dict[int, float], number: int, gain: float) -> None:
        """Make a pick likelier that gained, in proportion."""
        for each in mix:
            for feature in features:
                self.weights[feature, each] += gain * ((each == number) - mix[each])


def train(
    target: int, numbers: int, matches: int, seed: int, rate: float = 4.0
) -> Iterator[tuple[int, float, float]]:
    """Matches so far, the mean loss of a pick since the last measurement, and exploitability."""
    game = evenodds.game("factors", target=target, numbers=numbers)
    learner, chance = Learner(game), Random(seed)
    env = TextEnv(game, opponent="random", seat="alternate")
    usual: dict[Any, float] = defaultdict(float)
    losses: list[float] = []
    for match in range(matches + 1):
        if match % (matches // 8) == 0:
            loss = sum(losses) / len(losses) if losses else nan
            yield match, loss, evenodds.exploitability(game, learner.mix)
            losses = []
        env.reset(seed=chance.getrandbits(32))
        while env.question:
            state, seat = env.match.state, env.seat
            features, mix = learner.features(state, seat), learner.mix(state, seat)
            (number,) = chance.choices([*mix], [*mix.values()])
            turn = env.answer(f"I pick what I have learned.\nPICK: {number}")
            losses.append(-turn.reward)
            learner.learn(features, mix, number, rate * (turn.reward - usual[features[0]]))
            usual[features[0]] += (turn.reward - usual[features[0]]) / 8


def main() -> None:
    """A line for every measurement, as it is made."""
    parser = argparse.ArgumentParser(description="Learn from exact rewards, measured exactly.")
    parser.add_argument("--target", type=int, default=15, help="the score that wins")
    parser.add_argument("--numbers", type=int, default=5, help="the highest number")
    parser.add_argument("--matches", type=int, default=4000, help="how many are played")
    parser.add_argument("--seed", type=int, default=1, help="what chance is drawn from")
    given = vars(parser.parse_args())
    sys.stdout.write("matches  mean loss  exploitability\n")
    for played, loss, taken in train(**given):
        sys.stdout.write(f"{played:7}  {loss:9.4f}  {taken:14.4f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
