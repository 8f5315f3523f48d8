"""Routes for rules, positions with their solution, and the review of a match."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from litestar import get
from litestar.exceptions import ClientException

from evenodds.coach import position_report, review_text
from evenodds.coach.pick_values import Measure
from evenodds.coach.position_report import PositionReport
from evenodds.coach.reasons import Advice, hint
from evenodds.coach.review import review as reviewed
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.notation import play_line
from evenodds.core.rulings import parse_rulings
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, SEATS, SECOND, Outcome, Seat
from evenodds.core.words import Names, names_to
from evenodds.figures import percent
from evenodds.players.profiles import names_for_reader
from evenodds.protocol.messages import Problem
from evenodds.render.rulebook import Section, outline, rulebook_page
from evenodds.server.http.problems import PROBLEMS, problem_spec
from evenodds.server.http.request import HttpRequest, visitor
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_state import MatchState
from evenodds.server.matches.views import board_position
from evenodds.server.schemas import PositionView, ReviewView, RulesPage

if TYPE_CHECKING:
    from evenodds.engine.solution import PayoffMatrix, Solution

RULINGS_HINT: Final = "in the form on which a match is opened"
"""Where the page of rules says that a ruling can be changed."""
MAX_AFTER_CHARACTERS: Final = 4000
"""Characters of the `after` parameter: enough for the picks of a very long match."""
SOLVE_PROBLEMS: Final = PROBLEMS | {202: problem_spec(Problem, "It is being solved; ask again.")}
REVIEW_PROBLEMS: Final = SOLVE_PROBLEMS | {409: problem_spec(Problem, "The match is not over yet.")}


@get("/api/games/{game:str}/rules", sync_to_thread=False, responses=PROBLEMS)
def rules(game: str, request: HttpRequest) -> RulesPage:
    """The page of a game: its rules and its rulings, in sections."""
    return rules_page(catalog.get(game), dict(request.query_params))


def rules_page(found: catalog.AnyGame, given: dict[str, str]) -> RulesPage:
    """The page of a game, under the rulings that are given."""
    settled = found.settle_typed(given) if given else None
    sections: list[Section] = outline(rulebook_page(found, settled, RULINGS_HINT))
    short = found.words.rules(settled or found.rulings())
    return {"game": found.name, "title": found.title, "short": short, "sections": sections}


@get("/api/games/{game:str}/position", responses=SOLVE_PROBLEMS)
async def position(
    game: str,
    request: HttpRequest,
    registry: MatchRegistry,
    after: str = "",
    seat: Literal["first", "second"] | None = None,
) -> PositionView:
    """The position after some picks: its value, the value of each pick, and the best mixes.

    With a seat, to somebody who sits there: "You", and scores from that side.
    """
    found = catalog.get(game)
    asked = request.query_params.items()
    given = {key: text for key, text in asked if key not in ("after", "seat")}
    if len(after) > MAX_AFTER_CHARACTERS:
        raise ClientException(f"after is too long; allowed: {MAX_AFTER_CHARACTERS} characters")
    you = {None: None, "first": FIRST, "second": SECOND}[seat]
    names = names_to(you).by_seat if you is not None else ("First", "Second")
    terms = agree(found, parse_rulings(found.rulings, given), players=names, repetition=0)
    match = Match(terms)
    play_line(match, after)
    work = partial(_position, match, you)
    return await registry.solve_queue.ask(terms, work, address_of(request.scope))


@get("/api/matches/{id:str}/review", responses=REVIEW_PROBLEMS)
async def review(id: str, request: HttpRequest, registry: MatchRegistry) -> ReviewView:
    """The review of a finished match, to a player as "you": the loss of every pick, and luck."""
    session, seat = await visitor(request.scope, id, registry)
    state = session.state
    if not state.over:
        raise ClientException("the match is not over yet", status_code=409)
    work = partial(_review, state, seat)
    return await registry.solve_queue.ask(state.terms, work, address_of(request.scope))


def _position(match: Match, you: Seat | None, solution: "Solution") -> PositionView:
    finding, matrix = PositionReport(match, solution), solution.matrix(match.state)
    payoff = tuple(tuple(worth + (match.points or 0) for worth in row) for row in matrix.payoff)
    whole = matrix._replace(payoff=payoff)  # of the whole match, points so far included
    hints = {SEAT_NAMES[seat]: hint(match, solution, seat) for seat in SEATS}
    view: Any = {
        **position_report.as_json(finding),
        **board_position(match, Names(match.names.by_seat, you=you)),
        "over": match.game.outcome(match.state) != Outcome.ONGOING,
        "verdict": position_report.value_sentence(finding, you),
        "sure": position_report.certainty_sentence(finding),
        "matrix": matrix._asdict()
        | {
            "text": _figures(whole, solution.span, 1, you),
            "short": _figures(whole, solution.span, 0, you),
        },
        "hints": {
            seat: found and found._asdict() | {"advice": list(map(_advice, found.advice))}
            for seat, found in hints.items()
        },
    }
    return cast(PositionView, view)


def _figures(matrix: "PayoffMatrix", span: float, digits: int, you: Seat | None) -> list[list[str]]:
    """The expected score of the reader, or of first, for each pair of picks: per cent or points."""
    side = -1 if you == SECOND else 1
    if Measure(span).has_points:
        return [[f"{side * worth:.{digits}f}" for worth in row] for row in matrix.payoff]
    return [[percent((1 + side * worth) / 2, digits) for worth in row] for row in matrix.payoff]


def _advice(advice: Advice) -> dict[str, Any]:
    """The advice on a number, with its share in the best mix in per cent."""
    return advice._asdict() | {"often": percent(advice.share) if advice.share else ""}


def _review(state: MatchState, seat: Seat | None, solution: "Solution") -> ReviewView:
    match, names = state.match, names_for_reader(state.terms, seat)
    report = reviewed(match, solution, names)
    label, scores = review_text.expected_scores(report)
    replay = Match(match.terms, drawn=match.draws[0])
    stands = [board_position(replay, names)]
    for picks, drawn in match.rounds:
        replay.play(picks, drawn)
        stands.append(board_position(replay, names))
    view: Any = {
        **review_text.as_json(report),
        "title": match.game.title,
        "stands": stands,
        "text": {
            "meaning": review_text.explain_figures(report),
            "headline": review_text.headline(report),
            "mistakes": [review_text.count_of_mistakes(report, seat) for seat in SEATS],
            "turning": review_text.turning_point(report),
            "accuracy": review_text.accuracies(report),
            "lessons": review_text.lessons(report),
            "picks": [
                review_text.correction(choice) if choice.loss else "" for choice in report.picks
            ],
            "best": [
                {str(number): percent(share) for number, share in choice.pick_values.mix.items()}
                for choice in report.picks
            ],
            "figures": list(map(review_text.pick_cells, report.picks)),
            "label": label,
            "scores": scores,
            "curve": list(map(percent, scores)),
            "seat": SEAT_NAMES[seat],
            "players": [names[each] for each in SEATS],
        },
    }
    return cast(ReviewView, view)
