"""One match as an environment episode: observations, rewards, ends, and the match as text.

A win pays 1, a loss -1, a draw and everything before the end 0; in games about points each step
pays its points, too. An illegal pick loses the match for the seat that made it.
"""

import sys
from collections.abc import Mapping
from operator import index
from typing import Any, Final, TypedDict

from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.board import plain_text
from evenodds.core.match import IllegalPick, Match
from evenodds.core.record import MatchResult, result_as_data
from evenodds.core.rulings import as_int
from evenodds.core.terms import BadTerms, Terms
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat
from evenodds.render import narration
from evenodds.system.imports import needs
from evenodds.system.text import shorten

with needs("environments"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

MAX_CYCLES: Final = 1000
"""The default number of rounds after which a match is truncated; only endless play gets so far."""
RENDER_MODES: Final = ("ansi", "human")
"""The match as a text that is returned, or printed."""


class Observation(TypedDict):
    """What an agent sees: a row of numbers, and 1 for each legal action."""

    observation: NDArray[np.int32]
    action_mask: NDArray[np.int8]


class Episode:
    """A match with a limit of rounds, in which an illegal pick is a loss.

    What is drawn follows from the seed.
    """

    def __init__(
        self, terms: Terms, encoder: ObservationEncoder, max_cycles: int, seed: int | None = None
    ) -> None:
        self.match = Match(terms, seed=None if seed is None else str(seed))
        self.encoder = encoder
        self.max_cycles = max_cycles
        self.illegal: dict[Seat, str] = {}
        """Error messages of the illegal picks that ended the match, by seat."""
        self._paid = [0.0, 0.0]

    @property
    def terminated(self) -> bool:
        """Whether the match has ended, by the rules or against them."""
        return bool(self.illegal) or self._result is not None

    @property
    def truncated(self) -> bool:
        """Whether the match is still open after `max_cycles` rounds, or as many as any may have."""
        is_cut = self.match.round > self.max_cycles or self.match.result is not None
        return is_cut and not self.terminated

    @property
    def _result(self) -> MatchResult | None:
        result = self.match.result
        return None if result is None or result.reason == "rounds" else result

    @property
    def over(self) -> bool:
        """Whether no seat is asked for an action any more."""
        return self.terminated or self.truncated

    def act(self, actions: Mapping[Seat, Any]) -> None:
        """The action of a seat, in secret until the round is complete, or of both.

        Where both are illegal, both have lost.
        """
        picks = {seat: self._number(action) for seat, action in actions.items()}
        for seat, number in picks.items():
            if number == PASS and not self.match.choices(seat):
                continue  # PASS is right for a seat with nothing to decide
            try:
                self.match.check(seat, number)
            except IllegalPick as error:
                self.illegal[seat] = str(error)
        if len(self.illegal) == 1:
            self.match.lose(next(iter(self.illegal)), "forfeit")
        for seat, number in picks.items():
            if number != PASS and not self.illegal:
                self.match.pick(seat, number)

    def _number(self, action: Any) -> int:
        """The number of an action; another type is a `TypeError`, not an illegal pick."""
        try:
            return index(action)
        except TypeError:
            shown, highest = shorten(repr(action)), self.encoder.highest
            raise TypeError(
                f"an action is a whole number from 0 to {highest}, not {shown}"
            ) from None

    def total(self, seat: Seat) -> float:
        """The rewards of a seat so far: its points, and what the end is worth."""
        match, side = self.match, 1 if seat == FIRST else -1
        total, result = float(side * (match.points or 0)), self._result
        if seat in self.illegal:
            return total - 1
        if result is None:
            return total
        by_rules = result.reason == "rules"  # points have made the result of such a match
        return total + side * (match.game.outcome(match.state) if by_rules else result.outcome)

    def rewards(self) -> tuple[float, float]:
        """What each seat has earned since this was last asked."""
        before, self._paid = self._paid, [self.total(seat) for seat in SEATS]
        first, second = (now - paid for now, paid in zip(self._paid, before, strict=True))
        return first, second

    def observation(self, seat: Seat) -> Observation:
        """The observation vector and the action mask of a seat."""
        state, only_pass = self.match.state, [1] + [0] * self.encoder.highest
        mask = only_pass if self.over else self.encoder.mask(state, seat)
        return {
            "observation": np.array(self.encoder.row(state, seat), np.int32),
            "action_mask": np.array(mask, np.int8),
        }

    def info(self, seat: Seat) -> dict[str, Any]:
        """The info dictionary of a seat: the result, and the error of an illegal pick.

        In games where picks have names, those of its legal actions as `pick_names`.
        """
        match, result = self.match, self._result
        info: dict[str, Any] = {} if result is None else result_as_data(result)
        names = match.game.words.pick_names(match.terms.rulings, seat, match.choices(seat))
        info |= {"pick_names": names} if names else {}
        return info | ({"illegal": self.illegal[seat]} if seat in self.illegal else {})


class EpisodeEnv:
    """What the environments of one match share: how it is seen, cut off and drawn."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012
    episode: Episode

    def _set_up(self, terms: Terms, max_cycles: int, render_mode: str | None) -> None:
        self.encoder = ObservationEncoder(terms.game, terms.rulings)
        self.max_cycles = check_count("max_cycles", max_cycles)
        if render_mode is not None and render_mode not in RENDER_MODES:
            allowed = ", ".join(RENDER_MODES)
            raise BadTerms(f"render_mode={shorten(render_mode)} is not allowed; allowed: {allowed}")
        self.render_mode = render_mode

    def render(self) -> Any:
        """The last round, the board and the ending, without a secret pick; `human` prints them."""
        episode, match = self.episode, self.episode.match
        ending = [f"{match.names[seat]}: {why}" for seat, why in episode.illegal.items()]
        if match.result is not None:
            ending += narration.nonempty_ending_lines(match, match.result)
        elif episode.truncated:
            ending += [f"The match is cut off after {len(match.history)} rounds."]
        board = map(plain_text, match.game.words.board(match.state, match.names))
        parts = (narration.describe_rounds(match), board, ending)
        text = "\n\n".join(said for part in parts if (said := "\n".join(part))) + "\n"
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        return text if self.render_mode == "ansi" else None


def observation_space(encoder: ObservationEncoder) -> spaces.Dict:
    """The space of observations: a vector, and the action mask."""
    sizes = [field.size for field in encoder.fields]
    low, high = (
        np.repeat([getattr(field, limit) for field in encoder.fields], sizes).astype(np.int32)
        for limit in ("low", "high")
    )
    mask = spaces.Box(0, 1, (encoder.highest + 1,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": mask})


def action_space(encoder: ObservationEncoder) -> spaces.Discrete:
    """Action n picks the number n; 0 is PASS."""
    return spaces.Discrete(encoder.highest + 1)


def check_count(key: str, count: object) -> int:
    """A whole number of at least 1, or `BadTerms`."""
    number = as_int(count)
    if number is None or number < 1:
        raise BadTerms(f"{key}={shorten(count)} is not allowed; allowed: 1 or more")
    return number
