"""Even Odds: five two-player number games from their rule books."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from evenodds.core.catalog import RuledGame as RuledGame
from evenodds.core.catalog import UnknownGame as UnknownGame
from evenodds.core.catalog import game as game
from evenodds.core.catalog import get as get
from evenodds.core.catalog import list_games as list_games
from evenodds.core.game import Game as Game
from evenodds.core.match import IllegalPick as IllegalPick
from evenodds.core.match import Match as Match
from evenodds.core.rulings import BadRuling as BadRuling
from evenodds.core.terms import BadTerms as BadTerms
from evenodds.core.terms import agree as agree
from evenodds.core.vocabulary import FIRST as FIRST
from evenodds.core.vocabulary import PASS as PASS
from evenodds.core.vocabulary import SECOND as SECOND
from evenodds.core.vocabulary import Outcome as Outcome
from evenodds.core.vocabulary import State as State
from evenodds.system.errors import EvenOddsError as EvenOddsError
from evenodds.system.imports import lazy_attributes, needs
from evenodds.system.version import __version__ as __version__

if TYPE_CHECKING:
    from evenodds.api import ArenaInterrupted as ArenaInterrupted
    from evenodds.api import ArenaReport as ArenaReport
    from evenodds.api import BenchmarkReport as BenchmarkReport
    from evenodds.api import GameCard as GameCard
    from evenodds.api import make_player as make_player
    from evenodds.api import make_policy as make_policy
    from evenodds.api import run_arena as run_arena
    from evenodds.api import run_benchmark as run_benchmark
    from evenodds.api import run_study as run_study
    from evenodds.api import write_study_page as write_study_page
    from evenodds.arena.schedule import BadPlan as BadPlan
    from evenodds.arena.tally import PairScore as PairScore
    from evenodds.arena.tournament import ArenaStopped as ArenaStopped
    from evenodds.core import notation as notation
    from evenodds.core.rule_checks import BadGame as BadGame
    from evenodds.core.terms import BadSeat as BadSeat
    from evenodds.engine import matrix as matrix
    from evenodds.engine.limits import TooLarge as TooLarge
    from evenodds.engine.odds import Odds as Odds
    from evenodds.engine.odds import UncountedRepetition as UncountedRepetition
    from evenodds.engine.odds import odds as odds
    from evenodds.engine.policies import BadPolicy as BadPolicy
    from evenodds.engine.policies import Policy as Policy
    from evenodds.engine.policies import Uniform as Uniform
    from evenodds.engine.responses import Response as Response
    from evenodds.engine.responses import best_response as best_response
    from evenodds.engine.responses import exploitability as exploitability
    from evenodds.engine.simulate import Simulation as Simulation
    from evenodds.engine.simulate import simulate as simulate
    from evenodds.engine.solution import Solution as Solution
    from evenodds.engine.solution import UnreachablePosition as UnreachablePosition
    from evenodds.engine.solve import solve as solve
    from evenodds.players.levels import PlayerLike as PlayerLike
    from evenodds.players.player import Forfeit as Forfeit
    from evenodds.players.player import Player as Player
    from evenodds.players.player import UnknownPlayer as UnknownPlayer
    from evenodds.study.report import StudyReport as StudyReport


_HEAVY: Final = {
    "evenodds.api": "ArenaInterrupted ArenaReport BenchmarkReport GameCard make_player make_policy "
    "run_arena run_benchmark run_study write_study_page",
    "evenodds.arena.schedule": "BadPlan",
    "evenodds.arena.tally": "PairScore",
    "evenodds.arena.tournament": "ArenaStopped",
    "evenodds.core.rule_checks": "BadGame",
    "evenodds.core.terms": "BadSeat",
    "evenodds.engine.limits": "TooLarge",
    "evenodds.engine.odds": "Odds UncountedRepetition odds",
    "evenodds.engine.policies": "BadPolicy Policy Uniform",
    "evenodds.engine.responses": "Response best_response exploitability",
    "evenodds.engine.simulate": "Simulation simulate",
    "evenodds.engine.solution": "Solution UnreachablePosition",
    "evenodds.engine.solve": "solve",
    "evenodds.players.levels": "PlayerLike",
    "evenodds.players.player": "Forfeit Player UnknownPlayer",
    "evenodds.study.report": "StudyReport",
}
"""Names by the modules that are imported with the first access to one of them."""
_MODULES: Final = {"matrix": "evenodds.engine.matrix", "notation": "evenodds.core.notation"}
_EAGER: Final = (
    "FIRST PASS SECOND BadRuling BadTerms EvenOddsError Game IllegalPick Match Outcome RuledGame "
    "State UnknownGame agree game get list_games"
)
__all__ = sorted(" ".join([_EAGER, *_MODULES, *_HEAVY.values()]).split())

_heavy = lazy_attributes(__name__, _HEAVY)

if not TYPE_CHECKING:  # type checkers know the names, and so that a wrong one is an error

    def __getattr__(name: str) -> Any:
        """Import slow modules with the first access to one of their names."""
        if name in _MODULES:
            return import_module(_MODULES[name])
        with needs("solver"):
            return _heavy(name)


def __dir__() -> list[str]:
    return __all__
