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
from evenodds.figures import counted, join_first, join_words, percent, to_data
from evenodds.render.charts import Series, line_chart
from evenodds.render.pages import Chart, render_page

SCORES_EXPLANATION = (
    "Before, after: the player's expected score in %, with best play by both (win 100, draw 50)."
)
POINTS_EXPLANATION = "Before, after: the player's expected points, with best play by both."
CAUSES_EXPLANATION = (
    "Cost: what a mistake lost. Guess: what outguessing the opponent won, or being outguessed lost."
)
CHANCE_EXPLANATION = "Draw: what chance drew then, above the average."
ACCURACY_DEFINITION = "100%: no mistakes; 0%: the worst pick whenever it mattered"
CURVE_WIDTH_PX: Final = 420
PAGE_HEADS: Final = ("Player", "Pick", "Before", "After", "Cost", "Guess", "Draw")


def explain_figures(review: Review) -> str:
    """What the figures mean, and their horizon for draws by repetition where one was near."""
    scores = POINTS_EXPLANATION if review.measure.has_points else SCORES_EXPLANATION
    said = f"{scores} {CAUSES_EXPLANATION}"
    if review.match.game.chance:
        return f"{said} {CHANCE_EXPLANATION}"
    if not review.match.due():
        return said
    beyond = "A draw further ahead shows up under Guess."
    return f"{said} {REPETITION_FORESIGHT_NOTE} {beyond}"


def pick_cells(pick: ReviewedPick) -> tuple[str, ...]:
    """The cells of a pick, in per cent or in points: before, after, loss (`-` for none) and luck.

    And where chance draws, what it brought.
    """
    measure = pick.pick_values.measure
    figures = measure.score(pick.before), measure.score(pick.after), measure.change(pick.loss)
    before, after, gave = (figure.split()[0].removesuffix("%") for figure in figures)
    unit = measure.span if measure.has_points else 100
    causes = [pick.luck, *([pick.chance] if pick.pick_values.game.chance else [])]
    brought = [f"{unit * cause:+.1f}" if cause else "" for cause in causes]
    return before, after, gave if pick.loss else "-", *brought


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
    if match.margin:
        how["rules"] = f" by {counted(abs(match.margin), 'points')}"
    return f"{names[won]} won{how.get(result.reason, '')}."


def expected_scores(review: Review) -> tuple[str, tuple[float, ...]]:
    """The reader's expected score before each round and after the last, with a label.

    Where nobody is "You", that of the first seat.
    """
    names, curve = review.names, review.curve
    scale = " (50%: as many points as the other)" if review.measure.has_points else ""
    if names.you is None:
        return f"{names[FIRST]}'s expected score{scale}", curve
    own = curve if names.you == FIRST else tuple(1 - score for score in curve)
    return f"Your expected score{scale}", own


def headline(review: Review) -> str:
    """What decided a match, before any figure; nothing where no pick did."""
    turning, result = review.turning_point(), review.match.result
    if result is None or result.outcome == Outcome.DRAW or review.premature_resignation():
        return ""
    won, names = winner(result.outcome), review.names
    if turning is None:
        is_fated = result.reason == "rules" and not review.match.game.simultaneous
        return sentences(_favoured(won, names)) if is_fated else ""
    reader = won if names.you is None else names.you
    said = f"{names[reader]} {'won' if reader == won else 'lost'} it"
    only_guessed = not (turning.by_mistake or turning.gave or turning.by_chance)
    if turning.seat == won and only_guessed and turning.by_luck > 0:
        said = f"{names[won]} outguessed {names.inside(other(won))}"
    return f"{said} in {review.match.game.round_word} {turning.round}."


def _favoured(seat: Seat, names: Names) -> str:
    """Why somebody wins a game of turns in which nobody made a mistake."""
    return f"{names.inside(seat)} went {SEAT_NAMES[seat]}, and the rules favour whoever does."


def turning_point(review: Review) -> str:
    """The turning point in a sentence."""
    turning, names = review.turning_point(), review.names
    resigned = review.premature_resignation()
    if resigned is not None:  # no pick has decided the match
        whose, score = names.whose(resigned.seat), review.measure.score(resigned.worth)
        return f"The turning point was the resignation: {whose} expected score was {score}."
    if review.decided_otherwise():
        return "There was no turning point: no pick decided the match."
    if turning is None:
        return "There was no turning point: no pick changed the expected result."
    gainer, loser = names.inside(turning.seat), names.inside(other(turning.seat))
    said = f"The turning point was {review.match.game.round_word} {turning.round}: "
    gained, causes = review.measure.change(turning.gained), (turning.by_luck, turning.by_chance)
    if not any(causes) and not turning.gave:
        whose, gainers = names.whose(other(turning.seat)), names.whose(turning.seat)
        points = gained.replace("%", " percentage points")
        return f"{said}{whose} mistake raised {gainers} expected score by {points}."
    if not turning.by_mistake and not turning.gave and not all(causes):
        if turning.by_chance:
            return f"{said}chance favoured {gainer}, who gained {gained}."
        return f"{said}{gainer} outguessed {loser} and gained {gained}."
    return f"{said}{gainer} {_parts(turning, review)}: a gain of {gained}."


def _parts(turning: TurningPoint, review: Review) -> str:
    """The parts of a gain: mistakes, outguessing and chance for it, then those against it."""
    loser, names, change = other(turning.seat), review.names, review.measure.change
    guessed, drawn = change(abs(turning.by_luck)), change(abs(turning.by_chance))
    gave, cost = change(turning.by_mistake), change(turning.gave)
    gains = [f"{gave} by {names.whose(loser)} mistake"] if turning.by_mistake else []
    losses = [f"{cost} by a mistake"] if turning.gave else []
    if turning.by_luck > 0:
        gains.append(f"{guessed} by outguessing {names.inside(loser)}")
    if turning.by_luck < 0:
        losses.append(f"{guessed} by being outguessed")
    if turning.by_chance:
        (gains if turning.by_chance > 0 else losses).append(f"{drawn} by chance")
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
    """A match without mistakes: chance decided it, or who outguessed whom, or the position."""
    match = review.match
    said = "Neither player made a mistake"
    result = match.result
    if result is None or result.outcome == Outcome.DRAW or result.reason != "rules":
        return f"{said}."
    seat, names = winner(result.outcome), review.names
    guessed = sum(pick.luck for pick in review.picks if pick.seat == seat)
    drawn = sum(review.draws) * result.outcome
    if drawn > max(0.0, guessed):
        return f"{said}: chance favoured {names.inside(seat)}."
    if not match.game.simultaneous:
        return f"{said}: {_favoured(seat, names)}"
    return f"{said}: {names.inside(seat)} outguessed {names.inside(other(seat))}."


def lessons(review: Review) -> list[str]:
    """What to learn from a match: a premature resignation first, then the costly picks."""
    step, names, said = review.match.game.round_word.capitalize(), review.names, []
    resigned = review.premature_resignation()
    if resigned is not None:
        worth = f"expected score {review.measure.score(resigned.worth)}"
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
        f"(Cost: {pick.pick_values.measure.change(pick.loss)})",
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
        "chance": pick.chance,
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
        "heads": (match.game.round_word.capitalize(), *PAGE_HEADS[: 6 + bool(match.game.chance)]),
        "unit": "points" if review.measure.has_points else "scores in %",
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
