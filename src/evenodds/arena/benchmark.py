"""Benchmark of one player: every game against fixed opponents with a fixed seed."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from evenodds.arena import tables
from evenodds.arena.schedule import BENCHMARK_SEED, OPPONENTS, Plan
from evenodds.arena.tally import EXACT_MARK, PairScore, PlayerRow, Tally
from evenodds.arena.tournament import ArenaDisplay, run_plan
from evenodds.claims.study_figures import PERFECT_STRATEGY_NOTE
from evenodds.figures import to_data
from evenodds.players.levels import PlayerLike
from evenodds.study.level_strength import Strengths, skill_sentence, strengths, under_best_play
from evenodds.system.text import TextTable
from evenodds.workers.task import TaskRunner

BENCHMARK_EDITION: Final = 1
"""Raised when the method changes: cards of different editions cannot be compared."""
LOSS_EXPLANATION: Final = (
    "A win rate against one opponent says little here. Where parity decides who wins, everyone "
    "scores 50%; where best play is a draw, a perfect player rarely wins; and where both pick at "
    "once, luck has its share, so that even perfect play wins only so often. The loss tells more: "
    "what a pick gives away on average against exact play, in % of a match, from the exact value "
    f"of every position that came up. {PERFECT_STRATEGY_NOTE}"
)
SAMPLED_NOTE: Final = (
    f"Scores marked {EXACT_MARK} are exact, the others sampled; "
    "their 95% intervals are in the JSON."
)


class GameScores(NamedTuple):
    """The results of a score card in one game, and the exact strengths of the opponents."""

    game: str
    tally: Tally
    strengths: Strengths

    @property
    def row(self) -> PlayerRow:
        """The totals of the benchmarked player."""
        return next(row for row in self.tally.rows() if row.entry == 1)

    @property
    def pairs(self) -> list[PairScore]:
        """The scores against each of `OPPONENTS`."""
        return [self.tally.pair(0, place) for place in range(1, len(OPPONENTS) + 1)]


class ScoreCard(NamedTuple):
    """The scores of a player in all games."""

    player: str
    matches: int
    games: list[GameScores]


def run_card(
    player: str,
    plans: list[Plan],
    runner: TaskRunner,
    folder: Path | None,
    display: ArenaDisplay,
    budget_file: Path | None = None,
    own: Mapping[str, PlayerLike] = MappingProxyType({}),
) -> ScoreCard:
    """Play every game of a score card, and compute the strengths of the opponents.

    `own` holds the player where it has no name (`run_plan`).
    """
    games = []
    for plan in plans:
        game_folder = folder / plan.game.name if folder else None
        tally = run_plan(plan, runner, game_folder, display, budget_file=budget_file, own=own)
        if tally.bouts < plan.bouts:
            raise KeyboardInterrupt
        with display.progress_bar() as progress:
            found = strengths(plan.game, plan.rulings, progress)
        games.append(GameScores(plan.game.name, tally, found))
    return ScoreCard(player, plans[0].matches, games)


def score_table(card: ScoreCard) -> TextTable:
    """A row for each game: the score against each opponent, loss per pick, and forfeits."""
    rows = [
        (
            scores.game,
            *(pair.cell for pair in scores.pairs),
            *tables.loss_and_forfeits(scores.row),
        )
        for scores in card.games
    ]
    return TextTable(("score in % against", *OPPONENTS, "loss", "forfeits"), rows)


def perfect_play_table(card: ScoreCard) -> TextTable:
    """A row for each game: what perfect play scores against each opponent, exactly."""
    rows = [
        (scores.game, *(f"{100 * one:.1f}" for one in _perfect_scores(scores).values()))
        for scores in card.games
    ]
    return TextTable(("perfect scores, exactly", *OPPONENTS), rows)


def _perfect_scores(scores: GameScores) -> dict[str, float]:
    """What perfect play scores against each opponent of a card, on average over both seats."""
    found = scores.strengths
    against = {strength.name: 1 - strength.perfect for strength in found.levels}
    known = {"random": found.perfect_score, "perfect": 0.5} | against
    return {name: known[name] for name in OPPONENTS}


def game_facts(card: ScoreCard) -> list[str]:
    """Exact facts about each game that help to interpret its scores."""
    return [f"{scores.game}: {_fact(scores)}" for scores in card.games]


def _fact(scores: GameScores) -> str:
    game, found = scores.tally.plan.game, scores.strengths
    said, best = skill_sentence(game, found), under_best_play(found.value)
    return said if game.simultaneous or best in said else f"{said} {best[:1].upper()}{best[1:]}."


def card_title(card: ScoreCard) -> str:
    """The title line: player, matches and edition."""
    return f"{card.player}: {card.matches} matches against each opponent, card {BENCHMARK_EDITION}."


def card_notes(card: ScoreCard) -> dict[str, list[str]]:
    """The notes of all games, by heading."""
    found: dict[str, list[str]] = {}
    for scores in card.games:
        for head, lines in tables.arena_notes(scores.tally).items():
            found.setdefault(head, []).extend(f"{scores.game}: {line}" for line in lines)
    return found


def as_markdown(card: ScoreCard) -> str:
    """The card as a page of Markdown."""
    parts = [
        f"# {card_title(card)}",
        tables.table_markdown(score_table(card)),
        SAMPLED_NOTE,
        tables.table_markdown(perfect_play_table(card)),
        LOSS_EXPLANATION,
        "\n".join(f"- {fact}" for fact in game_facts(card)),
    ]
    parts += tables.notes_markdown(card_notes(card))
    return "\n\n".join(parts) + "\n"


def as_data(card: ScoreCard) -> dict[str, Any]:
    """The card as plain data."""
    return {
        "card": BENCHMARK_EDITION,
        "player": card.player,
        "matches": card.matches,
        "seed": BENCHMARK_SEED,
        "opponents": list(OPPONENTS),
        "games": {scores.game: _game_data(scores) for scores in card.games},
    }


def _game_data(scores: GameScores) -> dict[str, Any]:
    row, pairs = scores.row, scores.pairs
    return {
        "exact": {pair.two: pair.exact for pair in pairs},
        "scores": {pair.two: to_data(pair.sampled) for pair in pairs},
        "perfect": _perfect_scores(scores),
        "loss": row.loss,
        "forfeits": row.forfeits,
        "faults": to_data(row.faults),
        "fact": _fact(scores),
    }
