"""Bouts: two matches with the seats exchanged, played as worker tasks."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

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


class PlayedMatch(NamedTuple):
    """One match of an arena; pairs are of the first seat and the second."""

    players: tuple[int, int]
    """By their places in the plan."""
    outcome: int
    """1 where the first seat has won, -1 where the second has, 0 for a draw."""
    reason: str
    why: str
    """What a player that forfeited did."""
    picks: tuple[int, int]
    given: tuple[float, float] | None
    """What the picks gave away in all against exact play, in expected score; None if unknown."""
    seconds: tuple[float, float]
    """What the picks took."""
    text: str
    """The match in notation."""
    talk: list[str]
    """What language models heard and said, a line of JSON each."""
    faults: tuple[IllegalAnswerCounts, IllegalAnswerCounts] = (
        IllegalAnswerCounts(),
        IllegalAnswerCounts(),
    )
    """Answers of language models that were no legal pick."""

    def score(self, seat: Seat) -> float:
        """A win 1, a draw 1/2, a loss 0."""
        return (1 + (self.outcome if seat == FIRST else -self.outcome)) / 2


def bouts_task(plan: Plan, numbers: Iterable[int], spending: Path | None = None) -> Task:
    """The task to play some bouts of a plan; what models cost is counted in a file."""
    told = json.dumps(plan.as_data() | {"matches": 0}, sort_keys=True)
    return Task(BOUTS_FUNCTION, (told, rules_edition(plan), list(numbers), str(spending or "")))


def rules_edition(plan: Plan) -> str:
    """The edition of the rules that a plan is played by; nothing where they have no text."""
    path = table_path(plan.game, plan.rulings)
    return path.name if path else ""


def work(told: str, edition: str, numbers: list[int], spending: str) -> TaskResult:
    """Play some bouts of the very edition that is asked for."""
    entrants = entrants_of(told, spending)
    if edition != rules_edition(entrants.plan):
        return TaskResult(None, DIFFERENT_RULES_REASON)
    talk: list[str] = []
    try:
        return TaskResult([play_bout(entrants, number, talk.append) for number in numbers])
    except (CannotPlay, Unavailable) as error:
        return TaskResult({"talk": talk}, str(error))


def play_bout(
    entrants: Entrants, number: int, hear: Callable[[str], None] = lambda _: None
) -> list[PlayedMatch]:
    """Both matches of a bout; what models say is heard at once, and told with the match."""
    (one, two), luck = entrants.plan.bout(number)
    return [_play_match(entrants, places, luck, hear) for places in ((one, two), (two, one))]


def read_bout(data: list[list[Any]]) -> list[PlayedMatch]:
    """A bout that came as plain data."""
    return [_read_match(*match) for match in data]


def _read_match(
    players: Any,
    outcome: int,
    reason: str,
    why: str,
    picks: Any,
    given: Any,
    seconds: Any,
    text: str,
    talk: list[str],
    faults: Any = ((), ()),  # older records have none
) -> PlayedMatch:
    return PlayedMatch(
        tuple(players),
        outcome,
        reason,
        why,
        tuple(picks),
        given and tuple(given),
        seconds,
        text,
        talk,
        (IllegalAnswerCounts(*faults[FIRST]), IllegalAnswerCounts(*faults[SECOND])),
    )


def _play_match(
    entrants: Entrants, places: tuple[int, int], luck: str, hear: Callable[[str], None]
) -> PlayedMatch:
    """One match, with the players of these places in the first seat and the second."""
    plan = entrants.plan
    terms = agree(plan.game)._replace(
        rulings=plan.rulings,
        players=(entrants.labels[places[FIRST]], entrants.labels[places[SECOND]]),
        computers=(plan.players[places[FIRST]], plan.players[places[SECOND]]),
    )
    table = _RunningMatch(Match(terms), hear)
    try:
        for seat in SEATS:
            table.players.append(entrants.sit(places[seat], terms, seat, luck, table.hear))
        table.play()
    finally:
        table.leave()
    return table.played(places, entrants.losses)


class _RunningMatch:
    """A match while it is played: who sits there, and what their picks took."""

    def __init__(self, match: Match, hear: Callable[[str], None]) -> None:
        self.match = match
        self._hear = hear
        self.players: list[Player] = []
        self._picks, self._seconds = [0, 0], [0.0, 0.0]
        self._why = ""
        self._talk: list[str] = []

    def hear(self, line: str) -> None:
        """What a model has heard or said."""
        self._talk.append(line)
        self._hear(line)

    def play(self) -> None:
        """Ask for picks until the match is over; whoever cannot go on loses it."""
        while self.match.result is None:
            for seat in self.match.waiting():
                try:
                    self._ask(seat)
                except Unavailable:
                    raise  # it is not the player who cannot go on
                except Forfeit as error:
                    self._why = error.why
                    self.match.lose(seat, "forfeit")
                    return

    def leave(self) -> None:
        """All players leave the table."""
        for seat, player in enumerate(self.players):
            player.leave(self.match.view(seat))

    def played(self, places: tuple[int, int], losses: Losses | None) -> PlayedMatch:
        """What there is to tell when it is over."""
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
