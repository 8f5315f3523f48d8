"""Learn Number Clash, five rounds, from self-play with OpenSpiel, and measure it exactly.

    python examples/training/selfplay.py external
    python examples/training/selfplay.py outcome --numbers 4 --doublings 12

OpenSpiel's Monte Carlo CFR plays against itself: `external` sampling follows all picks of one seat
against sampled ones of the other, `outcome` sampling follows a single match at a time. Whenever the
iterations have doubled, Even Odds says what a perfect opponent would take from what was learned.
"""

import argparse
import sys
import time
from collections.abc import Iterator

import pyspiel

import evenodds
from evenodds.adapters.openspiel import from_openspiel

SOLVERS = {
    "external": pyspiel.ExternalSamplingMCCFRSolver,
    "outcome": pyspiel.OutcomeSamplingMCCFRSolver,
}
DOUBLINGS = {"external": 14, "outcome": 20}


def learn(
    sampling: str, numbers: int, doublings: int, seed: int
) -> Iterator[tuple[int, float, float]]:
    """Iterations so far, seconds of the processor, and what can be taken from the average policy.

    The information state is the position (`recall=False`), so what is learned on one way to it
    holds for all. As a cached tree the game runs at the speed of C++ where it has been before.
    """
    rulings = {"numbers": numbers, "recall": False}
    game = pyspiel.load_game_as_turn_based("evenodds_margin", rulings)
    solver = SOLVERS[sampling](pyspiel.convert_to_cached_tree(game), seed=seed)
    done, seconds = 0, 0.0
    for target in (2**power for power in range(doublings + 1)):
        begun = time.process_time()
        while done < target:
            solver.run_iteration()
            done += 1
        seconds += time.process_time() - begun
        learned = from_openspiel(game, solver.average_policy())
        yield (
            done,
            seconds,
            evenodds.exploitability(evenodds.game("margin", numbers=numbers), learned),
        )


def main() -> None:
    """A line for every measurement, as it is made."""
    parser = argparse.ArgumentParser(description="Self-play with OpenSpiel, measured exactly.")
    parser.add_argument("sampling", choices=SOLVERS)
    parser.add_argument("--numbers", type=int, default=5, help="the size of each hand")
    parser.add_argument("--doublings", type=int, help="how often the iterations double")
    parser.add_argument("--seed", type=int, default=1, help="what chance is drawn from")
    chosen = parser.parse_args()
    doublings = chosen.doublings or DOUBLINGS[chosen.sampling]
    sys.stdout.write("iterations  seconds  exploitability\n")
    for done, seconds, taken in learn(chosen.sampling, chosen.numbers, doublings, chosen.seed):
        sys.stdout.write(f"{done:10}  {seconds:7.2f}  {taken:14.4f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
