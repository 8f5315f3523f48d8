"""Policies: exact odds between two of them, best responses, exploitability, simulation.

Also batches of matches for reinforcement learning, and the range of figures over all optimal mixes.
Other packages import the names below, never the modules; each module is imported when one of its
names is first used.

May import `core`, `figures`, `graph`, `kernels`, `simplex`, `solver` and `system`; libraries:
`numpy`.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.policy.match_odds import odds, odds_on
    from evenodds.policy.optimal_mix_ranges import Figure, OptimalMixRanges
    from evenodds.policy.pick_probabilities import BLOCK_POSITIONS, PolicyShares
    from evenodds.policy.policies import BadPolicy, Policy, Uniform, check_policy, is_policy, mix_of
    from evenodds.policy.responses import Response, best_response, exploitability, respond_on
    from evenodds.policy.results import REPETITION_ENDING, Odds, UncountedRepetition
    from evenodds.policy.simulation.batch import Batch, BatchStep, ObservationLayout
    from evenodds.policy.simulation.monte_carlo import Simulation, simulate
    from evenodds.policy.softmax import SoftmaxPolicy
    from evenodds.policy.turn_play import (
        TurnGraph,
        check_countable,
        counts_repetitions,
        flow_on,
        link_shares,
        turn_graph_of,
    )
    from evenodds.policy.turn_responses import ResponseSolver
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.policy.match_odds": "odds odds_on",
            "evenodds.policy.optimal_mix_ranges": "Figure OptimalMixRanges",
            "evenodds.policy.pick_probabilities": "BLOCK_POSITIONS PolicyShares",
            "evenodds.policy.policies": "BadPolicy Policy Uniform check_policy is_policy mix_of",
            "evenodds.policy.responses": "Response best_response exploitability respond_on",
            "evenodds.policy.results": "Odds REPETITION_ENDING UncountedRepetition",
            "evenodds.policy.simulation.batch": "Batch BatchStep ObservationLayout",
            "evenodds.policy.simulation.monte_carlo": "Simulation simulate",
            "evenodds.policy.softmax": "SoftmaxPolicy",
            "evenodds.policy.turn_play": "TurnGraph check_countable counts_repetitions flow_on "
            "link_shares turn_graph_of",
            "evenodds.policy.turn_responses": "ResponseSolver",
        },
    )

__all__ = [
    "BLOCK_POSITIONS",
    "REPETITION_ENDING",
    "BadPolicy",
    "Batch",
    "BatchStep",
    "Figure",
    "ObservationLayout",
    "Odds",
    "OptimalMixRanges",
    "Policy",
    "PolicyShares",
    "Response",
    "ResponseSolver",
    "Simulation",
    "SoftmaxPolicy",
    "TurnGraph",
    "UncountedRepetition",
    "Uniform",
    "best_response",
    "check_countable",
    "check_policy",
    "counts_repetitions",
    "exploitability",
    "flow_on",
    "is_policy",
    "link_shares",
    "mix_of",
    "odds",
    "odds_on",
    "respond_on",
    "simulate",
    "turn_graph_of",
]
