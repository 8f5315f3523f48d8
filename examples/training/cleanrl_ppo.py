"""PPO in one file, as CleanRL writes it, on vector environments; measured exactly.

    pip install torch "evenodds[environments,solver]"
    python examples/training/cleanrl_ppo.py --updates 100

The network of CleanRL's `ppo.py` with two changes: illegal numbers are masked, and the step in
which a match begins anew, whose action counts for nothing, is left out of the loss.
"""

import argparse
import sys

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import evenodds
import evenodds.envs
from evenodds.adapters.observation import ObservationEncoder

NUMBERS, MATCHES, STEPS, EPOCHS = 4, 512, 15, 4
DISCOUNT, LAMBDA, CLIP, ENTROPY = 1.0, 0.95, 0.2, 0.01


class Agent(nn.Module):
    """An actor and a critic."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, actions))
        self.critic = nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 1))

    def picks(self, rows: torch.Tensor, masks: torch.Tensor) -> Categorical:
        """The chances of all legal numbers."""
        return Categorical(logits=self.actor(rows).masked_fill(masks == 0, -1e9))


def tensors(seen: dict) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations and masks."""
    return torch.tensor(seen["observation"], dtype=torch.float32), torch.tensor(seen["action_mask"])


def train(agent: Agent, envs: gymnasium.vector.VectorEnv, updates: int) -> None:
    """Collect steps of many matches, and learn from them by the clipped objective."""
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
    seen, _ = envs.reset(seed=1)
    over = np.zeros(MATCHES, bool)
    for _ in range(updates):
        log = []
        for _ in range(STEPS):
            rows, masks = tensors(seen)
            with torch.no_grad():
                chances, values = agent.picks(rows, masks), agent.critic(rows)[:, 0]
                actions = chances.sample()
                logs = chances.log_prob(actions)
            begins = torch.tensor(over)  # the match begins anew: this action counts for nothing
            seen, rewards, ended, cut, _ = envs.step(actions.numpy())
            over = ended | cut
            done = torch.tensor(over, dtype=torch.float32)
            gained = torch.tensor(rewards, dtype=torch.float32)
            log.append((rows, masks, actions, logs, values, gained, done, begins))
        rows, masks, actions, logs, values, gained, done, begins = map(
            torch.stack, zip(*log, strict=True)
        )
        with torch.no_grad():
            following = torch.cat([values[1:], agent.critic(tensors(seen)[0])[None, :, 0]])
            gains, gain = torch.zeros_like(gained), torch.zeros(MATCHES)
            for step in reversed(range(STEPS)):
                open_after = 1 - done[step]
                delta = gained[step] + DISCOUNT * following[step] * open_after - values[step]
                gain = delta + DISCOUNT * LAMBDA * open_after * gain
                gains[step] = gain
        counts = ~begins.flatten()
        flat = [part.flatten(0, 1)[counts] for part in (rows, masks, actions, logs, gains, values)]
        rows, masks, actions, logs, gains, values = flat
        returns, gains = gains + values, (gains - gains.mean()) / (gains.std() + 1e-8)
        for _ in range(EPOCHS):
            chances = agent.picks(rows, masks)
            ratio = (chances.log_prob(actions) - logs).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            loss = -torch.min(ratio * gains, clipped * gains).mean()
            loss = loss + 0.5 * (agent.critic(rows)[:, 0] - returns).square().mean()
            loss = loss - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def policy_of(agent: Agent, game: evenodds.RuledGame) -> evenodds.Policy:
    """The chances of an agent as a policy: a function of a position and a seat."""
    encoder = ObservationEncoder(*game)

    def policy(state: object, seat: int) -> dict[int, float]:
        row, mask = encoder.row(state, seat), encoder.mask(state, seat)
        with torch.no_grad():
            chances = agent.picks(torch.tensor([row]).float(), torch.tensor([mask])).probs[0]
        numbers = list(game.picks(state, seat))
        shares = chances[numbers].double()  # in single precision they would not add up to 1
        shares /= shares.sum()
        return dict(zip(numbers, shares.tolist(), strict=True))

    return policy


def main() -> None:
    """Train against an opponent, then say the score against it and the exploitability."""
    parser = argparse.ArgumentParser(description="PPO, measured exactly.")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--opponent", default="level:4")
    chosen = parser.parse_args()
    torch.manual_seed(1)
    game = evenodds.game("margin", numbers=NUMBERS)
    encoder = ObservationEncoder(*game)
    agent = Agent(encoder.size, encoder.highest + 1)
    rulings = {"numbers": NUMBERS}
    envs = gymnasium.make_vec(
        "evenodds/Margin-v0", MATCHES, opponent=chosen.opponent, rulings=rulings
    )
    train(agent, envs, chosen.updates)
    policy = policy_of(agent, game)
    found = evenodds.odds(game, policy, evenodds.make_policy(game, chosen.opponent))
    taken = evenodds.exploitability(game, policy)
    sys.stdout.write(f"score against {chosen.opponent}: {found.first + found.draw / 2:.3f}\n")
    sys.stdout.write(f"exploitability: {taken:.3f}\n")


if __name__ == "__main__":
    main()
