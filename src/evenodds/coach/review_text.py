"""The sentences of a review, shared by terminal, page and API; its JSON and its page."""

from typing import Any, Final

from evenodds.coach.pick_values import REPETITION_FORESIGHT_NOTE, PickValues
from evenodds.coach.reasons import dominating_number_sentence, sentences
from evenodds.coach.review import Review, ReviewedPick, TurningPoint
from evenodds.core.match import Match
from evenodds.core.record import OUTCOMES, VOID_REASONS
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, SEATS, SECOND, Outcome, Seat, other
from evenodds.core.words import Names, winner
from evenodds.figures import join_first, join_words, percent, to_data
from evenodds.render.charts import Series, line_chart
from evenodds.render.pages import Chart, render_page

FIGURES_EXPLANATION = (
    "Before, after: the player's expected score in %, with best play by both (win 100, draw 50). "
    "Cost: what a mistake lost. Guess: what outguessing the opponent won, or being outguessed lost."
)
ACCURACY_DEFINITION = "100%: no mistakes; 0%: the worst pick whenever it mattered"
CURVE_WIDTH_PX: Final = 420
PAGE_HEADS: Final = ("Player", "Pick", "Before", "After", "Cost", "Guess")


def explain_figures(review: Review) -> str:
    """What the figures mean, and their horizon for draws by repetition where one was near."""
    if not review.match.due():
        return FIGURES_EXPLANATION
    beyond = "A draw further ahead shows up under Guess."
    return f"{FIGURES_EXPLANATION} {REPETITION_FORESIGHT_NOTE} {beyond}"


def pick_cells(pick: ReviewedPick) -> tuple[str, str, str, str]:
    """The cells of a pick, in per cent: before, after, loss (`-` for none) and luck."""
    figures = (pick.before, pick.after, pick.loss)
    before, after, gave = (percent(share).removesuffix("%") for share in figures)
    luck = f"{100 * pick.luck:+.1f}" if pick.luck else ""
    return before, after, gave if pick.loss else "-", luck


def result_line(match: Match, names: Names | None = None) -> str:
    """How a match ended, in a sentence."""
    result, names = match.result, names or match.names
    if result is None:
        return "The match is open."
    if result.reason in VOID_REASONS:
        return f"The match was {result.reason}."
    if result.outcome == Outcome.DRAW:
        return "A draw by repetition." if result.reason == "repetition" else "A draw."
    won = winner(result.outcome)
    loser = names.inside(other(won))
    how = {
        "resigned": f": {loser} resigned",
        "time": f": {loser} took too long",  # with a clock or without one
        "forfeit": " by forfeit",
    }
    return f"{names[won]} won{how.get(result.reason, '')}."


def expected_scores(review: Review) -> tuple[str, tuple[float, ...]]:
    """The reader's expected score before each round and after the last, with a label.

    Where nobody is "You", that of the first seat.
    """
    names, curve = review.names, review.curve
    if names.you is None:
        return f"{names[FIRST]}'s expected score", curve
    own = curve if names.you == FIRST else tuple(1 - score for score in curve)
    return "Your expected score", own


def headline(review: Review) -> str:
    """What decided a match, before any figure; nothing where no pick did."""
    turning, result = review.turning_point(), review.match.result
    if turning is None or result is None or result.outcome == Outcome.DRAW:
        return ""
    if review.premature_resignation():
        return ""
    won, names = winner(result.outcome), review.names
    reader = won if names.you is None else names.you
    verb = "won" if reader == won else "lost"
    return f"{names[reader]} {verb} it in {review.match.game.round_word} {turning.round}."


def turning_point(review: Review) -> str:
    """The turning point in a sentence."""
    turning, names = review.turning_point(), review.names
    resigned = review.premature_resignation()
    if resigned is not None:  # no pick has decided the match
        score = f"{names.whose(resigned.seat)} expected score was {percent(resigned.worth)}"
        return f"The turning point was the resignation: {score}."
    if review.decided_otherwise():
        return "There was no turning point: no pick decided the match."
    if turning is None:
        return "There was no turning point: no pick changed the expected result."
    gainer, loser = names.inside(turning.seat), names.inside(other(turning.seat))
    said = f"The turning point was {review.match.game.round_word} {turning.round}: "
    gained = percent(turning.gained)
    if not turning.by_luck and not turning.gave:
        whose, gainers = names.whose(other(turning.seat)), names.whose(turning.seat)
        points = f"{gained.removesuffix('%')} percentage points"
        return f"{said}{whose} mistake raised {gainers} expected score by {points}."
    if not turning.by_mistake and not turning.gave:
        return f"{said}{gainer} outguessed {loser} and gained {gained}."
    return f"{said}{gainer} {_parts(turning, names)}: a gain of {gained}."


def _parts(turning: TurningPoint, names: Names) -> str:
    """The parts of a gain: mistakes and outguessing for it, then those against it."""
    loser = other(turning.seat)
    guessed = percent(abs(turning.by_luck))
    gave, cost = percent(turning.by_mistake), percent(turning.gave)
    gains = [f"{gave} by {names.whose(loser)} mistake"] if turning.by_mistake else []
    losses = [f"{cost} by a mistake"] if turning.gave else []
    if turning.by_luck > 0:
        gains.append(f"{guessed} by outguessing {names.inside(loser)}")
    if turning.by_luck < 0:
        losses.append(f"{guessed} by being outguessed")
    lost = f", but lost {join_words(losses)}" if losses else ""
    return f"won {join_words(gains)}{lost}"


def accuracies(review: Review) -> str:
    """How well both players picked; where neither made a mistake, what decided the match.

    A figure where there was much to decide, else in words, as for a winner without any accuracy.
    """
    names = review.names
    if not any(map(review.mistakes, SEATS)):
        return _faultless(review)
    figures, said = [], []
    for seat in names.order:
        accuracy = review.accuracy(seat)
        if accuracy is None or percent(accuracy) == "0%":
            said.append(count_of_mistakes(review, seat))
        else:
            figures.append(f"{names.inside(seat)} {percent(accuracy)}")
    if figures:
        said.insert(0, f"Accuracy: {join_words(figures)} ({ACCURACY_DEFINITION}).")
    return " ".join(said)


def count_of_mistakes(review: Review, seat: Seat) -> str:
    """How many picks of a player were mistakes, in a sentence."""
    count, whose = review.mistakes(seat), review.names.whose(seat)
    many = f"{count or 'None'} of {whose} picks"
    return f"{many} {'were mistakes' if count > 1 else 'was a mistake'}."


def _faultless(review: Review) -> str:
    """A match without mistakes: the winner has outguessed the loser, where both pick at once."""
    match = review.match
    said = "Neither player made a mistake"
    result = match.result
    if result is None or result.outcome == Outcome.DRAW or result.reason != "rules":
        return f"{said}."
    if not match.game.simultaneous:
        return f"{said}: the opening position decided the match."
    seat, names = winner(result.outcome), review.names
    return f"{said}: {names.inside(seat)} outguessed {names.inside(other(seat))}."


def lessons(review: Review) -> list[str]:
    """What to learn from a match: a premature resignation first, then the costly picks."""
    step, names, said = review.match.game.round_word.capitalize(), review.names, []
    resigned = review.premature_resignation()
    if resigned is not None:
        worth = f"expected score {percent(resigned.worth)}"
        name = names[resigned.seat]
        said.append(f"{name} resigned in a good position ({worth}). Better: play on.")
    for pick in review.lessons():
        mistake = f"{names.whose(pick.seat)} {pick.name} was a mistake"
        said.append(f"{step} {pick.round}: {mistake}. {correction(pick)}")
    return said


def correction(pick: ReviewedPick) -> str:
    """What to play instead of a mistake, why, and last the figure."""
    said = [
        f"Better: {_recommended_pick(pick.pick_values)}.",
        pick.refutation or dominating_number_sentence(pick.pick_values, pick.number),
        f"(Cost: {percent(pick.loss)})",
    ]
    return sentences(" ".join(filter(None, said)))


def _recommended_pick(values: PickValues) -> str:
    """The best number, or the mix with its greatest shares first."""
    (best, share), *others = sorted(values.mix.items(), key=lambda item: -item[1])
    name = values.name(best)
    if not others:
        return name
    shares = [f"{values.name(number)} ({percent(part)})" for number, part in others]
    return f"pick at random: {join_first([f'{name} ({percent(share)} of the time)', *shares])}"


def as_json(review: Review) -> dict[str, Any]:
    """The review as data; every figure is exact."""
    match, turning, resigned = review.match, review.turning_point(), review.premature_resignation()
    return {
        "game": match.game.name,
        "rules": as_data(match.terms.rulings),
        "first": match.names[FIRST],
        "second": match.names[SECOND],
        "result": OUTCOMES[match.result.outcome] if match.result else None,
        "reason": match.result.reason if match.result else None,
        "picks": [_pick(pick) for pick in review.picks],
        "curve": list(review.curve),
        "accuracy": {SEAT_NAMES[seat]: review.accuracy(seat) for seat in SEATS},
        "turning": turning and turning._asdict() | {"seat": SEAT_NAMES[turning.seat]},
        "gave_up": resigned and resigned._asdict() | {"seat": SEAT_NAMES[resigned.seat]},
        "lessons": [_pick(pick) for pick in review.lessons()],
    }


def _pick(pick: ReviewedPick) -> dict[str, Any]:
    return {
        "round": pick.round,
        "seat": SEAT_NAMES[pick.seat],
        "number": pick.number,
        "before": pick.before,
        "after": pick.after,
        "gave": pick.loss,
        "luck": pick.luck,
        "best": to_data(pick.pick_values.mix),
    }


def render_review_page(reviews: list[Review]) -> str:
    """One page with a part for every match."""
    title = _title(reviews[0]) if len(reviews) == 1 else "Reviews"
    parts = [_page_part(number, review) for number, review in enumerate(reviews, 1)]
    return render_page("coach/review.html.jinja", title=title, parts=parts)


def _title(review: Review) -> str:
    return review.match.terms.title_for(review.names)


def _page_part(number: int, review: Review) -> dict[str, Any]:
    match = review.match
    part = {
        "title": _title(review),
        "result": result_line(match, review.names),
        "lessons": lessons(review),
        "curve": None,
    }
    if not review.picks:
        return part
    return part | {
        "curve": _curve(number, review),
        "heads": (match.game.round_word.capitalize(), *PAGE_HEADS),
        "turning_point": turning_point(review),
        "accuracies": accuracies(review),
        "picks": [(pick, review.names[pick.seat], pick_cells(pick)) for pick in review.picks],
        "explanation": explain_figures(review),
    }


def _curve(number: int, review: Review) -> Chart:
    """The expected score of a seat after each round, from 0 to 100%."""
    label, curve = expected_scores(review)
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
