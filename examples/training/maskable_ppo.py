"""Train MaskablePPO of sb3-contrib on Number Clash, five rounds, and measure it exactly.

    pip install sb3-contrib "evenodds[environments,solver]"
    python examples/training/maskable_ppo.py --steps 100000

The environment tells the legal numbers by `action_masks()`, where MaskablePPO looks for them.
"""

import argparse
import sys

import gymnasium
import torch
from sb3_contrib import MaskablePPO

import evenodds
import evenodds.envs
from evenodds.adapters.observation import ObservationEncoder

NUMBERS = 4


def policy_of(model: MaskablePPO, game: evenodds.RuledGame) -> evenodds.Policy:
    """The chances of a trained model as a policy: a function of a position and a seat."""
    encoder = ObservationEncoder(*game)

    def policy(state: object, seat: int) -> dict[int, float]:
        mask = encoder.mask(state, seat)
        seen = {"observation": encoder.row(state, seat), "action_mask": mask}
        rows, _ = model.policy.obs_to_tensor(seen)
        with torch.no_grad():
            chances = model.policy.get_distribution(rows, [mask]).distribution.probs[0].tolist()
        numbers = game.picks(state, seat)
        total = sum(chances[number] for number in numbers)
        return {number: chances[number] / total for number in numbers}

    return policy


def main() -> None:
    """Train against an opponent, then say the score against it and the exploitability."""
    parser = argparse.ArgumentParser(description="MaskablePPO, measured exactly.")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--opponent", default="level:4")
    chosen = parser.parse_args()
    game = evenodds.game("margin", numbers=NUMBERS)
    env = gymnasium.make(
        "evenodds/Margin-v0", opponent=chosen.opponent, rulings={"numbers": NUMBERS}
    )
    model = MaskablePPO("MultiInputPolicy", env, seed=1)
    model.learn(chosen.steps)
    policy = policy_of(model, game)
    found = evenodds.odds(game, policy, evenodds.make_policy(game, chosen.opponent))
    taken = evenodds.exploitability(game, policy)
    sys.stdout.write(f"score against {chosen.opponent}: {found.first + found.draw / 2:.3f}\n")
    sys.stdout.write(f"exploitability: {taken:.3f}\n")


if __name__ == "__main__":
    main()
