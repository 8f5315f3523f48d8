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
from evenodds.system.text import few, listed, percent

FIGURES_EXPLANATION = (
    "Scores are expected under best play by both, exact: a win 100 %, a draw 50 %, a loss 0 %. A "
    "pick that belongs to a best mix gives away nothing, any other what it loses against the best "
    "mix that the coach names; what else moved the score is luck."
)
ACCURACY_DEFINITION = "of what could have been given away, the share that was kept"


def explain_figures(found: Review) -> str:
    """What the figures mean, and how far they see."""
    return f"{FIGURES_EXPLANATION} {foresight_note(found)}".rstrip()


def foresight_note(found: Review) -> str:
    """How far draws by repetition are foreseen, where one was near."""
    return (
        f"{REPETITION_FORESIGHT_NOTE} What one farther off changes is called luck."
        if found.match.due()
        else ""
    )


def pick_cells(choice: ReviewedPick) -> tuple[str, str, str, str]:
    """A pick in a table, in per cent: before, after, given away (`-` for nothing) and luck."""
    before, after, gave = (
        percent(share).removesuffix(" %") for share in (choice.before, choice.after, choice.gave)
    )
    luck = f"{100 * choice.luck:+.1f}" if choice.luck else ""
    return before, after, gave if choice.gave else "-", luck


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


def turning_point(found: Review) -> str:
    """The round in which most was decided, and by what."""
    turning = found.turning()
    if turning is None:
        return "There was no turning point: the expected score never moved."
    names = found.match.names
    winner, loser = names[turning.seat], names[1 - turning.seat]
    said = f"The turning point was round {turning.round}: {winner} gained {percent(turning.gained)}"
    if not turning.by_luck and not turning.gave:
        return f"{said} by what {loser} gave away."
    if not turning.by_mistake and not turning.gave:
        return f"{said} by luck."
    return f"{said}: {_parts(turning, winner, loser)}."


def _parts(turning: TurningPoint, winner: str, loser: str) -> str:
    """What a gain is made of: what was for it, and what was against it."""
    luck = percent(abs(turning.by_luck))
    gains = [f"{loser} gave away {percent(turning.by_mistake)}"] if turning.by_mistake else []
    losses = [f"{winner} gave away {percent(turning.gave)}"] if turning.gave else []
    if turning.by_luck > 0:
        gains.append(f"luck brought {luck}")
    if turning.by_luck < 0:
        losses.append(f"bad luck cost {luck}")
    return ", but ".join(listed(parts) for parts in (gains, losses) if parts)


def accuracies(found: Review) -> str:
    """The accuracy of both players, with its definition."""
    names = found.match.names
    said = []
    for seat, name in names.listed():
        accuracy = found.accuracy(seat)
        said.append(
            f"{name} {'had nothing to give away' if accuracy is None else percent(accuracy)}"
        )
    return f"Accuracy ({ACCURACY_DEFINITION}): {listed(said)}."


def lessons(found: Review) -> list[str]:
    """What to learn from a match: a win thrown away first, then the costly picks."""
    given_up = found.given_up()
    said = [lesson(found, choice) for choice in found.lessons()]
    if given_up is None:
        return said
    name = found.match.names[given_up.seat]
    worth = f"that was worth {percent(given_up.worth)}, more than a draw"
    return [f"{name} resigned a position {worth}. Better: play on.", *said]


def lesson(found: Review, choice: ReviewedPick) -> str:
    """A pick that gave something away, and what to play instead."""
    name = found.match.names[choice.seat]
    said = (
        f"Round {choice.round}, {name}: {choice.number} gave away {percent(choice.gave)}. "
        f"Better: {_recommended_pick(choice.judgement.mix)}."
    )
    beaten = dominating_number_sentence(choice.judgement, choice.number)
    return f"{said} {beaten[0].upper()}{beaten[1:]}" if beaten else said


def _recommended_pick(mix: dict[int, float]) -> str:
    """The best number, or the mix with its greatest shares first."""
    if len(mix) == 1:
        return str(next(iter(mix)))
    ranked = sorted(mix.items(), key=lambda item: -item[1])
    return f"a mix of {few([f'{number} ({percent(share)})' for number, share in ranked])}"


def as_json(found: Review) -> dict[str, Any]:
    """The review as data; every figure is exact."""
    match, turning, given_up = found.match, found.turning(), found.given_up()
    return {
        "game": match.game.name,
        "rules": as_data(match.terms.rulings),
        "first": match.names[FIRST],
        "second": match.names[SECOND],
        "result": OUTCOMES[match.result.outcome] if match.result else None,
        "reason": match.result.reason if match.result else None,
        "picks": [_pick(choice) for choice in found.choices],
        "curve": list(found.curve),
        "accuracy": {SEAT_NAMES[seat]: found.accuracy(seat) for seat in SEATS},
        "turning": None
        if turning is None
        else turning._asdict() | {"seat": SEAT_NAMES[turning.seat]},
        "gave_up": None
        if given_up is None
        else given_up._asdict() | {"seat": SEAT_NAMES[given_up.seat]},
        "lessons": [_pick(choice) for choice in found.lessons()],
    }


def _pick(choice: ReviewedPick) -> dict[str, Any]:
    return {
        "round": choice.round,
        "seat": SEAT_NAMES[choice.seat],
        "number": choice.number,
        "before": choice.before,
        "after": choice.after,
        "gave": choice.gave,
        "luck": choice.luck,
        "best": {str(number): share for number, share in choice.judgement.mix.items()},
    }
