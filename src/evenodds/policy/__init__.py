"""Policies: exact odds between two of them, best responses, exploitability, simulation.

Also batches of matches for reinforcement learning. Other packages import the names below, never the
modules; each module is imported when one of its names is first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports import lazy_attributes

if TYPE_CHECKING:
    from evenodds.policy.match_odds import (
        check_countable,
        counts_repetitions,
        odds,
        odds_between,
        odds_on,
    )
    from evenodds.policy.policies import BadPolicy, Policy, Uniform, check_policy, is_policy, mix_of
    from evenodds.policy.policy_strategies import Equilibrium, policy_shares
    from evenodds.policy.responses import Response, best_response, exploitability, respond_on
    from evenodds.policy.results import REPETITION_ENDING, Odds, UncountedRepetition
    from evenodds.policy.simulation.batch import Batch, BatchStep, ObservationLayout
    from evenodds.policy.simulation.monte_carlo import Simulation, simulate
    from evenodds.policy.softmax import SoftmaxPolicy
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.policy.match_odds": "check_countable counts_repetitions odds odds_between "
            "odds_on",
            "evenodds.policy.policies": "BadPolicy Policy Uniform check_policy is_policy mix_of",
            "evenodds.policy.policy_strategies": "Equilibrium policy_shares",
            "evenodds.policy.responses": "Response best_response exploitability respond_on",
            "evenodds.policy.results": "REPETITION_ENDING Odds UncountedRepetition",
            "evenodds.policy.simulation.batch": "Batch BatchStep ObservationLayout",
            "evenodds.policy.simulation.monte_carlo": "Simulation simulate",
            "evenodds.policy.softmax": "SoftmaxPolicy",
        },
    )
