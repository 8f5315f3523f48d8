"""Bouts: the players of a plan, and two matches of a pair with the seats exchanged.

Bouts are played as worker tasks.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from random import Random
from time import perf_counter
from types import MappingProxyType
from typing import Final, NamedTuple

from evenodds.arena.schedule import Plan, plan_of
from evenodds.coach.pick_values import RepetitionPicks, evaluate_picks, repetition_picks
from evenodds.core.match import Match
from evenodds.core.notation import write
from evenodds.core.rule_checks import BadGame, TooLarge
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat, State
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.engine.policies import mix_of
from evenodds.engine.solution import Solution
from evenodds.engine.solution_files import table_path
from evenodds.players.levels import MixPlayer, PlayerLike, policy_of
from evenodds.players.llm.budget import Budget
from evenodds.players.player import CannotPlay, Forfeit, IllegalAnswerCounts, Player, Unavailable
from evenodds.players.registry import cannot_play, is_exact, opponent, pick_timeout_s
from evenodds.study.named_odds import OddsTable
from evenodds.system import Progress, silent
from evenodds.workers.task import DIFFERENT_RULES_REASON, Task, TaskResult


class PlayedMatch(NamedTuple):
    """One match of an arena; pairs are of the first seat and the second."""

    players: tuple[int, int]
    """Indices in the list of the plan."""
    outcome: int
    """1 for a win of the first seat, -1 of the second, 0 for a draw."""
    reason: str
    why: str
    """Why a player forfeited."""
    picks: tuple[int, int]
    given: tuple[float, float] | None
    """Expected score that the picks lost in all against exact play; None if unknown."""
    seconds: tuple[float, float]
    """Time spent on picks."""
    text: str
    """The match in notation."""
    talk: list[str]
    """Dialogue of language models, a line of JSON each."""
    faults: tuple[IllegalAnswerCounts, IllegalAnswerCounts]
    """Illegal answers of language models."""

    def score(self, seat: Seat) -> float:
        """A win 1, a draw 1/2, a loss 0."""
        return (1 + (self.outcome if seat == FIRST else -self.outcome)) / 2


class Entrants:
    """The players of a plan; solution and policies are prepared once.

    `own` holds players by the names that the plan gives them, where those are no names of players.
    """

    def __init__(
        self,
        plan: Plan,
        progress: Progress | None = None,
        budget: Budget | None = None,
        own: Mapping[str, PlayerLike] = MappingProxyType({}),
    ) -> None:
        self.plan = plan
        self._players = [own.get(name, name) for name in plan.players]
        self._budget = budget
        self.labels = plan.labels
        self._solution = _solution(plan, progress)
        self._losses_at = cache(partial(_losses_at, self._solution)) if self._solution else None
        self.policies = {
            place: policy
            for place, player in enumerate(self._players)
            if (policy := policy_of(plan.game, player, lambda: self._solution)) is not None
        }
        """The policies of players that depend on the position alone, by their places."""
        self._mixes = {
            place: cache(partial(mix_of, plan.game, policy))
            for place, policy in self.policies.items()
        }
        """The same, evaluated once for each position."""

    def create_player(
        self, place: int, terms: Terms, seat: Seat, bout_seed: str, keep: Callable[[str], None]
    ) -> Player:
        """A player for one match; `CannotPlay` where an external one does not start.

        The random numbers belong to the seat, not to the player: in the two matches of a bout both
        players get the same ones in turn, which lowers the variance of their difference. The
        dialogue of a model goes to `keep`.
        """
        player = self._players[place]
        rng = Random(f"{bout_seed}/{seat}")
        if place in self._mixes:
            return MixPlayer(self._mixes[place], rng)
        return opponent(
            player,
            terms,
            seat,
            rng,
            bot_seconds=pick_timeout_s(str(player), self.plan.seconds),
            solution=self._solution,
            log_line=keep,
            budget=self._budget,
        )

    def exact_scores(self, progress: Progress = silent) -> dict[tuple[int, int], float]:
        """The scores between players that are policies, over all positions; none where unknown.

        Of the first of two players against the second, on average over both seats.
        """
        pairs = [pair for pair in self.plan.pairs if self.policies.keys() >= set(pair)]
        players = [(self._players[one], self._players[two]) for one, two in pairs]
        table = OddsTable(self.plan.game, self.plan.rulings, None, progress)
        try:
            return dict(zip(pairs, table.scores(players), strict=False))
        except (BadGame, TooLarge):
            return {}

    def losses_of(self, match: Match) -> tuple[float, float] | None:
        """Expected score that the picks of each seat give away; None where it is not known."""
        if self._losses_at is None:
            return None
        lost = [0.0, 0.0]
        for rounds, picks in enumerate(match.history):
            for seat in SEATS:
                if picks[seat] != PASS:
                    repetition = repetition_picks(match, seat, rounds)
                    losses = self._losses_at(match.states[rounds], seat, repetition)
                    lost[seat] += losses[picks[seat]]
        return (lost[FIRST], lost[SECOND])

    def play(self, numbers: list[int]) -> TaskResult:
        """Play some bouts; where one cannot be, the dialogue of models so far, and why."""
        talk: list[str] = []
        try:
            return TaskResult([play_bout(self, number, talk.append) for number in numbers])
        except (CannotPlay, Unavailable) as error:
            return TaskResult({"talk": talk}, str(error))


def _losses_at(
    solution: Solution, state: State, seat: Seat, repetition: RepetitionPicks
) -> dict[int, float]:
    """The loss of each number at a position; near a draw by repetition it depends on that."""
    found = evaluate_picks(solution, state, seat, repetition)
    return {number: found.loss(number) for number in found.scores}


_PREPARED: Final[dict[tuple[Plan, str], Entrants]] = {}
"""The players of the last plan, who have been asked about many positions already."""


def entrants_of(plan: Plan, budget_file: str, progress: Progress | None = None) -> Entrants:
    """The players of a plan, prepared once in a process.

    The costs of models are counted in the file, if there is one.
    """
    key = plan._replace(matches=0), budget_file
    if key not in _PREPARED:
        _PREPARED.clear()
        budget = Budget(file=Path(budget_file)) if budget_file else None
        _PREPARED[key] = Entrants(plan, progress, budget)
    return _PREPARED[key]


def _solution(plan: Plan, progress: Progress | None) -> Solution | None:
    """The solution by which losses are computed; None where the game cannot be solved."""
    try:
        return solution_for(agree(plan.game)._replace(rulings=plan.rulings), progress)
    except NotSolved as error:
        exact = next(filter(is_exact, plan.players), None)
        if exact:
            raise cannot_play(exact, error) from None
        return None


def bouts_task(plan: Plan, numbers: Iterable[int], budget_file: Path | None = None) -> Task:
    """The task to play some bouts of a plan; the costs of models are counted in the file."""
    plan_json = json.dumps(plan.as_data() | {"matches": 0}, sort_keys=True)
    arguments = (plan_json, rules_edition(plan), list(numbers), str(budget_file or ""))
    return Task(f"{__name__}:{work.__name__}", arguments)


def rules_edition(plan: Plan) -> str:
    """A fingerprint of the rules, by which a worker with other rules refuses; may be empty."""
    path = table_path(plan.game, plan.rulings)
    return path.name if path else ""


def work(plan_json: str, edition: str, numbers: list[int], budget_file: str) -> TaskResult:
    """Play some bouts, if this process has the same edition of the rules."""
    entrants = entrants_of(plan_of(json.loads(plan_json)), budget_file)
    if edition != rules_edition(entrants.plan):
        return TaskResult(None, DIFFERENT_RULES_REASON)
    return entrants.play(numbers)


def play_bout(
    entrants: Entrants, number: int, log_talk: Callable[[str], None] = lambda _: None
) -> list[PlayedMatch]:
    """Play both matches of a bout; dialogue goes to `log_talk` at once, and into the match."""
    pair, bout_seed = entrants.plan.bout(number)
    return [_play_match(entrants, places, bout_seed, log_talk) for places in (pair, pair[::-1])]


def _play_match(
    entrants: Entrants, places: tuple[int, int], bout_seed: str, log_talk: Callable[[str], None]
) -> PlayedMatch:
    plan, (one, two) = entrants.plan, places
    terms = agree(plan.game)._replace(
        rulings=plan.rulings,
        players=(entrants.labels[one], entrants.labels[two]),
        computers=(plan.players[one], plan.players[two]),
    )
    dice = None if plan.seed is None else bout_seed
    match, players, why = Match(terms, seed=dice), list[Player](), ""
    picks, seconds, talk = [0, 0], [0.0, 0.0], list[str]()

    def keep(line: str) -> None:
        talk.append(line)
        log_talk(line)

    try:
        for seat in SEATS:
            players.append(entrants.create_player(places[seat], terms, seat, bout_seed, keep))
        while match.result is None:
            seat = match.waiting()[0]
            view, began = match.view(seat), perf_counter()
            try:
                number = players[seat].pick(view)
            except Unavailable:
                raise  # a service is down, which is no fault of the player: no forfeit
            except Forfeit as error:
                why = error.why
                match.lose(seat, "forfeit")
                continue
            seconds[seat] += perf_counter() - began
            picks[seat] += 1
            match.pick(seat, number)
    finally:
        for seat, player in enumerate(players):
            player.leave(match.view(seat))
    return PlayedMatch(
        places,
        int(match.result.outcome),
        match.result.reason,
        why,
        (picks[FIRST], picks[SECOND]),
        entrants.losses_of(match),
        (seconds[FIRST], seconds[SECOND]),
        write(match),
        talk,
        (players[FIRST].faults, players[SECOND].faults),
    )
