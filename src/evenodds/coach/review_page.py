"""Reviews as a self-contained HTML page."""

from typing import Any, Final

from evenodds.coach import review_text
from evenodds.coach.review import Review
from evenodds.render.charts import Series, line_chart
from evenodds.render.pages import Chart, render_page

CURVE_WIDTH_PX: Final = 420
HEADS: Final = ("Player", "Pick", "Before", "After", "Cost", "Guess")


def render_review_page(reviews: list[Review]) -> str:
    """One page with a part for every match."""
    title = _title(reviews[0]) if len(reviews) == 1 else "Reviews"
    parts = [_part(number, review) for number, review in enumerate(reviews, 1)]
    return render_page("coach/review.html.jinja", title=title, parts=parts)


def _title(review: Review) -> str:
    return review.match.terms.title_for(review.names)


def _part(number: int, review: Review) -> dict[str, Any]:
    match = review.match
    part = {
        "title": _title(review),
        "result": review_text.result_line(match, review.names),
        "lessons": review_text.lessons(review),
        "curve": None,
    }
    if not review.picks:
        return part
    return part | {
        "curve": _curve(number, review),
        "heads": (match.game.round_word.capitalize(), *HEADS),
        "turning_point": review_text.turning_point(review),
        "accuracies": review_text.accuracies(review),
        "picks": [
            (pick, review.names[pick.seat], review_text.pick_cells(pick)) for pick in review.picks
        ],
        "explanation": review_text.explain_figures(review),
    }


def _curve(number: int, review: Review) -> Chart:
    """The expected score of a seat after each round, from 0 to 100%."""
    label, curve = review_text.expected_scores(review)
    step = review.match.game.round_word
    names = ["at the start", *(f"after {step} {number}" for number in range(1, len(curve)))]
    chart = line_chart(
        f"curve-{number}",
        label,
        names,
        [Series(label, "one", curve)],
        low=0.0,
        high=1.0,
        width=CURVE_WIDTH_PX,
        labelled=False,
    )
    return Chart(f"{label}, {step} by {step}, in %", "", chart)
