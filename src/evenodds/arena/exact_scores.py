"""Exact scores between known policies, computed over all positions instead of played."""

from collections.abc import Mapping

from evenodds.arena.schedule import Plan
from evenodds.core.rule_checks import BadGame
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.graph import Listing, TooLarge
from evenodds.players.policy_scores import PolicyScores
from evenodds.policy import Policy, counts_repetitions
from evenodds.system.progress import Progress, silent

SCORING_STAGE = "weighing pairs"
ExactScores = dict[tuple[int, int], float]
"""The score of the first of two players against the second, on average over both seats."""


def exact_scores_of(
    plan: Plan, known: Mapping[int, Policy], progress: Progress = silent
) -> ExactScores:
    """The exact scores of every pair of players that are known policies, by their places."""
    pairs = [(one, two) for one, two in plan.pairs if one in known and two in known]
    if not pairs:
        return {}
    try:
        graph = Listing(plan.game, plan.rulings, progress).graph
    except (BadGame, TooLarge):
        return {}
    if not counts_repetitions(graph):  # not without the history of a match
        return {}
    scorer = PolicyScores(graph, DEFAULT_REPETITION)
    found: ExactScores = {}
    for done, (one, two) in enumerate(pairs):
        progress(SCORING_STAGE, done, len(pairs))
        found[one, two] = scorer.meet(known[one], known[two]).score
    return found
