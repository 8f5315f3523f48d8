"""One match as an environment episode: observations, rewards, termination, truncation.

A win pays 1, a loss -1, a draw and everything before the end 0. A pick that the rules do not allow
loses the match for whoever made it.
"""

from operator import index
from typing import Any, Final

from evenodds.adapters.observation import Sight
from evenodds.core.match import IllegalPick, Match
from evenodds.core.rulings import as_whole
from evenodds.core.serialization import result_as_data
from evenodds.core.terms import BadTerms, Terms
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Pair, Seat
from evenodds.system.extras import needs
from evenodds.system.text import brief

with needs("environments"):
    import numpy as np
    from gymnasium import spaces

MAX_CYCLES: Final = 1000
"""Rounds after which a match is cut off, unless said otherwise; only endless play comes so far."""


class Episode:
    """A match with a limit of rounds, in which an illegal pick is a loss."""

    def __init__(self, terms: Terms, sight: Sight, max_cycles: int) -> None:
        self.match = Match(terms)
        self.sight = sight
        self.max_cycles = max_cycles
        self.illegal: dict[Seat, str] = {}
        """What was wrong with the picks that lost the match."""

    @property
    def terminated(self) -> bool:
        """Whether the match has ended, by the rules or against them."""
        return bool(self.illegal) or self.match.result is not None

    @property
    def truncated(self) -> bool:
        """Whether the match is cut off: it is open after so many rounds."""
        return self.match.round > self.max_cycles and not self.terminated

    @property
    def over(self) -> bool:
        """Whether nothing more is asked of anyone."""
        return self.terminated or self.truncated

    def take(self, seat: Seat, action: Any) -> None:
        """A seat's action, in secret until the round is complete."""
        try:
            self.match.pick(seat, self._number(action))
        except IllegalPick as error:
            self._forfeit({seat: str(error)})

    def take_both(self, actions: Pair) -> None:
        """The actions of a whole round; where both are illegal, both have lost."""
        picks = (self._number(actions[FIRST]), self._number(actions[SECOND]))
        wrong: dict[Seat, str] = {}
        for seat in SEATS:
            if picks[seat] == PASS and not self.match.choices(seat):
                continue  # it has nothing to decide, and says so
            try:
                self.match.check(seat, picks[seat])
            except IllegalPick as error:
                wrong[seat] = str(error)
        if wrong:
            self._forfeit(wrong)
        else:
            self.match.play(picks)

    def _number(self, action: Any) -> int:
        """The number that an action picks; what is none is the caller's mistake, and no pick."""
        try:
            return index(action)
        except TypeError:
            said, most = brief(repr(action)), self.sight.highest
            raise TypeError(f"an action is a whole number from 0 to {most}, not {said}") from None

    def _forfeit(self, wrong: dict[Seat, str]) -> None:
        self.illegal = wrong
        if len(wrong) == 1:
            (seat,) = wrong
            self.match.lose(seat, "forfeit")

    def reward(self, seat: Seat) -> float:
        """What a seat is paid for the last round."""
        if seat in self.illegal:
            return -1.0
        result = self.match.result
        if result is None:
            return 0.0
        return float(result.outcome if seat == FIRST else -result.outcome)

    def observation(self, seat: Seat) -> dict[str, Any]:
        """What a seat sees of the position, and which actions are open to it."""
        state = self.match.state
        mask = self.sight.closed() if self.over else self.sight.mask(state, seat)
        return {
            "observation": np.array(self.sight.row(state, seat), np.int32),
            "action_mask": np.array(mask, np.int8),
        }

    def info(self, seat: Seat) -> dict[str, Any]:
        """What else a seat is told: how the match ended, and what was wrong with its pick."""
        told: dict[str, Any] = {}
        if self.match.result is not None:
            told = result_as_data(self.match.result)
        if seat in self.illegal:
            told["illegal"] = self.illegal[seat]
        return told


def observation_space(sight: Sight) -> spaces.Dict:
    """The rows of a sight, and the mask of actions beside them."""
    lows, highs = (
        np.repeat([getattr(part, limit) for part in sight.parts], [p.size for p in sight.parts])
        for limit in ("low", "high")
    )
    return spaces.Dict(
        {
            "observation": spaces.Box(
                lows.astype(np.int32), highs.astype(np.int32), dtype=np.int32
            ),
            "action_mask": spaces.Box(0, 1, (sight.highest + 1,), np.int8),
        }
    )


def action_space(sight: Sight) -> spaces.Discrete:
    """Action n picks the number n; 0 is PASS."""
    return spaces.Discrete(sight.highest + 1)


def check_cycles(rounds: Any) -> int:
    """A limit of rounds that can be one."""
    return check_count("max_cycles", rounds)


def check_count(key: str, count: Any) -> int:
    """A whole number of something that there must be at least one of."""
    number = as_whole(count)
    if number is None or number < 1:
        raise BadTerms(f"{key}={brief(count)} is not allowed; allowed: 1 or more")
    return number
