"""Arenas and benchmarks for a program: players meet, and results come back as data."""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any, Final, NamedTuple

from evenodds.api.players import named_players
from evenodds.arena import benchmark, tables
from evenodds.arena.benchmark import run_card
from evenodds.arena.schedule import (
    DEFAULT_BENCHMARK_MATCHES,
    BadPlan,
    Plan,
    benchmark_plan,
    check_matches,
    check_plan,
)
from evenodds.arena.tables import PairScore, pair_score
from evenodds.arena.tally import PlayerRow
from evenodds.arena.tournament import ArenaDisplay, run_plan
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike, RuledGame
from evenodds.core.game import Game
from evenodds.core.rulings import as_int
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import PlayerLike
from evenodds.players.player import pick_seconds_fault
from evenodds.players.registry import is_built_in_player, is_external
from evenodds.policy import check_policy
from evenodds.system.progress import silent
from evenodds.system.text import shorten
from evenodds.workers.processes import ProcessPool

DEFAULT_ARENA_MATCHES: Final = 1000
SILENT_DISPLAY: Final = ArenaDisplay(
    lambda: nullcontext(silent), lambda results: nullcontext(lambda tally: None)
)


class ArenaReport(NamedTuple):
    """The results of an arena."""

    standings: list[PlayerRow]
    """The players, the best first, with score, rating, loss of a pick and forfeits."""
    pairs: list[PairScore]
    markdown: str
    """The same as tables in Markdown."""

    def score(self, one: str, two: str) -> float | None:
        """The score of one player against another; None where they have not met."""
        for pair in self.pairs:
            if (pair.one, pair.two) == (one, two):
                return pair.score
            if (pair.one, pair.two) == (two, one) and pair.score is not None:
                return 1 - pair.score
        return None


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during an arena; `report` has the results of the matches played before."""

    def __init__(self, played: int, planned: int, report: ArenaReport) -> None:
        super().__init__(f"the arena was interrupted after {played:,} of {planned:,} matches")
        self.report = report


class GameCard(NamedTuple):
    """The results of a score card in one game."""

    scores: list[PairScore]
    """Against each opponent, from the weakest to the strongest."""
    loss: float | None
    """The mean loss of a pick against exact play, in expected score."""
    forfeits: dict[str, int]
    """Matches lost by forfeit, by the reason."""


class BenchmarkReport(NamedTuple):
    """The score card of a player."""

    player: str
    games: dict[str, GameCard]
    markdown: str
    """The same as tables in Markdown."""


def run_arena(
    game: GameLike,
    players: Mapping[str, PlayerLike] | Iterable[PlayerLike],
    *,
    matches: int = DEFAULT_ARENA_MATCHES,
    seed: int = 0,
    gauntlet: bool = False,
    seconds: float | None = None,
) -> ArenaReport:
    """Let players meet, each pair in so many matches, half of them in either seat.

    A player is a name, `"level:4"` or `"cmd:./mybot"`, or a policy: a function of position and seat
    that returns a mix or a number, a mapping, or a solution. A mapping gives them names. Where both
    are solutions, `Uniform` or players that we know, the score is exact; else it is sampled. With
    `gauntlet` only the first meets the others; `seconds` is what a program or a language model has
    for a pick. Raises `BadPlan`, `UnknownPlayer`, `BadPolicy` or `ArenaStopped` in one line. Ctrl-C
    raises `ArenaInterrupted`, a `KeyboardInterrupt` that has the results so far.
    """
    matches, seed = _checked_matches(matches, seconds), _checked_whole("seed", seed)
    ruled = catalog.settle(game, {})
    named = named_players(players)
    names = tuple(name for name, _ in named)
    plan = Plan(ruled.game, ruled.rulings, names, matches, seed, gauntlet, True, seconds)
    own = _own_players(ruled.game, ruled.rulings, named)
    check_plan(plan, own=own)
    results = run_plan(plan, ProcessPool(), None, SILENT_DISPLAY, own=own)
    report = ArenaReport(
        results.tally.rows(),
        [pair_score(results, *pair) for pair in plan.pairs],
        tables.as_markdown(results),
    )
    if results.tally.bouts < plan.bouts:
        raise ArenaInterrupted(2 * results.tally.bouts, 2 * plan.bouts, report)
    return report


def run_benchmark(
    player: PlayerLike,
    *,
    games: GameLike | Iterable[GameLike] | None = None,
    matches: int = DEFAULT_BENCHMARK_MATCHES,
    seconds: float | None = None,
) -> BenchmarkReport:
    """The score card of a player: all games against opponents from random to perfect.

    Opponents and seeds are the same for everyone. A function is asked about positions of all the
    games, or of those in `games`. So are the rulings: a game with others is refused. Raises what
    `run_arena` raises, and at Ctrl-C a `KeyboardInterrupt`: half a card cannot be compared.
    """
    matches = _checked_matches(matches, seconds)
    asked: Any = [games] if isinstance(games, str | Game | RuledGame) else games
    if not isinstance(asked := catalog.list_games() if asked is None else asked, Iterable):
        raise BadPlan(f"games={shorten(asked)} is not allowed; allowed: a game or a list of games")
    settled = [catalog.settle(game, {}) for game in asked]
    for game, rulings in settled:
        if rulings != game.rulings():
            raise BadPlan(
                f"a score card of {game.name} is played under its usual rulings; "
                "run_arena takes others"
            )
    wanted = dict.fromkeys(game for game, _ in settled)
    ((name, _),) = named = named_players([player])
    plans = [benchmark_plan(game, name, matches, seconds) for game in wanted]
    own: dict[str, PlayerLike] = {}
    for plan in plans:
        own |= _own_players(plan.game, plan.rulings, named)
        check_plan(plan, twice=True, own=own)
    if not plans or not matches:
        raise BadPlan("a score card takes one game or more, and two matches or more")
    card = run_card(name, plans, ProcessPool(), None, SILENT_DISPLAY, own=own)
    return BenchmarkReport(
        name,
        {
            scores.game.name: GameCard(scores.pairs, scores.row.loss, scores.row.forfeits)
            for scores in card.games
        },
        benchmark.as_markdown(card),
    )


def _checked_whole(name: str, value: Any) -> int:
    number = as_int(value)
    if number is None:
        raise BadPlan(f"{name}={shorten(repr(value))} is not allowed; allowed: whole numbers")
    return number


def _checked_matches(matches: Any, seconds: Any) -> int:
    number = _checked_whole("matches", matches)
    check_matches(number, f"matches={number}")
    if seconds is not None and (fault := pick_seconds_fault(seconds)):
        raise BadPlan(f"seconds={shorten(repr(seconds))} {fault}")
    return number


def _own_players(
    game: AnyGame, rulings: Settled, named: Iterable[tuple[str, PlayerLike]]
) -> dict[str, PlayerLike]:
    """Those that other processes do not know by their names."""
    own: dict[str, PlayerLike] = {}
    for name, player in named:
        if isinstance(player, str) and name == player:
            continue
        if is_built_in_player(name) or is_external(name) or name in own:
            raise BadPlan(
                f'there is a player "{name}" already; give yours another name: {{"mine": policy}}'
            )
        own[name] = player if isinstance(player, str) else check_policy(game, rulings, player)
    return own
