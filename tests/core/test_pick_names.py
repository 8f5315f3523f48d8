"""Names of picks, and positions drawn by their fields, in games that say nothing else."""

from pathlib import Path
from typing import Any

import pytest

from evenodds import FIRST, SECOND, Match, notation
from evenodds.adapters.episode import Episode
from evenodds.adapters.observation import ObservationEncoder
from evenodds.app.drawing.pieces import Look
from evenodds.app.drawing.table import draw_table
from evenodds.coach.position_report import report_position
from evenodds.core.board import plain_text
from evenodds.core.record import view_as_data
from evenodds.core.rule_checks import BadGame
from evenodds.core.validation import validate_words
from evenodds.core.words import Words, names_to
from evenodds.players.llm.answer_parsing import BadModelAnswer, parse_legal_pick
from evenodds.players.llm.prompt import position_prompt, rules_prompt
from evenodds.render.narration import describe_history, describe_rounds
from evenodds.server.matches.views import board_position
from evenodds.table.table import TableView
from tests.support.examples import example
from tests.support.packages import install
from tests.support.paths import ROOT

RPS = example("rock_paper_scissors")
OSHI_ZUMO = example("oshi_zumo")
NIM = example("nim")
INSPECTION = example("inspection")
GOOFSPIEL = example("goofspiel")
CIRCLE = "circle"


def typed(game: Any, text: str, **rulings: int) -> int | None:
    match = Match(game, rulings)
    asked = match.terms.rulings, FIRST, match.choices(FIRST)
    return match.game.words.find_pick(*asked, text)


@pytest.mark.parametrize(
    ("game", "text", "number"),
    [
        (RPS, "Rock", 1), (RPS, " rock ", 1), (RPS, "p", 2), (RPS, "3", 3), (RPS, "x", None),
        (RPS, "", None), (RPS, "7", 7),  # which the rules refuse
        (OSHI_ZUMO, "bid 3", 4), (OSHI_ZUMO, "3", 4), (OSHI_ZUMO, "11", None),
        (OSHI_ZUMO, "bid", None), (OSHI_ZUMO, "bid 1", 2), (INSPECTION, "i", 2),
        (NIM, "2 from b", 17), (NIM, "2", None), (NIM, "5", 35), (CIRCLE, "3", 3),
        (CIRCLE, "-3", None), (CIRCLE, "3.5", None), (CIRCLE, "", None),
    ],
)  # fmt: skip
def test_a_name_its_beginning_or_its_number_picks(game: Any, text: str, number: int | None) -> None:
    assert typed(game, text) == number


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [(OSHI_ZUMO, "70", "70 is not one of your numbers"), (RPS, "", "An empty line is not one of")],
)
def test_a_number_that_no_name_has_is_refused_as_typed(game: Any, text: str, said: str) -> None:
    match = Match(game)
    choices = match.choices(FIRST)
    assert match.game.words.unknown(match.state, FIRST, choices, text).startswith(said)


@pytest.mark.parametrize("text", ["3", "16", "1", "45"])
def test_a_number_that_may_be_several_picks_is_none(text: str) -> None:
    assert typed(NIM, text, first=3, second=3, third=3) is None


def test_every_sentence_of_a_round_has_the_names() -> None:
    match = Match(RPS)
    names, choices = names_to(FIRST), match.choices(FIRST)
    words, start = match.game.words, match.state
    asked = "Player 1, choose Rock, Paper or Scissors:"
    assert words.prompt(start, FIRST, choices, match.names) == asked
    assert words.request(start, FIRST, choices, names) == "Pick Rock, Paper or Scissors."
    match.play((1, 2))
    assert describe_rounds(match) == ["Player 1 chose: Rock", "Player 2 chose: Paper"]
    assert describe_history(match, names) == ["1. You chose Rock, your opponent chose Paper"]
    summary = words.round_summary(start, (1, 2), match.state, names)
    assert summary == "You pick Rock. Your opponent picks Paper."


def test_names_in_a_row_are_listed_short_and_seats_may_have_others() -> None:
    match = Match(OSHI_ZUMO)
    asked = match.game.words.request(match.state, FIRST, match.choices(FIRST), names_to(FIRST))
    assert asked == "Pick bid 1 to bid 10."
    match = Match(INSPECTION)
    listed = [
        match.game.words.listed(match.terms.rulings, seat, match.choices(seat))
        for seat in (FIRST, SECOND)
    ]
    assert listed == ["wait or inspect", "wait or run"]


def test_notation_writes_numbers_and_reads_names() -> None:
    match = Match(RPS)
    notation.play_line(match, "rock-Paper 3-scissors")
    assert match.history == ((1, 2), (3, 3))
    assert "\n1-2 3-3 *\n" in notation.write(match)
    match = Match(OSHI_ZUMO)
    notation.play_line(match, "bid_3-4")
    assert match.history == ((4, 4),)
    with pytest.raises(notation.BadNotation, match="lizard-1 is neither a pick nor a result"):
        notation.play_line(match, "lizard-1")


@pytest.mark.parametrize(
    ("game", "text", "number"),
    [
        (RPS, "PICK: Paper", 2), (RPS, "I expect Rock.\nPICK: **paper**", 2), (RPS, "PICK: 2", 2),
        (RPS, "I choose Scissors.", 3), (OSHI_ZUMO, "PICK: bid 1", 2),
        (OSHI_ZUMO, "PICK: bid 10", 11),
    ],
)  # fmt: skip
def test_a_model_may_answer_with_a_name(game: Any, text: str, number: int) -> None:
    match = Match(game)
    assert parse_legal_pick(text, match.terms, match.view(FIRST)) == number


@pytest.mark.parametrize(
    ("game", "text"), [(RPS, "PICK: Rock or Paper"), (RPS, "PICK: lizard"), (OSHI_ZUMO, "PICK: 3")]
)
def test_what_may_be_two_picks_of_a_model_is_none(game: Any, text: str) -> None:
    match = Match(game)
    with pytest.raises(BadModelAnswer):
        parse_legal_pick(text, match.terms, match.view(FIRST))


def test_a_model_is_asked_for_a_name() -> None:
    match = Match(RPS)
    assert "a line `PICK: name`, name being" in rules_prompt(match.terms, FIRST)
    asked = position_prompt(match.terms, match.view(FIRST))
    assert '"pick_names": {"1": "Rock", "2": "Paper", "3": "Scissors"}' in asked
    assert "The legal picks are: Rock, Paper, Scissors." in asked


def test_bots_and_models_get_draws_points_and_the_rules() -> None:
    match = Match(GOOFSPIEL, {"cards": 3, "score": "points"}, drawn=(3,))
    match.play((2, 1), (1,))
    data = view_as_data(match.view(FIRST), match.game.words)
    assert (data["draws"], data["points"]) == ([[3], [1]], 3)
    assert not {"draws", "points"} & set(
        view_as_data(Match(RPS).view(FIRST), Match(RPS).game.words)
    )
    assert "the higher bid takes it" in rules_prompt(match.terms, FIRST)


def test_a_typed_number_is_that_of_a_name_and_a_recorded_one_is_the_pick() -> None:
    match = Match(OSHI_ZUMO)
    notation.play_line(match, "3-bid_2", typed=True)
    notation.play_line(match, "2-3")
    assert match.history == ((4, 3), (2, 3))
    assert report_position(OSHI_ZUMO, {"coins": 3}, "3-2").match.history == ((4, 3),)
    with pytest.raises(notation.BadNotation, match="11-1 is neither a pick nor a result"):
        notation.play_line(match, "11-1", typed=True)


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ("rock", "Rock", "gives no name of its own to each pick"),
        ("a b", "a_b", "gives no name of its own to each pick"),
        *((name, "b", "which notation reads as") for name in ("q-r", "bid (3)", "Draw", "*", "{x")),
    ],
)
def test_names_that_cannot_be_read_back_are_refused(one: str, two: str, said: str) -> None:
    class Named(Words[Any]):
        def pick_name(self, rulings: Any, seat: int, number: int) -> str:
            return (one, two, "c")[number - 1]

    game = RPS._replace(words=Named())
    with pytest.raises(BadGame, match=said):
        validate_words(game, game.rulings())


def test_views_and_environments_have_the_names_and_no_secret() -> None:
    match = Match(RPS)
    before = board_position(match)
    match.pick(FIRST, 1)
    assert board_position(match) == before
    assert before["pick_names"] == ({"1": "Rock", "2": "Paper", "3": "Scissors"},) * 2
    assert board_position(Match(CIRCLE))["pick_names"] == ({}, {})
    episode = Episode(match.terms, ObservationEncoder(match.game, match.terms.rulings), 9)
    assert episode.info(SECOND) == {"pick_names": {1: "Rock", 2: "Paper", 3: "Scissors"}}


def test_the_app_draws_names_on_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = ROOT / "examples" / "games" / "rock_paper_scissors.py"
    install(tmp_path, "rock_paper_scissors", source.read_text())
    monkeypatch.syspath_prepend(tmp_path)
    match = Match("rock_paper_scissors")
    match.play((2, 3))
    view = match.view(FIRST)
    table = TableView(view, match.states[0], near=FIRST, asked=FIRST)
    rows = draw_table(table, Look(68, 26, cursor=2, pool=view.choices))
    drawn = ["".join(piece.text for piece in row) for row in rows]
    assert any("│  Paper  │" in line and "│Scissors │" in line for line in drawn)
    assert "│  Rock  │┃ Paper  ┃│Scissors│" in drawn[-2]


@pytest.mark.parametrize(
    ("game", "picks", "drawn"),
    [
        (GOOFSPIEL, (5, 4), ["You", "  hand: 1 2 3 4", "Your opponent", "  hand: 1 2 3 5",
                             "prizes: 1 4 5", "prize: 2", "You lead by 3"]),
        (OSHI_ZUMO, (3, 5), ["You  coins: 8", "Your opponent  coins: 6",
                             "place: your opponent leads by 1"]),
        (NIM, (1, 0), ["heap A: 2", "heap B: 4", "heap C: 5", "turn: your opponent"]),
        (INSPECTION, (2, 2), ["nights left: 4", "inspections left: 1", "caught: yes"]),
    ],
)  # fmt: skip
def test_a_position_reads_well_by_its_fields(
    game: Any, picks: tuple[int, int], drawn: list[str]
) -> None:
    before, after = ((3,), (2,)) if game is GOOFSPIEL else ((), ())
    match = Match(game, drawn=before)
    match.play(picks, after)
    board = match.game.words.board(match.state, names_to(FIRST))
    assert list(map(plain_text, board)) == drawn
