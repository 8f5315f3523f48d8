"""Bouts: two matches with the seats exchanged, played as worker tasks."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec

from evenodds.arena.entrants import Entrants, entrants_of
from evenodds.arena.losses import Losses
from evenodds.arena.schedule import Plan
from evenodds.core.match import Match
from evenodds.core.notation import write
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat
from evenodds.graph import table_path
from evenodds.players.player import CannotPlay, Forfeit, IllegalAnswerCounts, Player, Unavailable
from evenodds.workers.task import DIFFERENT_RULES_REASON, Task, TaskResult

BOUTS_FUNCTION: Final = f"{__name__}:work"
BOUT_NUMBERS_ARGUMENT: Final = 2
"""Which argument of a task holds the numbers of its bouts."""


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
    faults: tuple[IllegalAnswerCounts, IllegalAnswerCounts] = (
        IllegalAnswerCounts(),
        IllegalAnswerCounts(),
    )
    """Illegal answers of language models; records of older versions have none."""

    def score(self, seat: Seat) -> float:
        """A win 1, a draw 1/2, a loss 0."""
        return (1 + (self.outcome if seat == FIRST else -self.outcome)) / 2


def bouts_task(plan: Plan, numbers: Iterable[int], spending: Path | None = None) -> Task:
    """The task to play some bouts of a plan; `spending` is the file that counts model costs."""
    plan_json = json.dumps(plan.as_data() | {"matches": 0}, sort_keys=True)
    return Task(
        BOUTS_FUNCTION, (plan_json, rules_edition(plan), list(numbers), str(spending or ""))
    )


def rules_edition(plan: Plan) -> str:
    """A fingerprint of the rules, by which a worker with other rules refuses; may be empty."""
    path = table_path(plan.game, plan.rulings)
    return path.name if path else ""


def work(plan_json: str, edition: str, numbers: list[int], spending: str) -> TaskResult:
    """Play some bouts, if this process has the same edition of the rules."""
    entrants = entrants_of(plan_json, spending)
    if edition != rules_edition(entrants.plan):
        return TaskResult(None, DIFFERENT_RULES_REASON)
    talk: list[str] = []
    try:
        return TaskResult([play_bout(entrants, number, talk.append) for number in numbers])
    except (CannotPlay, Unavailable) as error:
        return TaskResult({"talk": talk}, str(error))


def play_bout(
    entrants: Entrants, number: int, log_talk: Callable[[str], None] = lambda _: None
) -> list[PlayedMatch]:
    """Play both matches of a bout; dialogue goes to `log_talk` at once, and into the match."""
    (one, two), bout_seed = entrants.plan.bout(number)
    return [
        _play_match(entrants, places, bout_seed, log_talk) for places in ((one, two), (two, one))
    ]


def read_bout(data: Any) -> list[PlayedMatch]:
    """A bout from plain data; `ValueError` where they do not fit."""
    return msgspec.convert(data, list[PlayedMatch])


def _play_match(
    entrants: Entrants, places: tuple[int, int], bout_seed: str, log_talk: Callable[[str], None]
) -> PlayedMatch:
    plan = entrants.plan
    terms = agree(plan.game)._replace(
        rulings=plan.rulings,
        players=(entrants.labels[places[FIRST]], entrants.labels[places[SECOND]]),
        computers=(plan.players[places[FIRST]], plan.players[places[SECOND]]),
    )
    running = _RunningMatch(Match(terms), log_talk)
    try:
        for seat in SEATS:
            running.players.append(
                entrants.create_player(places[seat], terms, seat, bout_seed, running.log_talk)
            )
        running.play()
    finally:
        running.leave()
    return running.played(places, entrants.losses)


class _RunningMatch:
    """A match in progress: its players, picks and times."""

    def __init__(self, match: Match, log_talk: Callable[[str], None]) -> None:
        self.match = match
        self._log_talk = log_talk
        self.players: list[Player] = []
        self._picks, self._seconds = [0, 0], [0.0, 0.0]
        self._why = ""
        self._talk: list[str] = []

    def log_talk(self, line: str) -> None:
        """Log a line of a model's dialogue."""
        self._talk.append(line)
        self._log_talk(line)

    def play(self) -> None:
        """Ask for picks until the match is over; a player that forfeits loses it."""
        while self.match.result is None:
            for seat in self.match.waiting():
                try:
                    self._ask(seat)
                except Unavailable:
                    raise  # a service is down, which is no fault of the player: no forfeit
                except Forfeit as error:
                    self._why = error.why
                    self.match.lose(seat, "forfeit")
                    return

    def leave(self) -> None:
        """Tell every player that the match is over for it."""
        for seat, player in enumerate(self.players):
            player.leave(self.match.view(seat))

    def played(self, places: tuple[int, int], losses: Losses | None) -> PlayedMatch:
        """The record of the finished match."""
        result = self.match.result
        assert result is not None
        return PlayedMatch(
            places,
            int(result.outcome),
            result.reason,
            self._why,
            (self._picks[FIRST], self._picks[SECOND]),
            losses.of(self.match) if losses else None,
            (self._seconds[FIRST], self._seconds[SECOND]),
            write(self.match),
            self._talk,
            (self.players[FIRST].faults, self.players[SECOND].faults),
        )

    def _ask(self, seat: Seat) -> None:
        view, began = self.match.view(seat), perf_counter()
        number = self.players[seat].pick(view)
        self._seconds[seat] += perf_counter() - began
        self._picks[seat] += 1
        self.match.pick(seat, number)
