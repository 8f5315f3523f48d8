"""One match in progress: secret picks, the view of each seat, and the result.

A pick that is not yet revealed lives in the match alone: not in the state, not in a view, not in
the record, not in its text. The rules know `first` and `second`; the terms map Player 1 and Player
2 to them.
"""

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.core import luck
from evenodds.core.catalog import GameLike
from evenodds.core.record import DRAW_REASONS, END_REASONS, VOID_REASONS, MatchResult, Record, View
from evenodds.core.rule_checks import PositionRules, check_position, check_reward, check_step
from evenodds.core.rulings import as_int
from evenodds.core.terms import (
    DEFAULT_REPETITION,
    MAX_ROUNDS,
    BadTerms,
    Terms,
    agree,
    check_seat,
    repetition_draws,
)
from evenodds.core.vocabulary import (
    FIRST,
    PASS,
    SEATS,
    SECOND,
    Outcome,
    Pair,
    Seat,
    State,
    decided,
    other,
)
from evenodds.figures import join_words
from evenodds.system import EvenOddsError
from evenodds.system.text import as_given, shorten

if TYPE_CHECKING:
    from datetime import date as Date

MATCH_OVER_MESSAGE: Final = "the match is over"


class IllegalPick(EvenOddsError, ValueError):
    """A pick that is refused, and why."""


class Moment(NamedTuple):
    """A position between two rounds, and how play came to it."""

    state: State
    rules: PositionRules
    draws: tuple[int, ...] = ()
    """What was drawn since the last round, or before the first."""
    points: int = 0
    """The first seat's points so far, in games about points."""


class Match:
    """A match of two players, on given terms or on terms named here: `Match("circle")`.

    `first` says which of the two `players` has the first seat: FIRST or SECOND. Where chance draws
    it does so at once, from `seed` or one that nobody knows; `drawn` are numbers that it has drawn
    before the first round.
    """

    def __init__(
        self,
        game: Terms | GameLike,
        rulings: Mapping[str, object] | None = None,
        *,
        players: tuple[str, str] | None = None,
        first: Seat = FIRST,
        repetition: int = DEFAULT_REPETITION,
        computers: tuple[str, str] = ("", ""),
        date: "Date | None" = None,
        seed: str | None = None,
        drawn: tuple[int, ...] = (),
    ) -> None:
        if not isinstance(game, Terms):
            game = agree(
                game,
                rulings,
                players=players,
                first=_player_in_first_seat(first),
                repetition=repetition,
                computers=computers,
                date=date,
            )
        self.terms: Final = game
        self.game: Final = self.terms.game
        self.names: Final = self.terms.names
        self.taken_back = False
        self.seed = luck.new_seed() if seed is None and self.game.chance else seed or ""
        self._moments: list[Moment] = []
        """Every position so far: rules are called once for each."""
        self._states: list[State] = []
        """The same alone, which is what most ask for."""
        self._history: list[Pair] = []
        self.draw_first(drawn)
        self._end: MatchResult | None = None
        self._pending: dict[Seat, int] = {}
        self._foreseen: tuple[Moment, Pair, Moment] | None = None
        """A position and picks, and what they lead to."""

    def draw_first(self, drawn: tuple[int, ...]) -> None:
        """Draw before the first round, as far as is known these numbers, in place of others."""
        if self._history:
            raise IllegalPick("draws stand alone only before the first round")
        start: State = self.game.start(self.terms.rulings)
        self._moments = []
        first = self._drawn(Moment(start, check_position(self.game, start)), drawn)
        self._moments, self._states = [first], [first.state]

    @property
    def state(self) -> State:
        """The position now."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """Every position so far, the first one included."""
        return tuple(self._states)

    @property
    def draws(self) -> tuple[tuple[int, ...], ...]:
        """What chance has drawn before the first round, and after each."""
        return tuple(moment.draws for moment in self._moments)

    @property
    def points(self) -> int | None:
        """The points of the first seat so far, the second's taken off; None in other games."""
        return self._moments[-1].points if self.game.reward else None

    @property
    def drawn(self) -> tuple[int, ...]:
        """What chance has drawn since the last round."""
        return self._moments[-1].draws

    @property
    def leads(self) -> tuple[int, ...]:
        """`points` at each of `states`; zeros in other games."""
        return tuple(moment.points for moment in self._moments)

    @property
    def margin(self) -> int:
        """By how many points the first seat has won, less than 0 if lost; 0 where none decided."""
        points, outcome = self._moments[-1].points, self._moments[-1].rules.outcome
        return points + outcome if points and not self._end and self.result else 0

    @property
    def rounds(self) -> tuple[tuple[Pair, tuple[int, ...]], ...]:
        """The picks of every round, and what was drawn after it."""
        return tuple(zip(self._history, self.draws[1:], strict=True))

    @property
    def history(self) -> tuple[Pair, ...]:
        """The revealed picks, round by round."""
        return tuple(self._history)

    @property
    def round(self) -> int:
        """The number of the round being played, from 1; in turn games every pick is a round."""
        return len(self._history) + 1

    @property
    def result(self) -> MatchResult | None:
        """How the match ended, or None while it is open."""
        outcome = self._moments[-1].rules.outcome
        if self._end or outcome == Outcome.ONGOING:
            return self._end
        return MatchResult(decided(self.points + outcome) if self.points else outcome)

    @property
    def record(self) -> Record:
        """All public data, enough to rebuild the match between rounds."""
        return Record(self.terms, self.history, self._end, self.taken_back, self.draws)

    def choices(self, seat: Seat) -> tuple[int, ...]:
        """The numbers a seat may pick in this round; none when it has nothing to decide."""
        if type(seat) is not int or seat not in SEATS:
            seat = check_seat(seat)
        return () if self._end is not None else self._moments[-1].rules.choices(seat)

    def waiting(self) -> tuple[Seat, ...]:
        """The seats that still have a pick to make in this round."""
        return tuple(seat for seat in SEATS if self.choices(seat) and seat not in self._pending)

    def view(self, seat: Seat | None = None) -> View:
        """The view of a seat, or of a spectator without one."""
        asked = seat is not None and check_seat(seat) in self.waiting()
        return View(
            self.game.name,
            seat,
            self.names,
            self.round,
            self.state,
            self.history,
            self.choices(seat) if asked and seat is not None else (),
            (FIRST in self._pending, SECOND in self._pending),
            self.result,
            self.draws if self.game.chance else (),
            self.points,
        )

    def pick(self, seat: Seat, number: int, round: int | None = None) -> bool:
        """Take a seat's pick; True when it completes the round and all picks are revealed.

        The same pick sent twice changes nothing; a different one for the same round is refused, as
        is an illegal one: `IllegalPick` says why. `round` guards against a pick meant for another
        round.
        """
        check_seat(seat)
        if self._is_repeated(seat, number, self.round if round is None else round):
            return False
        self.check(seat, number, round)
        if self.waiting() != (seat,):
            self._pending[seat] = number
            return False
        both = self._pending | {seat: number}
        self._step((both.get(FIRST, PASS), both.get(SECOND, PASS)))
        return True

    def play(self, picks: Pair, drawn: tuple[int, ...] = ()) -> None:
        """Play a whole round at once; nothing changes when either pick is refused.

        `drawn` is what chance has drawn after it, as far as that is known.
        A pending pick is kept: for its seat, PASS or the same number completes the round, and any
        other number is refused. Where both pick, the error names the player.
        """
        try:
            first, second = picks
        except (TypeError, ValueError):
            said = shorten(repr(picks))
            raise IllegalPick(f"a round is a pick of each seat, not {said}") from None
        waiting = self.waiting()
        for seat, number in zip(SEATS, (first, second), strict=True):
            if seat in waiting or not waiting or number not in (PASS, self._pending.get(seat)):
                try:
                    self.check(seat, number)
                except IllegalPick as error:
                    if len(waiting) < 2:
                        raise
                    raise IllegalPick(f"{self.names[seat]}: {error}") from None
        both = {FIRST: first, SECOND: second} | self._pending
        one, two = (both[seat] if self.choices(seat) else PASS for seat in SEATS)
        self._step((one, two), drawn)

    def undo(self) -> None:
        """Drop the pending pick, or else the last complete round."""
        if self._end is not None and self._end.reason in END_REASONS + VOID_REASONS:
            raise IllegalPick(MATCH_OVER_MESSAGE)
        if self._pending:
            self._pending.clear()
        elif self._history:
            self._end = None
            self._history.pop()
            self._moments.pop()
            self._states.pop()
        else:
            raise IllegalPick("there is nothing to take back")
        self.taken_back = True

    def resign(self, seat: Seat) -> None:
        """Give the match to the other seat."""
        self.lose(seat, "resigned")

    def lose(self, seat: Seat, reason: str) -> None:
        """End the match against a seat, for one of `END_REASONS`."""
        loser = check_seat(seat)
        outcome = (Outcome.SECOND_WINS, Outcome.FIRST_WINS)[loser]
        end = MatchResult(outcome, reason, loser)
        self._end_early(end, END_REASONS, "is not a reason to lose; there are")

    def _end_early(self, end: MatchResult, reasons: tuple[str, ...], fault: str) -> None:
        if end.reason not in reasons:
            raise ValueError(f"{shorten(end.reason)} {fault} {', '.join(reasons)}")
        if self.result:
            raise IllegalPick(MATCH_OVER_MESSAGE)
        self._pending.clear()
        self._end = end

    @classmethod
    def rebuild(cls, record: Record) -> "Match":
        """The match of a record; every pick is checked by the rules again."""
        before, *after = record.draws or ((),)
        match = cls(record.terms, drawn=before)
        for picks, drawn in zip(record.history, after or [()] * len(record.history), strict=True):
            match.play(picks, drawn)
        match.taken_back = record.taken_back
        if record.end is not None and record.end.reason not in DRAW_REASONS:
            match._end_early(record.end, END_REASONS + VOID_REASONS, "ends no match; reasons are")
        return match

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self.record == other.record

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The game, the players and the round; nothing secret."""
        players = " against ".join(self.terms.players)
        return f"<Match {self.game.name}: {players}, round {self.round}>"

    def _is_repeated(self, seat: Seat, number: int, round: int) -> bool:
        """Whether the same pick is pending, or was played in that round."""
        if round == self.round and seat in self._pending:
            return self._pending[seat] == number
        if round == self.round and not self.game.simultaneous and self.waiting() == (other(seat),):
            round -= 1  # a turn is revealed as it is taken: sent again it is of the last round
        return 1 <= round < self.round and self._history[round - 1][seat] == number != PASS

    def check(self, seat: Seat, number: int, round: int | None = None) -> None:
        """Raise `IllegalPick` for a pick that the match would refuse."""
        check_turn(self, seat, round)
        if isinstance(number, bool) or not isinstance(number, int):
            raise IllegalPick(f"{shorten(number)} is not a whole number")
        if number not in self.choices(seat):
            raise IllegalPick(self.game.words.refused(self.state, seat, number))

    def ends_with(self, picks: Pair) -> bool:
        """Whether a round of legal picks ends the match, with what chance draws after it."""
        after = self._after(picks)
        return after.rules.outcome != Outcome.ONGOING or bool(self._draw_reason(after))

    def _draw_reason(self, after: Moment) -> str:
        """Why an open position after this round is a draw; empty where play goes on."""
        if self.game.can_repeat and after.state in self.due():
            return "repetition"
        goes_on = self.game.loops and not self.game.can_repeat
        return "rounds" if goes_on and self.round >= MAX_ROUNDS else ""

    def _after(self, picks: Pair, drawn: tuple[int, ...] = ()) -> Moment:
        """The position after a round, and what is drawn until somebody picks again."""
        known, now = self._foreseen, self._moments[-1]
        if known is None or known[0] is not now or known[1] != picks or drawn:
            known = self._foreseen = (now, picks, self._drawn(self._stepped(now, picks), drawn))
        return known[2]

    def _stepped(self, moment: Moment, picks: Pair) -> Moment:
        state = check_step(self.game, moment.state, picks)
        rules = check_position(self.game, state)
        if not self.game.reward:
            return Moment(state, rules)
        points = check_reward(self.game, moment.state, picks)
        return Moment(state, rules, (), moment.points + points)

    def _drawn(self, moment: Moment, drawn: tuple[int, ...]) -> Moment:
        """The position once chance has drawn: what is told, then what the seed says."""
        if not (moment.rules.draws or drawn):
            return moment
        draws: tuple[int, ...] = ()
        count = sum(len(earlier.draws) for earlier in self._moments)
        while weights := moment.rules.draws:
            known = drawn[len(draws) : len(draws) + 1]
            number = known[0] if known else luck.draw(self.seed, count + len(draws), weights)
            if number not in weights:
                allowed = join_words(list(map(str, weights)), "or")
                raise IllegalPick(f"{shorten(number)} cannot be drawn; allowed: {allowed}")
            draws += (number,)
            moment = self._stepped(moment, (number, PASS))
        if len(draws) < len(drawn):
            raise IllegalPick(f"nothing {'more ' if draws else ''}is drawn here")
        return moment._replace(draws=draws)

    def due(self, rounds: int | None = None) -> frozenset[State]:
        """The positions that make a draw if they come up once more, now or after a round."""
        limit = self.terms.repetition if self.game.can_repeat else 0
        return repetition_draws(self.states[: None if rounds is None else rounds + 1], limit)

    def _step(self, picks: Pair, drawn: tuple[int, ...] = ()) -> None:
        after = self._after(picks, drawn)
        is_open = after.rules.outcome == Outcome.ONGOING
        if is_open and (reason := self._draw_reason(after)):
            self._end = MatchResult(Outcome.DRAW, reason)
        self._pending.clear()
        self._history.append(picks)
        self._moments.append(after)
        self._states.append(after.state)


def _player_in_first_seat(first: Seat) -> int:
    """Player 1 or Player 2, as terms and rule books count."""
    if as_int(first) not in SEATS:
        allowed = "FIRST (0) or SECOND (1) of the players"
        raise BadTerms(f"first={as_given(first)} is not allowed; allowed: {allowed}")
    return first + 1


def annul(match: Match, reason: str) -> None:
    """End a match without a result, for one of `VOID_REASONS`."""
    end = MatchResult(Outcome.DRAW, reason)
    match._end_early(end, VOID_REASONS, "makes no match void; reasons are")


def pending_picks(match: Match) -> dict[Seat, int]:
    """The picks that are not yet revealed: for the private store only."""
    return dict(match._pending)


def check_turn(
    match: Match, seat: Seat, round: int | None = None, chosen: Container[Seat] | None = None
) -> None:
    """Raise `IllegalPick` where a seat has no pick to make.

    `chosen` are the seats with a pick in this round, where those are stored elsewhere.
    """
    if match.result:
        raise IllegalPick(MATCH_OVER_MESSAGE)
    if round is not None and round != match.round:
        problem = f"round {shorten(round)} is not being played; this is round {match.round}"
        raise IllegalPick(problem)
    if seat in (match._pending if chosen is None else chosen):
        raise IllegalPick(f"{match.names[seat]} has already picked in this round")
    if not match.choices(seat):
        raise IllegalPick(f"it is not {match.names[seat]}'s turn")
