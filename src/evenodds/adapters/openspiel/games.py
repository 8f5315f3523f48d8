"""Every game of the catalog as a game of OpenSpiel, its rulings as parameters."""

from collections.abc import Mapping
from typing import Any, Final

from evenodds.adapters.observation import ObservationEncoder
from evenodds.adapters.openspiel.length_bound import check_finite_repetition, max_rounds
from evenodds.adapters.openspiel.observers import EmptyObserver, observer_of
from evenodds.adapters.openspiel.states import SpielState
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import SEATS
from evenodds.system.imports import needs

with needs("openspiel"):
    import pyspiel

GAME_NAME_PREFIX: Final = "evenodds_"


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game under some rulings; a subclass for each game of the catalog."""

    game: AnyGame

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        game = self.game
        self.repetition = check_finite_repetition(parameters["repetition"]) if game.loops else 0
        self.recall = game.loops or parameters["recall"]
        defaults = as_data(game.rulings())
        changed = [key for key in defaults if parameters[key] != defaults[key]]
        self.rulings = game.settle({key: parameters[key] for key in changed})
        self.encoder = ObservationEncoder(game, self.rulings)
        super().__init__(type_of(game), self._info(), dict(parameters))

    def _info(self) -> Any:
        return pyspiel.GameInfo(
            num_distinct_actions=self.encoder.highest + 1,
            max_chance_outcomes=0,
            num_players=len(SEATS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_rounds(self.game, self.rulings, self.repetition),
        )

    def new_initial_state(self) -> SpielState:
        """A match before the first pick."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> EmptyObserver:
        """The observer for a kind of observation."""
        asked = isinstance(kind, pyspiel.IIGObservationType)  # else it may be parameters alone
        return observer_of(self, kind if asked else None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as name and parameters, which any process that imports this module can load."""
        return load, (str(self),)


def load(name: str) -> Any:
    """A game by its name, with or without parameters: `evenodds_duel(hp=5)`."""
    return pyspiel.load_game(name)


def type_of(game: AnyGame) -> Any:
    """The OpenSpiel type of a game, whatever its rulings."""
    kinds = pyspiel.GameType
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
        parameter_specification=as_data(game.rulings()) | _other_parameters(game),
    )


def _other_parameters(game: AnyGame) -> dict[str, Any]:
    """Parameters other than rulings.

    `repetition` in games with loops, as in any match. Elsewhere `recall`: whether the information
    state is the whole history of picks, or the position alone, which decides all that can follow.
    """
    return {"repetition": DEFAULT_REPETITION} if game.loops else {"recall": True}


def register(game: AnyGame) -> None:
    """Register a game with OpenSpiel.

    As a class of its own: OpenSpiel releases what was registered after the interpreter has shut
    down, which other callables do not survive.
    """
    game_class = type(f"{game.name.title()}Game", (SpielGame,), {"game": game})
    pyspiel.register_game(type_of(game), game_class)


def register_all() -> None:
    """Register every game of the catalog with OpenSpiel."""
    for game in catalog.list_games():
        register(game)
