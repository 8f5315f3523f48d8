"""Every game of the catalog as a game of OpenSpiel: its states, observers, and rulings."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from typing import Any, Final, NamedTuple

from evenodds.adapters.observation import ObservationEncoder
from evenodds.core.catalog import AnyGame
from evenodds.core.match import IllegalPick
from evenodds.core.notation import write_draws, write_round
from evenodds.core.record import state_as_data
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, check_repetition, repetition_draws
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    PASS,
    SEAT_NAMES,
    SEATS,
    SECOND,
    Outcome,
    Pair,
    Seat,
    Settled,
    alone,
)
from evenodds.engine.small_games import END_OUTCOMES, StateGraph
from evenodds.system.imports import needs

with needs("openspiel"):
    import numpy as np
    import pyspiel

GAME_NAME_PREFIX: Final = "evenodds_"
CHANCE_PLAYER: Final = int(pyspiel.PlayerId.CHANCE)
SIMULTANEOUS_PLAYER: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL_PLAYER: Final = int(pyspiel.PlayerId.TERMINAL)
MAX_COUNTED_STEPS: Final = 200_000
"""Pairs of picks that are followed at most to count positions, where a game has no `bound`."""
DEFAULT_HORIZON: Final = 1000
"""The usual number of rounds after which a match is a draw, where play could go on for ever."""


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
        self.horizon = parameters["horizon"] if never_has_to_end(game) else 0
        """After how many rounds an open match is a draw; 0 in games where that is not needed."""
        if never_has_to_end(game) and self.horizon < 1:
            raise BadTerms(f"horizon={self.horizon} is not allowed; allowed: 1 or more")
        self.recall = game.loops or parameters["recall"]
        """Whether the information state is all that was picked, or the position alone."""
        defaults = as_data(game.rulings())
        changed = [key for key in defaults if parameters[key] != defaults[key]]
        self.rulings = game.settle({key: parameters[key] for key in changed})
        self.encoder = ObservationEncoder(game, self.rulings)
        most = most_points(game, self.rulings)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.highest + 1,
            max_chance_outcomes=self.encoder.highest + 1 if game.chance else 0,
            num_players=len(SEATS),
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.horizon or max_rounds(game, self.rulings, self.repetition),
        )
        super().__init__(type_of(game), info, dict(parameters))

    def new_initial_state(self) -> "SpielState":
        """A match before the first pick."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No match has more draws: between two rounds each position comes up once at most."""
        if self.game.chance is None:
            return 0
        return most_positions(self.game, self.rulings) * (self.horizon + 1)

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

    Parameters are the rulings, and `repetition` in games with loops, as in any match; with chance,
    or where both pick at once, those have a `horizon`. Elsewhere `recall`: whether the information
    state is the whole history of picks and draws, or the position alone, which decides all that can
    follow.
    """
    kinds = pyspiel.GameType
    other: dict[str, Any] = {"recall": True}
    if game.loops:
        is_cut = never_has_to_end(game)
        other = {"horizon": DEFAULT_HORIZON} if is_cut else {"repetition": DEFAULT_REPETITION}
    modes, models = kinds.ChanceMode, kinds.RewardModel
    return kinds(
        short_name=GAME_NAME_PREFIX + game.name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if game.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if game.chance else modes.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=models.REWARDS if game.reward else models.TERMINAL,
        max_num_players=len(SEATS),
        min_num_players=len(SEATS),
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor_of_history(game),
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
    return most_positions(game, rulings) * (repetition - 1 if game.can_repeat else 1)


def most_positions(game: AnyGame, rulings: Settled) -> int:
    """There are no more open positions than this."""
    if game.bound is not None:
        return game.bound(rulings)
    if not (graph := _listed(game, rulings)).complete:
        raise BadTerms(f"{game.name} does not say how long a match can be: it has no `longest`")
    return len(graph.states)


def most_points(game: AnyGame, rulings: Settled) -> float:
    """No seat can win more than this; infinite where there are too many positions to tell."""
    if game.reward is None:
        return 1.0
    graph = _listed(game, rulings)
    if game.loops or not graph.complete:
        return inf
    count, ends = len(graph.states), list(map(float, END_OUTCOMES))
    least, most = ([0.0] * count + ends for _ in SEATS)
    for place in graph.backwards():
        least[place] = min(graph.worths(place, least))
        most[place] = max(graph.worths(place, most))
    return max(-least[0], most[0], 1.0)


@lru_cache(maxsize=1)
def _listed(game: AnyGame, rulings: Settled) -> StateGraph:
    return StateGraph(game, rulings, MAX_COUNTED_STEPS)


def never_has_to_end(game: AnyGame) -> bool:
    """Whether matches can go on and on, and no draw by repetition ends them."""
    return game.loops and not game.can_repeat


def has_tensor_of_history(game: AnyGame) -> bool:
    """Whether all picks fit a tensor: of draws there may be any number between two rounds."""
    return game.longest is not None and game.chance is None


class MatchHistory(NamedTuple):
    """A match so far. It is immutable, so a deep copy is the object itself: OpenSpiel copies often.

    `before` are the positions that count for a draw by repetition, where there is one; `player` is
    the seat to pick, or one of the players above. `told` are picks and draws as in notation,
    `points` the first seat's, and `gained` those since somebody picked.
    """

    position: Any
    picks: tuple[Pair, ...] = ()
    before: tuple[Any, ...] = ()
    told: str = ""
    points: int = 0
    gained: int = 0
    outcome: Outcome = Outcome.ONGOING
    player: int = CHANCE_PLAYER

    def __deepcopy__(self, memo: Any) -> "MatchHistory":
        return self


def _settled(spiel: SpielGame, history: MatchHistory) -> MatchHistory:
    """The match with who is to pick; too many times at a position, or rounds, end it as a draw."""
    game, position = spiel.game, history.position
    outcome = game.outcome(position)
    if outcome == Outcome.ONGOING and (
        position in repetition_draws(history.before, spiel.repetition)
        or (spiel.horizon and len(history.picks) >= spiel.horizon)
    ):
        outcome = Outcome.DRAW
    if outcome != Outcome.ONGOING:
        player = TERMINAL_PLAYER
    elif game.chance and game.chance(position) != NOTHING:
        player = CHANCE_PLAYER
    elif game.simultaneous:
        player = SIMULTANEOUS_PLAYER
    else:
        player = FIRST if game.legal(position, FIRST) != NOTHING else SECOND
    return history._replace(outcome=outcome, player=player)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match in progress. Players 0 and 1 are the first and the second seat; action n picks n."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.match_history = _settled(game, MatchHistory(game.game.start(game.rulings)))

    @property
    def position(self) -> Any:
        """The position as the rules hold it."""
        return self.match_history.position

    def current_player(self) -> int:
        """Both at once, the seat to move, or CHANCE; TERMINAL when the match is over."""
        return self.match_history.player

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.match_history.player == TERMINAL_PLAYER

    def returns(self) -> list[float]:
        """The points so far, and at the end 1 for a win, -1 for a loss and 0 for a draw."""
        return self._with_outcome(self.match_history.points)

    def rewards(self) -> list[float]:
        """The same, of the points only those since somebody picked."""
        return self._with_outcome(self.match_history.gained)

    def _with_outcome(self, points: int) -> list[float]:
        won = float(points + (self.match_history.outcome if self.is_terminal() else 0))
        return [won, 0.0 - won]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers that may be drawn, each with its probability."""
        draws = self.get_game().game.draws(self.position)
        return [(number, weight / sum(draws.values())) for number, weight in draws.items()]

    def _legal_actions(self, player: Seat) -> list[int]:
        return list(self.get_game().game.picks(self.position, player))

    def _apply_actions(self, actions: list[int]) -> None:
        first, second = actions
        self._play((first, second))

    def _apply_action(self, action: int) -> None:
        player = self.match_history.player
        self._play((action, PASS) if player == CHANCE_PLAYER else alone(player, action))

    def _play(self, round: Pair) -> None:
        spiel: SpielGame = self.get_game()
        game, history, position = spiel.game, self.match_history, self.position
        is_drawn = history.player == CHANCE_PLAYER
        for seat in SEATS:
            if round[seat] not in game.picks(position, seat):
                refused = game.words.refused(position, seat, round[seat])
                raise IllegalPick(f"{round[seat]} cannot be drawn" if is_drawn else refused)
        points = game.reward(position, round) if game.reward else 0
        after = history._replace(
            position=game.step(position, round),
            before=(*history.before, position) if spiel.repetition else (),
            points=history.points + points,
            gained=points,
        )
        if is_drawn:
            told = (history.told or " ") + write_draws((round[FIRST],))
            after = after._replace(told=told, gained=history.gained + points)
        else:
            told = f"{history.told} {write_round(round)}"
            after = after._replace(told=told, picks=(*history.picks, round))
        self.match_history = _settled(spiel, after)

    def _action_to_string(self, player: Seat, action: int) -> str:
        about: SpielGame = self.get_game()
        rulings = self.position.rulings
        named = action and player in SEATS  # what chance draws is a number
        return about.game.words.pick_name(rulings, player, action) if named else str(action)

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in state_as_data(self.position).items())


class Observer:
    """What a seat sees: a tensor in named slices, filled in place, and a string.

    The position, which is sufficient for optimal play, except for repetition. With perfect recall
    every revealed pick and draw in order, as OpenSpiel's algorithms assume of an information state;
    it has a tensor where a game without chance declares how long its matches can be. There is no
    private information: both seats see every revealed pick.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._encoder = game.encoder
        self._public = kind is None or kind.public_info
        self._recall = kind is not None and kind.perfect_recall and game.recall
        shapes: dict[str, tuple[int, ...]] = {"observation": (game.encoder.size,)}
        self._has_picks = self._recall and has_tensor_of_history(game.game)
        if self._has_picks:
            picks = (game.max_game_length(), len(SEATS), game.encoder.highest + 1)
            shapes = {"player": (len(SEATS),), **shapes, "picks": picks}
        if not self._public or self._recall != self._has_picks:
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
        if self._has_picks:
            self.dict["player"][player] = 1
            for round, picks in enumerate(state.match_history.picks):
                self.dict["picks"][round, SEATS, picks] = 1

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The seat with the position, or with the picks as in notation: `first: 7-8 10-6`."""
        if not self._public:
            return ""
        seen = state.match_history.told if self._recall else f" {state}"
        return f"{SEAT_NAMES[player]}:{seen}"
