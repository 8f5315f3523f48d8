"""Even Odds: five two-player number games from their rule books."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evenodds.core.catalog import RuledGame, UnknownGame, game, get, list_games
from evenodds.core.game import Game
from evenodds.core.match import IllegalPick, Match
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import BadTerms, agree
from evenodds.core.vocabulary import FIRST, PASS, SECOND, Outcome, State
from evenodds.system.errors import EvenOddsError
from evenodds.system.imports.lazy import lazy_attributes
from evenodds.system.version import __version__ as __version__

if TYPE_CHECKING:
    import evenodds.matrix as matrix
    from evenodds.api.arenas import (
        ArenaInterrupted,
        ArenaReport,
        BenchmarkReport,
        GameCard,
        run_arena,
        run_benchmark,
    )
    from evenodds.api.players import make_player, make_policy
    from evenodds.api.studies import run_study, write_study_page
    from evenodds.arena.schedule import BadPlan
    from evenodds.arena.tables import PairScore
    from evenodds.arena.tournament import ArenaStopped
    from evenodds.core import notation
    from evenodds.core.rule_checks import BadGame
    from evenodds.core.terms import BadSeat
    from evenodds.graph import TooLarge
    from evenodds.players.fixed_policies import PlayerLike
    from evenodds.players.player import Forfeit, Player, UnknownPlayer
    from evenodds.policy import (
        BadPolicy,
        Odds,
        Policy,
        Response,
        Simulation,
        UncountedRepetition,
        Uniform,
        best_response,
        exploitability,
        odds,
        simulate,
    )
    from evenodds.solver import Solution, UnreachablePosition, solve
    from evenodds.study.report import StudyReport

__all__ = [
    "FIRST",
    "PASS",
    "SECOND",
    "ArenaInterrupted",
    "ArenaReport",
    "ArenaStopped",
    "BadGame",
    "BadPlan",
    "BadPolicy",
    "BadRuling",
    "BadSeat",
    "BadTerms",
    "BenchmarkReport",
    "EvenOddsError",
    "Forfeit",
    "Game",
    "GameCard",
    "IllegalPick",
    "Match",
    "Odds",
    "Outcome",
    "PairScore",
    "Player",
    "PlayerLike",
    "Policy",
    "Response",
    "RuledGame",
    "Simulation",
    "Solution",
    "State",
    "StudyReport",
    "TooLarge",
    "UncountedRepetition",
    "Uniform",
    "UnknownGame",
    "UnknownPlayer",
    "UnreachablePosition",
    "agree",
    "best_response",
    "exploitability",
    "game",
    "get",
    "list_games",
    "make_player",
    "make_policy",
    "matrix",
    "notation",
    "odds",
    "run_arena",
    "run_benchmark",
    "run_study",
    "simulate",
    "solve",
    "write_study_page",
]


_heavy = lazy_attributes(
    __name__,
    {
        "evenodds.policy": "BadPolicy Odds Policy Response Simulation UncountedRepetition Uniform "
        "best_response exploitability odds simulate",
        "evenodds.api.arenas": "ArenaInterrupted ArenaReport BenchmarkReport GameCard run_arena "
        "run_benchmark",
        "evenodds.api.players": "make_player make_policy",
        "evenodds.api.studies": "run_study write_study_page",
        "evenodds.arena.schedule": "BadPlan",
        "evenodds.arena.tables": "PairScore",
        "evenodds.arena.tournament": "ArenaStopped",
        "evenodds.core.terms": "BadSeat",
        "evenodds.core.validation": "BadGame",
        "evenodds.players.fixed_policies": "PlayerLike",
        "evenodds.players.player": "Forfeit Player UnknownPlayer",
        "evenodds.study.report": "StudyReport",
        "evenodds.graph": "TooLarge",
        "evenodds.solver": "Solution UnreachablePosition solve",
    },
)


if not TYPE_CHECKING:  # type checkers know the names, and so that a wrong one is an error

    def __getattr__(name: str) -> Any:
        """Import slow modules with the first access to one of their names."""
        if name == "notation":  # the first prompt need not wait for it
            return import_module("evenodds.core.notation")
        if name == "matrix":
            return import_module("evenodds.matrix")
        from evenodds.system.imports.extras import needs

        with needs("solver"):
            return _heavy(name)


def __dir__() -> list[str]:
    return sorted(__all__)
