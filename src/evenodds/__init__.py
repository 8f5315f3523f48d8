"""Even Odds: five two-player number games from their rule books."""

from evenodds.system.imports import lazy_imports
from evenodds.system.version import __version__ as __version__

with lazy_imports(globals()) as names:
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
    from evenodds.core.catalog import RuledGame as RuledGame
    from evenodds.core.catalog import UnknownGame as UnknownGame
    from evenodds.core.catalog import game as game
    from evenodds.core.catalog import get as get
    from evenodds.core.catalog import list_games as list_games
    from evenodds.core.game import Game as Game
    from evenodds.core.match import IllegalPick as IllegalPick
    from evenodds.core.match import Match as Match
    from evenodds.core.rule_checks import BadGame as BadGame
    from evenodds.core.rulings import BadRuling as BadRuling
    from evenodds.core.terms import BadSeat as BadSeat
    from evenodds.core.terms import BadTerms as BadTerms
    from evenodds.core.terms import agree as agree
    from evenodds.core.vocabulary import FIRST as FIRST
    from evenodds.core.vocabulary import PASS as PASS
    from evenodds.core.vocabulary import SECOND as SECOND
    from evenodds.core.vocabulary import Outcome as Outcome
    from evenodds.core.vocabulary import State as State
    from evenodds.graph import TooLarge as TooLarge
    from evenodds.players.levels import PlayerLike as PlayerLike
    from evenodds.players.player import Forfeit as Forfeit
    from evenodds.players.player import Player as Player
    from evenodds.players.player import UnknownPlayer as UnknownPlayer
    from evenodds.policy import BadPolicy as BadPolicy
    from evenodds.policy import Odds as Odds
    from evenodds.policy import Policy as Policy
    from evenodds.policy import Response as Response
    from evenodds.policy import Simulation as Simulation
    from evenodds.policy import UncountedRepetition as UncountedRepetition
    from evenodds.policy import Uniform as Uniform
    from evenodds.policy import best_response as best_response
    from evenodds.policy import exploitability as exploitability
    from evenodds.policy import odds as odds
    from evenodds.policy import simulate as simulate
    from evenodds.solver import Solution as Solution
    from evenodds.solver import UnreachablePosition as UnreachablePosition
    from evenodds.solver import solve as solve
    from evenodds.study.report import StudyReport as StudyReport
    from evenodds.system.errors import EvenOddsError as EvenOddsError

    from . import matrix as matrix

__all__ = sorted(names)
