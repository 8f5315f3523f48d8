"""The sentences and the JSON of a review, shared by terminal, page and API."""

from typing import Any

from evenodds.coach.pick_values import REPETITION_FORESIGHT_NOTE
from evenodds.coach.reasons import dominating_number_sentence
from evenodds.coach.review import Review, ReviewedPick, TurningPoint
from evenodds.core.match import Match
from evenodds.core.rulings import as_data
from evenodds.core.serialization import OUTCOMES, SEAT_NAMES
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome
from evenodds.core.words import winner
from evenodds.figures.formatting import join_first, join_words, percent

FIGURES_EXPLANATION = (
    "Scores are expected under best play by both, exact: a win 100%, a draw 50%, a loss 0%. A "
    "pick that belongs to a best mix gives away nothing, any other what it loses against the best "
    "mix that the coach names; what else moved the score is luck."
)
ACCURACY_DEFINITION = "of what could have been given away, the share that was kept"


def explain_figures(review: Review) -> str:
    """What the figures mean, and their horizon for repetitions."""
    return f"{FIGURES_EXPLANATION} {foresight_note(review)}".rstrip()


def foresight_note(review: Review) -> str:
    """The horizon for draws by repetition, where one was near."""
    return (
        f"{REPETITION_FORESIGHT_NOTE} What one farther off changes is called luck."
        if review.match.due()
        else ""
    )


def pick_cells(pick: ReviewedPick) -> tuple[str, str, str, str]:
    """The cells of a pick, in per cent: before, after, loss (`-` for none) and luck."""
    before, after, gave = (
        percent(share).removesuffix("%") for share in (pick.before, pick.after, pick.loss)
    )
    luck = f"{100 * pick.luck:+.1f}" if pick.luck else ""
    return before, after, gave if pick.loss else "-", luck


def result_line(match: Match) -> str:
    """How a match ended, in a sentence."""
    result = match.result
    if result is None:
        return "The match is open."
    if result.outcome == Outcome.DRAW:
        return "A draw by repetition." if result.reason == "repetition" else "A draw."
    name = match.names[winner(result.outcome)]
    how = {
        "resigned": " by resignation",
        "time": ": the other took too long",  # with a clock or without one
        "forfeit": " by forfeit",
    }
    return f"{name} won{how.get(result.reason, '')}."


def turning_point(review: Review) -> str:
    """The turning point in a sentence."""
    turning = review.turning_point()
    if turning is None:
        return "There was no turning point: the expected score never moved."
    names = review.match.names
    winner, loser = names[turning.seat], names[1 - turning.seat]
    said = f"The turning point was round {turning.round}: {winner} gained {percent(turning.gained)}"
    if not turning.by_luck and not turning.gave:
        return f"{said} by what {loser} gave away."
    if not turning.by_mistake and not turning.gave:
        return f"{said} by luck."
    return f"{said}: {_parts(turning, winner, loser)}."


def _parts(turning: TurningPoint, winner: str, loser: str) -> str:
    """The parts of a gain: mistakes and luck for it, then those against it."""
    luck = percent(abs(turning.by_luck))
    gains = [f"{loser} gave away {percent(turning.by_mistake)}"] if turning.by_mistake else []
    losses = [f"{winner} gave away {percent(turning.gave)}"] if turning.gave else []
    if turning.by_luck > 0:
        gains.append(f"luck brought {luck}")
    if turning.by_luck < 0:
        losses.append(f"bad luck cost {luck}")
    return ", but ".join(join_words(parts) for parts in (gains, losses) if parts)


def accuracies(review: Review) -> str:
    """The accuracy of both players, with its definition."""
    names = review.match.names
    said = []
    for seat, name in names.listed():
        accuracy = review.accuracy(seat)
        said.append(
            f"{name} {'had nothing to give away' if accuracy is None else percent(accuracy)}"
        )
    return f"Accuracy ({ACCURACY_DEFINITION}): {join_words(said)}."


def lessons(review: Review) -> list[str]:
    """What to learn from a match: a premature resignation first, then the costly picks."""
    resigned = review.premature_resignation()
    said = [lesson(review, pick) for pick in review.lessons()]
    if resigned is None:
        return said
    name = review.match.names[resigned.seat]
    worth = f"that was worth {percent(resigned.worth)}, more than a draw"
    return [f"{name} resigned a position {worth}. Better: play on.", *said]


def lesson(review: Review, pick: ReviewedPick) -> str:
    """A costly pick, and what to play instead."""
    name = review.match.names[pick.seat]
    said = (
        f"Round {pick.round}, {name}: {pick.number} gave away {percent(pick.loss)}. "
        f"Better: {_recommended_pick(pick.pick_values.mix)}."
    )
    beaten = dominating_number_sentence(pick.pick_values, pick.number)
    return f"{said} {beaten[0].upper()}{beaten[1:]}" if beaten else said


def _recommended_pick(mix: dict[int, float]) -> str:
    """The best number, or the mix with its greatest shares first."""
    if len(mix) == 1:
        return str(next(iter(mix)))
    ranked = sorted(mix.items(), key=lambda item: -item[1])
    return f"a mix of {join_first([f'{number} ({percent(share)})' for number, share in ranked])}"


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
        "turning": None
        if turning is None
        else turning._asdict() | {"seat": SEAT_NAMES[turning.seat]},
        "gave_up": None
        if resigned is None
        else resigned._asdict() | {"seat": SEAT_NAMES[resigned.seat]},
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
        "best": {str(number): share for number, share in pick.pick_values.mix.items()},
    }
