"""Every game of the catalog as a game of OpenSpiel: its states, observers, and rulings."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.catalog import AnyGame
from evenodds.core.match import IllegalPick
from evenodds.core.notation import write_round
from evenodds.core.record import state_as_data
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, check_repetition, repetition_draws
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    SEAT_NAMES,
    SEATS,
    SECOND,
    Outcome,
    Pair,
    Seat,
    Settled,
    alone,
)
from evenodds.engine.small_games import StateGraph
from evenodds.system.imports import needs

with needs("openspiel"):
    import numpy as np
    import pyspiel

GAME_NAME_PREFIX: Final = "evenodds_"
SIMULTANEOUS_PLAYER: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL_PLAYER: Final = int(pyspiel.PlayerId.TERMINAL)
MAX_COUNTED_STEPS: Final = 200_000
"""Pairs of picks that are followed at most to count positions, where a game has no `bound`."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game under some rulings; a subclass for each game of the catalog."""

    game: AnyGame

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        game = self.game
        self.repetition = check_repetition(parameters["repetition"]) if game.can_repeat else 0
        """How often a position may come up before the match is a draw; 0 in games without loops."""
        if game.can_repeat and not self.repetition:
            raise BadTerms(
                "repetition=0 is not allowed: in OpenSpiel every match ends; allowed: 2 to 9"
            )
        self.recall = game.can_repeat or parameters["recall"]
        """Whether the information state is all that was picked, or the position alone."""
        defaults = as_data(game.rulings())
        changed = [key for key in defaults if parameters[key] != defaults[key]]
        self.rulings = game.settle({key: parameters[key] for key in changed})
        self.encoder = ObservationEncoder(game, self.rulings)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.highest + 1,
            max_chance_outcomes=0,
            num_players=len(SEATS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_rounds(game, self.rulings, self.repetition),
        )
        super().__init__(type_of(game), info, dict(parameters))

    def new_initial_state(self) -> "SpielState":
        """A match before the first pick."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        """The observer for a kind of observation."""
        asked = isinstance(kind, pyspiel.IIGObservationType)  # else it may be parameters alone
        return Observer(self, kind if asked else None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as name and parameters, which any process that imports this module can load."""
        return load, (str(self),)


def load(name: str) -> Any:
    """A game by its name, with or without parameters: `evenodds_duel(hp=5)`."""
    return pyspiel.load_game(name)


def type_of(game: AnyGame) -> Any:
    """The OpenSpiel type of a game, whatever its rulings.

    Parameters are the rulings, and `repetition` in games with loops, as in any match. Elsewhere
    `recall`: whether the information state is the whole history of picks, or the position alone,
    which decides all that can follow.
    """
    kinds = pyspiel.GameType
    other = {"repetition": DEFAULT_REPETITION} if game.can_repeat else {"recall": True}
    return kinds(
        short_name=GAME_NAME_PREFIX + game.name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if game.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(SEATS),
        min_num_players=len(SEATS),
        provides_information_state_string=True,
        provides_information_state_tensor=game.longest is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=as_data(game.rulings()) | other,
    )


def register(game: AnyGame) -> None:
    """Register a game with OpenSpiel.

    As a class of its own: OpenSpiel releases what was registered after the interpreter has shut
    down, which other callables do not survive.
    """
    game_class = type(f"{game.name.title()}Game", (SpielGame,), {"game": game})
    pyspiel.register_game(type_of(game), game_class)


def max_rounds(game: AnyGame, rulings: Settled, repetition: int) -> int:
    """No match has more rounds than this.

    A game declares it; or else every round begins at an open position, and each of those occurs
    once, or in games with loops one time less than makes a draw.
    """
    if game.longest is not None:
        return game.longest(rulings)
    if game.bound is not None:
        positions = game.bound(rulings)
    elif (graph := StateGraph(game, rulings, MAX_COUNTED_STEPS)).complete:
        positions = len(graph.states)
    else:
        raise BadTerms(f"{game.name} does not say how long a match can be: it has no `longest`")
    return positions * (repetition - 1 if game.can_repeat else 1)


class MatchHistory(NamedTuple):
    """A match so far. It is immutable, so a deep copy is the object itself: OpenSpiel copies often.

    `before` are the positions that count for a draw by repetition, where there is one; `player` is
    the seat to pick, or SIMULTANEOUS_PLAYER, or TERMINAL_PLAYER.
    """

    position: Any
    picks: tuple[Pair, ...]
    before: tuple[Any, ...]
    outcome: Outcome
    player: int

    def __deepcopy__(self, memo: Any) -> "MatchHistory":
        return self


def _history(
    spiel: SpielGame, position: Any, picks: tuple[Pair, ...] = (), before: tuple[Any, ...] = ()
) -> MatchHistory:
    """A match at a position; one that has come up too often ends it as a draw."""
    game, outcome = spiel.game, spiel.game.outcome(position)
    if outcome == Outcome.ONGOING and position in repetition_draws(before, spiel.repetition):
        outcome = Outcome.DRAW
    if outcome != Outcome.ONGOING:
        player = TERMINAL_PLAYER
    elif game.simultaneous:
        player = SIMULTANEOUS_PLAYER
    else:
        player = FIRST if game.legal(position, FIRST) != NOTHING else SECOND
    return MatchHistory(position, picks, before, outcome, player)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match in progress. Players 0 and 1 are the first and the second seat; action n picks n."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.match_history = _history(game, game.game.start(game.rulings))

    @property
    def position(self) -> Any:
        """The position as the rules hold it."""
        return self.match_history.position

    def current_player(self) -> int:
        """Both at once, or the seat to move; TERMINAL when the match is over."""
        return self.match_history.player

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.match_history.player == TERMINAL_PLAYER

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw and while the match is open."""
        won = float(self.match_history.outcome) if self.is_terminal() else 0.0
        return [won, 0.0 - won]

    def _legal_actions(self, player: Seat) -> list[int]:
        return list(self.get_game().game.picks(self.position, player))

    def _apply_actions(self, actions: list[int]) -> None:
        first, second = actions
        self._play((first, second))

    def _apply_action(self, action: int) -> None:
        self._play(alone(self.match_history.player, action))

    def _play(self, round: Pair) -> None:
        spiel: SpielGame = self.get_game()
        game, (position, picks, before, *_) = spiel.game, self.match_history
        for seat in SEATS:
            if round[seat] not in game.picks(position, seat):
                raise IllegalPick(game.words.refused(position, seat, round[seat]))
        before = (*before, position) if spiel.repetition else ()
        self.match_history = _history(spiel, game.step(position, round), (*picks, round), before)

    def _action_to_string(self, player: Seat, action: int) -> str:
        about: SpielGame = self.get_game()
        rulings = self.position.rulings
        return about.game.words.pick_name(rulings, player, action) if action else "0"

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in state_as_data(self.position).items())


class Observer:
    """What a seat sees: a tensor in named slices, filled in place, and a string.

    The position, which is sufficient for optimal play, except for repetition. With perfect recall
    every revealed pick in order, as OpenSpiel's algorithms assume of an information state; it has a
    tensor where a game declares how long its matches can be. There is no private information: both
    seats see every revealed pick.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._encoder = game.encoder
        self._public = kind is None or kind.public_info
        self._recall = kind is not None and kind.perfect_recall and game.recall
        shapes: dict[str, tuple[int, ...]] = {"observation": (game.encoder.size,)}
        if self._recall:
            picks = (game.max_game_length(), len(SEATS), game.encoder.highest + 1)
            shapes = {"player": (len(SEATS),), **shapes, "picks": picks}
        if not self._public or (self._recall and game.game.longest is None):
            shapes = {}
        ends = np.cumsum([0, *(np.prod(shape, dtype=int) for shape in shapes.values())])
        row = np.zeros(ends[-1], np.float32)
        self.tensor = row if shapes else None
        self.dict = {
            name: row[start:end].reshape(shape)
            for (name, shape), start, end in zip(shapes.items(), ends[:-1], ends[1:], strict=True)
        }

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Fill the tensor for a seat: seat and picks of each round as one-hot."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["observation"][:] = self._encoder.row(state.position, player)
        if self._recall:
            self.dict["player"][player] = 1
            for round, picks in enumerate(state.match_history.picks):
                self.dict["picks"][round, SEATS, picks] = 1

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The seat with the position, or with the picks as in notation: `first: 7-8 10-6`."""
        if not self._public:
            return ""
        seen = map(write_round, state.match_history.picks) if self._recall else [str(state)]
        return " ".join([f"{SEAT_NAMES[player]}:", *seen])
