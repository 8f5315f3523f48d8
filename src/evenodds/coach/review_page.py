"""Reviews as a self-contained HTML page."""

from html import escape
from typing import Final

from evenodds.coach.review import Review, ReviewedPick
from evenodds.coach.review_text import (
    accuracies,
    explain_figures,
    lessons,
    pick_cells,
    result_line,
    turning_point,
)
from evenodds.core.vocabulary import FIRST
from evenodds.figures.formatting import percent
from evenodds.render.html import escape_text, figure, page, paragraph

WIDTH_PX: Final = 420
HEIGHT_PX: Final = 146
MARGIN_PX: Final = 34
EDGE_PX: Final = 12

REVIEW_CSS: Final = """
:root { color-scheme: light dark; --first: #0b7285; --second: #a61e7d; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
figure { margin: 1rem 0; } figcaption { font-size: .9rem; }
svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
table { border-collapse: collapse; width: 100%; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .35rem; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:nth-child(2), td:nth-child(2) { text-align: left; white-space: normal; }
td.gave { font-weight: 700; }
.first { color: var(--first); } .second { color: var(--second); }
@media (prefers-color-scheme: dark) { :root { --first: #66d9e8; --second: #f783ac; } }
@media (max-width: 34rem) {
  table { font-size: .8rem; }
  tr { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); padding: .2rem 0;
    border-bottom: 1px solid var(--line); }
  th, td { border: 0; padding: .1rem; }
  td:nth-child(2) { grid-row: 1; grid-column: 1 / -1; }
  th:nth-child(2) { display: none; }
}
small { opacity: .75; }
"""


def render_review_page(reviews: list[Review]) -> str:
    """One page with a part for every match."""
    parts = "\n<hr>\n".join(map(_part, reviews))
    title = reviews[0].match.terms.title if len(reviews) == 1 else "Reviews"
    return page(title, REVIEW_CSS, f"{parts}\n")


def _part(review: Review) -> str:
    match = review.match
    items = "".join(f"<li>{escape_text(sentence)}</li>\n" for sentence in lessons(review))
    learn = f"<h2>To learn from</h2>\n<ul>\n{items}</ul>\n" if items else ""
    head = f"<h1>{escape(match.terms.title)}</h1>\n{paragraph(result_line(match))}"
    if not review.picks:
        return f"{head}{paragraph('Nothing was played.')}{learn}"
    return (
        f"{head}{_curve(review)}{paragraph(turning_point(review))}"
        f"{paragraph(accuracies(review))}{learn}{_table(review)}\n"
        f"<p><small>{escape_text(explain_figures(review))}</small></p>"
    )


def _table(review: Review) -> str:
    names = ("Round", "Player", "Pick", "Before", "After", "Gave", "Luck")
    heads = "".join(f"<th>{name}</th>" for name in names)
    rows = "\n".join(_row(review, pick) for pick in review.picks)
    return (
        "<h2>Every pick, scores in %</h2>\n<table>\n"
        f"<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table>"
    )


def _row(review: Review, pick: ReviewedPick) -> str:
    style = "first" if pick.seat == FIRST else "second"
    name = escape(review.match.names[pick.seat])
    before, after, gave, luck = map(escape, pick_cells(pick))
    return (
        f'<tr><td>{pick.round}</td><td class="{style}">{name}</td><td>{pick.number}</td>'
        f"<td>{before}</td><td>{after}</td>"
        f"<td{' class=gave' if pick.loss else ''}>{gave.replace('-', '–')}</td>"
        f"<td>{luck.replace('-', '−')}</td></tr>"
    )


def _curve(review: Review) -> str:
    """The expected score of the first seat after each round, from 0 to 100 %."""
    inner = WIDTH_PX - 2 * MARGIN_PX
    steps = max(1, len(review.curve) - 1)
    points = [
        (MARGIN_PX + inner * place / steps, _high(score))
        for place, score in enumerate(review.curve)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--first)">'
        f"<title>{'at the start' if not place else f'after round {place}'}: {percent(score)}"
        "</title></circle>"
        for place, ((x, y), score) in enumerate(zip(points, review.curve, strict=True))
    )
    levels = "".join(_level(share) for share in (0.0, 0.5, 1.0))
    label = f"Expected score of {review.match.names[FIRST]}"
    return figure(
        f"{label}, round by round, in %",
        "",
        f'<svg viewBox="0 0 {WIDTH_PX} {HEIGHT_PX}" role="img" aria-label="{escape(label)}">'
        f'{levels}<polyline points="{line}" fill="none" stroke="var(--first)" stroke-width="2"/>'
        f"{dots}</svg>\n",
    )


def _high(score: float) -> float:
    # SVG coordinates grow downwards.
    return EDGE_PX + (HEIGHT_PX - 2 * EDGE_PX) * (1 - score)


def _level(share: float) -> str:
    y = _high(share)
    return (
        f'<line x1="{MARGIN_PX}" x2="{WIDTH_PX - MARGIN_PX}" y1="{y}" y2="{y}" '
        'stroke="var(--line)"/>'
        f'<text x="{MARGIN_PX - 8}" y="{y + 4}" text-anchor="end">{100 * share:.0f}</text>'
    )
