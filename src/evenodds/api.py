"""What a program asks for in a few lines: players, arenas, benchmarks and studies.

The root package hands these functions on.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from evenodds.arena import schedule
from evenodds.arena.card import GameCard, ScoreCard
from evenodds.arena.schedule import BadPlan, Plan
from evenodds.claims.study_figures import Odds
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike, RuledGame
from evenodds.core.game import Game
from evenodds.core.match import Match
from evenodds.core.rulings import as_int
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, check_seat
from evenodds.core.vocabulary import FIRST, SECOND, Seat, Settled
from evenodds.engine.odds import check_countable, odds_between
from evenodds.engine.policies import Policy, check_policy
from evenodds.engine.solve import solve_settled
from evenodds.players import registry
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.players.player import Player, UnknownPlayer, pick_seconds_fault
from evenodds.study.report import StudyReport, study_report_of
from evenodds.system import Progress, silent
from evenodds.system.files import write_output
from evenodds.system.imports import needs
from evenodds.system.text import as_given, shorten

if TYPE_CHECKING:
    from evenodds.arena.tally import PairScore, PlayerRow
    from evenodds.arena.tournament import ArenaDisplay


def make_player(
    match: Match,
    seat: Seat,
    player: PlayerLike,
    *,
    seed: int | None = None,
    seconds: float | None = None,
) -> Player:
    """A player for a seat of a match, which picks by `player.pick(match.view(seat))`.

    It is the name of a player, `"level:4"` or `"cmd:./mybot"`, or a policy: a function of position
    and seat that returns a mix or a number, a mapping, or a solution. `seconds` is what a program
    or a language model has for a pick. Such players run until `player.leave(match.view(seat))`.
    Raises `UnknownPlayer`, `BadPolicy` or `BadTerms` in one line. A player that cannot go on raises
    `Forfeit`.
    """
    if not isinstance(match, Match):
        raise BadTerms(f"match={shorten(match)} is not allowed; allowed: a Match")
    check_seat(seat)
    _check_seconds(seconds, BadTerms)
    rng = Random(None if seed is None else _checked_whole("seed", seed, BadTerms))
    terms = match.terms
    if not isinstance(player, str):
        return registry.opponent(check_policy(terms.game, terms.rulings, player), terms, seat, rng)
    limit = registry.pick_timeout_s(player, seconds)
    return registry.opponent(player, terms, seat, rng, bot_seconds=limit)


def make_policy(game: GameLike, name: str) -> Policy:
    """How a player of ours picks, for `odds`, `exploitability` and the like: `"level:4"`.

    Raises `UnknownPlayer` for a name that there is not, and for players that look at more than the
    position.
    """
    ruled = catalog.settle(game, {})
    policy = policy_of(ruled.game, registry.check_opponent(name), lambda: solve_settled(*ruled))
    if policy is None:
        raise UnknownPlayer(f"{name} depends on more than the position, so it is not a policy")
    return policy


def odds(
    game: GameLike,
    first: PlayerLike,
    second: PlayerLike,
    *,
    repetition: int = DEFAULT_REPETITION,
    progress: Progress | None = None,
) -> Odds:
    """The exact odds between two ways to play, first seat and second: names, or policies.

    As in a match a position that comes up 3 times is a draw, unless `repetition` says otherwise; 0
    stands for never, and endless play has a share of its own then. Raises `UncountedRepetition`
    under the few rulings where that draw cannot be computed exactly, and what `make_policy` raises.
    """
    with needs("solver"):
        from evenodds.engine.graph import graph_of
        from evenodds.engine.strategies import policy_shares

    one, two = (make_policy(game, it) if isinstance(it, str) else it for it in (first, second))
    graph = graph_of(game, progress)
    repetition = check_countable(graph, repetition)
    sides = policy_shares(graph, one, FIRST), policy_shares(graph, two, SECOND)
    return odds_between(graph, *sides, repetition)


def run_study(game: GameLike, *, progress: Progress = silent) -> StudyReport:
    """The exact truth about a rule book: its figures, claims, questions and variants.

    Raises `TooLarge` for rulings that cannot be solved, or `BadGame`, in one line.
    """
    ruled = catalog.settle(game, {})
    catalog.add(ruled.game)  # a study has the game's name only
    return study_report_of(ruled.game, ruled.rulings, progress)


def write_study_page(report: StudyReport, path: str | os.PathLike[str]) -> None:
    """Write a study as a web page that stands alone; an `EvenOddsError` where it cannot be."""
    from evenodds.study.pages.report_page import render_report  # slow to import

    write_output(Path(path), render_report(*report))


class ArenaReport(NamedTuple):
    """The results of an arena; a notebook shows its tables."""

    standings: "list[PlayerRow]"
    """The players, the best first, with score, rating, loss of a pick and forfeits."""
    pairs: "list[PairScore]"
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

    def _repr_markdown_(self) -> str:
        return self.markdown


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during an arena; `report` has the results of the matches played before."""

    def __init__(self, played: int, planned: int, report: ArenaReport) -> None:
        super().__init__(f"the arena was interrupted after {played:,} of {planned:,} matches")
        self.report = report


class BenchmarkReport(NamedTuple):
    """The score card of a player."""

    card: ScoreCard
    """All figures, with their intervals, reference rows and where they come from."""
    markdown: str
    """The same as tables in Markdown."""

    @property
    def games(self) -> dict[str, GameCard]:
        """The figures of each game."""
        return self.card.games

    def _repr_markdown_(self) -> str:
        return self.markdown


def run_arena(
    game: GameLike,
    players: Mapping[str, PlayerLike] | Iterable[PlayerLike],
    *,
    matches: int = 1000,
    seed: int | None = None,
    gauntlet: bool = False,
    seconds: float | None = None,
) -> ArenaReport:
    """Let players meet, each pair in so many matches, half of them in either seat.

    A player is a name, `"level:4"` or `"cmd:./mybot"`, or a policy: a function of position and seat
    that returns a mix or a number, a mapping, or a solution. A mapping gives them names. Where both
    are solutions, `Uniform` or players that we know, the score is exact; else it is sampled. With
    `gauntlet` only the first meets the others; `seconds` is what a program or a language model has
    for a pick. Without `seed` functions and programs cannot foresee what chance draws; all else is
    repeatable. Raises `BadPlan`, `UnknownPlayer`, `BadPolicy` or `ArenaStopped` in one line. Ctrl-C
    raises `ArenaInterrupted`, a `KeyboardInterrupt` that has the results so far.
    """
    # These need NumPy, which studies and players that come along do not.
    from evenodds.arena.tables import as_markdown
    from evenodds.arena.tournament import run_plan
    from evenodds.workers.processes import ProcessPool

    matches = _checked_matches(matches, seconds)
    ruled = catalog.settle(game, {})
    named = _named_players(players)
    names = tuple(name for name, _ in named)
    usual = schedule.usual_seed(ruled.game, names)
    seed = usual if seed is None else _checked_whole("seed", seed)
    plan = Plan(ruled.game, ruled.rulings, names, matches, seed, gauntlet, seconds)
    own = _own_players(ruled.game, ruled.rulings, named)
    schedule.check_plan(plan, own=own)
    results = run_plan(plan, ProcessPool(), None, _silent_display(), own=own)
    pairs = [results.pair(*pair) for pair in plan.pairs]
    report = ArenaReport(results.rows(), pairs, as_markdown(results))
    if results.bouts < plan.bouts:
        raise ArenaInterrupted(2 * results.bouts, 2 * plan.bouts, report)
    return report


def run_benchmark(
    player: PlayerLike,
    *,
    games: GameLike | Iterable[GameLike] | None = None,
    matches: int | None = None,
    seconds: float | None = None,
    question: str = "listed",
    parameters: Mapping[str, Any] = MappingProxyType({}),
    parallel: int = 1,
    folder: str | os.PathLike[str] | None = None,
) -> BenchmarkReport:
    """The score card of a player: what an opponent takes that has seen how it picks, and more.

    Without `games` it is asked about underdog, margin, duel and factors. `matches` is how many
    count in each game. A model gets the edition `question` of the question, with `parameters` such
    as `temperature`, `parallel` of them at once; with a `folder` no answer is asked for twice.
    Raises what `run_arena` raises, and at Ctrl-C a `KeyboardInterrupt`.
    """
    # As for an arena.
    from evenodds.arena.card_page import as_markdown
    from evenodds.arena.card_plan import EFFORTS, CardPlan, check_card
    from evenodds.arena.score_card import run_card

    _check_seconds(seconds, BadPlan)
    if matches is not None:
        matches = _checked_matches(matches, seconds)
    asked: Any = [games] if isinstance(games, str | Game | RuledGame) else games
    if not isinstance(asked := EFFORTS if asked is None else asked, Iterable):
        raise BadPlan(f"games={shorten(asked)} is not allowed; allowed: a game or a list of games")
    settled = tuple(dict.fromkeys(catalog.settle(game, {}) for game in asked))
    ((name, _),) = named = _named_players([player])
    if isinstance(player, str):
        registry.check_opponent(player, allow_external=True)
    for game, rulings in settled:
        _own_players(game, rulings, named)
    plan = check_card(CardPlan(name, settled, matches, seconds, question, parameters), parallel)
    place = None if folder is None else Path(folder)
    card = run_card(plan, player, place, lambda: nullcontext(silent), None, parallel)
    return BenchmarkReport(card, as_markdown(card))


def _silent_display() -> "ArenaDisplay":
    from evenodds.arena.tournament import ArenaDisplay

    return ArenaDisplay(
        lambda: nullcontext(silent), lambda results: nullcontext(lambda tally: None)
    )


def _checked_whole(name: str, value: Any, refusal: type[Exception] = BadPlan) -> int:
    if (number := as_int(value)) is None:
        raise refusal(f"{name}={as_given(value)} is not allowed; allowed: whole numbers")
    return number


def _checked_matches(matches: Any, seconds: Any) -> int:
    number = _checked_whole("matches", matches)
    schedule.check_matches(number, f"matches={number}")
    _check_seconds(seconds, BadPlan)
    return number


def _check_seconds(seconds: Any, refusal: type[Exception]) -> None:
    if seconds is not None and (fault := pick_seconds_fault(seconds)):
        raise refusal(f"seconds={as_given(seconds)} {fault}")


def _named_players(
    players: Mapping[str, PlayerLike] | Iterable[PlayerLike],
) -> list[tuple[str, PlayerLike]]:
    """Players with their names: their own, that of a function, or of the class of a policy."""
    players = [players] if isinstance(players, str) else players
    if isinstance(players, Mapping):
        for name in players:
            if not isinstance(name, str):
                raise UnknownPlayer(f"{as_given(name)} is not a name of a player, which is text")
        return list(players.items())
    if not isinstance(players, Iterable):
        allowed = "a list or a mapping of players"
        raise UnknownPlayer(f"players={shorten(players)} is not allowed; allowed: {allowed}")
    return [
        (player, player)
        if isinstance(player, str)
        else (str(getattr(player, "__name__", type(player).__name__)), player)
        for player in players
    ]


def _own_players(
    game: AnyGame, rulings: Settled, named: Iterable[tuple[str, PlayerLike]]
) -> dict[str, PlayerLike]:
    """Those that other processes do not know by their names."""
    own: dict[str, PlayerLike] = {}
    for name, player in named:
        if isinstance(player, str) and name == player:
            continue
        if registry.is_built_in_player(name) or registry.external_kind(name) or name in own:
            raise BadPlan(
                f'there is a player "{name}" already; give yours another name: {{"mine": policy}}'
            )
        own[name] = player if isinstance(player, str) else check_policy(game, rulings, player)
    return own
