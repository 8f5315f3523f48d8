"""Score cards as tables, as Markdown, and side by side as one page with plots."""

from collections.abc import Sequence
from typing import Any, Final

from evenodds.arena.card import REFERENCE_RUNS, Figure, Reference, ScoreCard
from evenodds.arena.tables import notes_markdown, table_markdown
from evenodds.arena.tally import EXACT_MARK
from evenodds.core.rulings import format_rulings
from evenodds.figures import counted
from evenodds.render.charts import interval_chart
from evenodds.render.pages import Chart, Note, Section, Table, render_page
from evenodds.system.text import TextTable

LEGEND: Final = (
    "Exploitability is what an opponent that has seen how you pick takes from a match, from 0 "
    "(nobody gains anything against you) to 100 (you always lose). The card finds a lower bound, "
    "but for chance, as that opponent knows only what it has seen: for you with a 95% interval, "
    f"for the players to compare with as the mean of {REFERENCE_RUNS} cards of the usual length. "
    f"Compare yours with these; {EXACT_MARK} is exact, which for you is not known. To be hard to "
    "predict counts as much as to know good picks."
)
DETAIL_LEGEND: Final = (
    "In %: the score against reader, an opponent that watches how you pick, with its 95% interval, "
    "and the loss, the expected score that a pick gives away against exact play."
)


def card_title(card: ScoreCard) -> str:
    """The title line: player and edition."""
    return f"{card.player}: score card, edition {card.card}."


def provenance(card: ScoreCard) -> str:
    """How the figures came about, in sentences."""
    matches = sum(game.matches for game in card.games.values())
    picks = sum(game.picks for game in card.games.values())
    made = f"Even Odds {card.version}, {card.date}"
    said = f"{made}: {counted(picks, 'picks')}, {matches:,} matches counted."
    if card.requests:
        about = "about " if card.guessed else ""
        passed = ", ".join(f"{key}={value}" for key, value in card.parameters.items())
        said += (
            f" Asked by the {card.question} question"
            f"{f' with {passed}' if passed else ''}: {counted(card.requests, 'answers')}, "
            f"{about}{card.tokens:,} tokens."
        )
    return said


def score_table(card: ScoreCard) -> TextTable:
    """The exploitability in each game and overall: the player, then those to compare with."""
    games = card.games.values()
    own = [_cell(game.exploitability) for game in games]
    rows = [(card.player, *own, _cell(card.overall))]
    for name, mean in card.references.items():
        row = (*(game.references[name] for game in games), mean)
        rows.append((name, *(f"{100 * one.by_card:.1f}" for one in row)))
        exact = (f"{100 * one.exact:.1f}{EXACT_MARK}" for one in row)
        rows.append((f"{name}, exactly", *exact))
    return TextTable(("exploitability", *card.games, "overall"), rows)


def detail_table(card: ScoreCard) -> TextTable:
    """A row for each game: the score against `reader`, the loss, and what was played."""
    rows: list[tuple[str, ...]] = [
        (
            name,
            _cell(game.reader),
            f"{100 * game.loss:.2f}",
            f"{game.picks:,}",
            f"{game.matches:,}",
            f"{sum(game.forfeits.values()):,}",
        )
        for name, game in card.games.items()
    ]
    return TextTable(("game", "against reader", "loss", "picks", "matches", "forfeits"), rows)


def _cell(figure: Figure) -> str:
    return f"{100 * figure.value:.1f} ({100 * figure.low:.0f}-{100 * figure.high:.0f})"


def card_notes(card: ScoreCard) -> dict[str, list[str]]:
    """Rulings, forfeits and bad answers, by heading."""
    faults = card.faults
    forfeits = [
        f"{name}, {count:,} {'time' if count == 1 else 'times'}: {why}"
        for name, game in card.games.items()
        for why, count in game.forfeits.items()
    ]
    kinds = {
        "could not be read (form)": faults.unreadable,
        "named an illegal pick (play)": faults.illegal,
        "reached the limit of their length before a pick": faults.cut_off,
    }
    answers = [f"{counted(count, 'answers')} {what}" for what, count in kinds.items() if count]
    return {
        "Rulings": [f"{name}: {format_rulings(game.rulings)}" for name, game in card.games.items()],
        "Forfeits": forfeits,
        "Answers": answers,
    }


def as_markdown(card: ScoreCard) -> str:
    """The card as a page of Markdown."""
    parts = [
        f"# {card_title(card)}",
        table_markdown(score_table(card)),
        LEGEND,
        table_markdown(detail_table(card)),
        DETAIL_LEGEND,
        provenance(card),
        *notes_markdown(card_notes(card)),
    ]
    return "\n\n".join(parts) + "\n"


def side_by_side(cards: Sequence[ScoreCard]) -> str:
    """Several cards as one page with plots, for their games in common."""
    games = [name for name in cards[0].games if all(name in card.games for card in cards)]
    names = [
        f"{place}. {card.player.rpartition('@')[0] or card.player}"
        for place, card in enumerate(cards, 1)
    ]

    def plot(id: str, title: str, found: Sequence[Figure], others: dict[str, Reference]) -> Section:
        rows = {
            name: (one.value, one.low, one.high) for name, one in zip(names, found, strict=True)
        }
        rows |= {name: (one.by_card,) * 3 for name, one in others.items()}
        exact = {name: one.exact for name, one in others.items()}
        chart = interval_chart(f"{id}-chart", title, rows, exact)
        about = "Points: what cards find, with its 95% interval. Bars: exact. The left is better."
        return Section(id, title, [Chart("Exploitability", about, chart)])

    parts: list[Any] = [
        plot(name, name, [card.games[name].exploitability for card in cards],
             cards[0].games[name].references)
        for name in games
    ]  # fmt: skip
    if all([*card.games] == games for card in cards):
        overall = [card.overall for card in cards]
        parts.insert(0, plot("overall", "Overall", overall, cards[0].references))
    rows = [[name, provenance(card)] for name, card in zip(names, cards, strict=True)]
    told = Table("How the figures came about", ["Player", "Provenance"], rows, stack=True)
    parts.append(Section("provenance", "How the figures came about", [told, Note(LEGEND)]))
    return render_page("arena/cards.html.jinja", parts=parts, names=names)
