"""One match as an environment episode: observations, rewards, termination, truncation.

A win pays 1, a loss -1, a draw and everything before the end 0. An illegal pick loses the match
for the seat that made it.
"""

from operator import index
from typing import Any, Final, TypedDict

from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.match import IllegalPick, Match
from evenodds.core.rulings import as_int
from evenodds.core.serialization import result_as_data
from evenodds.core.terms import BadTerms, Terms
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Pair, Seat
from evenodds.system.imports import needs
from evenodds.system.text import shorten

with needs("environments"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

MAX_CYCLES: Final = 1000
"""The default number of rounds after which a match is truncated; only endless play gets so far."""


class Observation(TypedDict):
    """What an agent sees: a row of numbers, and 1 for each legal action."""

    observation: NDArray[np.int32]
    action_mask: NDArray[np.int8]


class Episode:
    """A match with a limit of rounds, in which an illegal pick is a loss."""

    def __init__(self, terms: Terms, encoder: ObservationEncoder, max_cycles: int) -> None:
        self.match = Match(terms)
        self.encoder = encoder
        self.max_cycles = max_cycles
        self.illegal: dict[Seat, str] = {}
        """Error messages of the illegal picks that ended the match, by seat."""

    @property
    def terminated(self) -> bool:
        """Whether the match has ended, by the rules or against them."""
        return bool(self.illegal) or self.match.result is not None

    @property
    def truncated(self) -> bool:
        """Whether the match is still open after `max_cycles` rounds."""
        return self.match.round > self.max_cycles and not self.terminated

    @property
    def over(self) -> bool:
        """Whether no seat is asked for an action any more."""
        return self.terminated or self.truncated

    def act(self, seat: Seat, action: Any) -> None:
        """A seat's action, in secret until the round is complete."""
        try:
            self.match.pick(seat, self._number(action))
        except IllegalPick as error:
            self._forfeit({seat: str(error)})

    def act_both(self, actions: Pair) -> None:
        """The actions of a whole round; where both are illegal, both have lost."""
        picks = (self._number(actions[FIRST]), self._number(actions[SECOND]))
        errors: dict[Seat, str] = {}
        for seat in SEATS:
            if picks[seat] == PASS and not self.match.choices(seat):
                continue  # PASS is right for a seat with nothing to decide
            try:
                self.match.check(seat, picks[seat])
            except IllegalPick as error:
                errors[seat] = str(error)
        if errors:
            self._forfeit(errors)
        else:
            self.match.play(picks)

    def _number(self, action: Any) -> int:
        """The number of an action; another type is a `TypeError`, not an illegal pick."""
        try:
            return index(action)
        except TypeError:
            shown, highest = shorten(repr(action)), self.encoder.highest
            raise TypeError(
                f"an action is a whole number from 0 to {highest}, not {shown}"
            ) from None

    def _forfeit(self, errors: dict[Seat, str]) -> None:
        self.illegal = errors
        if len(errors) == 1:
            (seat,) = errors
            self.match.lose(seat, "forfeit")

    def reward(self, seat: Seat) -> float:
        """The reward of a seat for the last round."""
        if seat in self.illegal:
            return -1.0
        result = self.match.result
        if result is None:
            return 0.0
        return float(result.outcome if seat == FIRST else -result.outcome)

    def observation(self, seat: Seat) -> Observation:
        """The observation vector and the action mask of a seat."""
        state = self.match.state
        mask = self.encoder.pass_mask() if self.over else self.encoder.mask(state, seat)
        return {
            "observation": np.array(self.encoder.row(state, seat), np.int32),
            "action_mask": np.array(mask, np.int8),
        }

    def info(self, seat: Seat) -> dict[str, Any]:
        """The info dictionary of a seat: the result, and the error of an illegal pick."""
        info: dict[str, Any] = {}
        if self.match.result is not None:
            info = result_as_data(self.match.result)
        if seat in self.illegal:
            info["illegal"] = self.illegal[seat]
        return info


def observation_space(encoder: ObservationEncoder) -> spaces.Dict:
    """The space of observations: a vector, and the action mask."""
    lows, highs = (
        np.repeat(
            [getattr(field, limit) for field in encoder.fields],
            [field.size for field in encoder.fields],
        )
        for limit in ("low", "high")
    )
    return spaces.Dict(
        {
            "observation": spaces.Box(
                lows.astype(np.int32), highs.astype(np.int32), dtype=np.int32
            ),
            "action_mask": spaces.Box(0, 1, (encoder.highest + 1,), np.int8),
        }
    )


def action_space(encoder: ObservationEncoder) -> spaces.Discrete:
    """Action n picks the number n; 0 is PASS."""
    return spaces.Discrete(encoder.highest + 1)


def check_cycles(rounds: object) -> int:
    """A limit of rounds, or `BadTerms`."""
    return check_count("max_cycles", rounds)


def check_count(key: str, count: object) -> int:
    """A whole number of at least 1, or `BadTerms`."""
    number = as_int(count)
    if number is None or number < 1:
        raise BadTerms(f"{key}={shorten(count)} is not allowed; allowed: 1 or more")
    return number
