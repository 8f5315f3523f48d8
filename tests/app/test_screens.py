"""Screens of the app beside matches: home, panels, settings, puzzles, sizes."""

import json
import re
import sys
import threading
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evenodds.app import home
from evenodds.app.app import EvenOddsApp
from evenodds.app.choices import against
from evenodds.app.dialogs.messages import Wanted
from evenodds.app.match_setup import ruling_values, with_ruling
from evenodds.app.panels import show_error
from evenodds.app.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from evenodds.claims.fixed_outcome import lively_variant
from evenodds.cli.shared.play_options import PlayOptions
from evenodds.coach.puzzle_keys import parse_puzzle_key, puzzle_day
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.rulings import BadRuling, Whole, ruling_texts
from evenodds.core.terms import agree
from evenodds.core.vocabulary import SEATS
from evenodds.render.narration import describe_ruling
from evenodds.solver import solution_for
from evenodds.system.paths import private_folder
from evenodds.terminal.play.session import SessionOptions
from evenodds.terminal.storage.matches import MatchFile
from tests.app.pilots import Visitor, visit
from tests.support.examples import LARGE_GAME, LOOPING_GAME, SIMULTANEOUS_GAME, TURN_GAME
from tests.support.packages import NIM, install
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.long


def test_a_newcomer_plays_within_three_keys() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        await visitor.press("enter", "enter")
        assert await visitor.is_asked()
        await visitor.sees("to pick")

    visit(script)


def test_a_named_opponent_plays_the_first_match_only() -> None:
    options = PlayOptions(vs=("random",), seat="2")
    assert options.for_later_games() == PlayOptions()

    def name_opponent(app: EvenOddsApp) -> None:
        app.request = options

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        await visitor.press("enter")
        await visitor.is_asked()
        await visitor.press("escape")
        await visitor.sees("Puzzle of the day")
        await visitor.press("escape", "enter")
        await visitor.sees("Change the rules")

    visit(script, name_opponent)


def test_rules_that_decide_a_match_are_pointed_out() -> None:
    terms = agree(TURN_GAME)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Livelier rules")
        await visitor.press("home", "down", "enter")
        await visitor.sees(" By the book")
        assert "Livelier rules" not in visitor.screen_text()
        await visitor.press("enter")
        await visitor.is_asked()
        assert visitor.table.table is not None
        rulings = visitor.table.table.view.state.rulings
        assert rulings == lively_variant(terms.game, terms.rulings)

    visit(script, lambda app: app.offer(terms))


def test_a_study_is_a_key_away() -> None:
    """Verdicts in sentences, and which promises of the rule book hold."""

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Study: is it a good game?")
        await visitor.press("y")
        await visitor.sees("Is it fair?")
        await visitor.sees("What the rule book promises")

    visit(script, size=(80, 40))


def test_single_rulings_are_changed_in_words() -> None:
    """Left and right step a value, Enter lists all; what depends on it is kept within its limits.

    From there a key starts the match, against the opponent of before or another one.
    """
    terms = agree(LARGE_GAME)
    key, option = next(iter(terms.game.options.items()))
    assert isinstance(option, Whole)
    value, lowest = getattr(terms.rulings, key), option.low

    def rule(value: int) -> str:
        return describe_ruling(option, str(value))

    async def script(start: tuple[str, ...], visitor: Visitor) -> None:
        await visitor.sees("Change the rules")
        await visitor.press("home", "enter")
        await visitor.sees(rule(value))
        await visitor.press("left", "left", "right")
        await visitor.sees(rule(value - 1))
        await visitor.press("enter", "home", "enter")
        await visitor.sees(rule(lowest))
        await visitor.press("left")
        await visitor.sees(rule(lowest))
        await visitor.press("right", *start)
        await visitor.is_asked()
        assert visitor.table.table is not None
        assert visitor.table.table.people == (0,)
        assert getattr(visitor.table.table.view.state.rulings, key) == lowest + 1

    for start in ("p",), ("end", "up", "enter"), ("end", "enter", "enter"):
        visit(partial(script, start), lambda app: app.offer(terms))


def test_the_page_of_rules_says_when_they_decide_a_match() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.press("home", "enter")
        await visitor.sees("With the original rules the player who goes second always wins")
        await visitor.press("left")
        await visitor.sees("With these rules the player who goes first always wins")
        await visitor.press("up", "up", "up", "right")
        await visitor.until(lambda: "always wins" not in visitor.screen_text())

    visit(script, lambda app: app.offer(agree(TURN_GAME)))


@pytest.mark.parametrize("game", catalog.list_games(), ids=str)
def test_the_setup_fits_a_small_window(game: catalog.AnyGame) -> None:
    """Both panels are whole: their frames are in sight, top and bottom."""

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Esc goes back")
        await visitor.sees(f"╭─ {game.title} ")
        await visitor.press("home", "enter")
        await visitor.sees(f"╭─ {game.title}: rules ")
        await visitor.sees("Choose who plays")
        await visitor.sees("←→ change a value, Esc goes back")

    visit(script, lambda app: app.offer(agree(game)), size=(60, 20))


@pytest.mark.parametrize("what", ["game", "train", "study"])
def test_a_game_whose_rules_are_wrong_is_refused_in_a_line(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = catalog.get(SIMULTANEOUS_GAME)
    wrong = right._replace(name="wrong", simultaneous=False)
    listing = catalog.GameListing([wrong, right], [])
    monkeypatch.setattr(catalog, "list_games", lambda installed=True: listing)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        visitor.app.post_message(Wanted(what, "wrong"))
        await visitor.sees("wrong: legal lets both seats pick")
        await visitor.press("2")
        await visitor.sees("Change the rules")

    visit(script, size=(120, 40))


@pytest.mark.parametrize("game", catalog.list_games(), ids=str)
def test_every_value_that_is_offered_for_a_ruling_is_allowed(game: catalog.AnyGame) -> None:
    """Limits are those of the ruling, which may follow others, and none is left out."""
    terms = agree(game)
    for key, option in game.options.items():
        values = list(ruling_values(terms, key))
        for value in values:
            texts = ruling_texts(with_ruling(terms, key, value).rulings)
            assert texts[key] == value
            assert game.settle_typed(texts)
        if isinstance(option, Whole):
            with pytest.raises(BadRuling):
                game.settle_typed({key: str(int(values[-1]) + 1)})


def test_rulings_under_which_a_game_is_wrong_are_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal = "return 0b110 if"
    install(tmp_path, "nim", NIM.replace(legal, f"assert state.rulings.heap != 6\n    {legal}"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "evenodds_nim", raising=False)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Change the rules")
        await visitor.press("home", "enter")
        await visitor.sees("how many there are at first: 7".capitalize())
        await visitor.press("left")
        await visitor.sees("nim: legal fails with AssertionError, at heap=6")
        await visitor.press("right")
        await visitor.sees("at first: 8")
        await visitor.press("p")
        assert await visitor.is_asked()

    visit(script, lambda app: app.offer(agree("nim")), size=(120, 40))


def test_a_rule_book_that_is_missing_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.get(TURN_GAME)._replace(name="lost", page="/lost/rulebook.md")
    listing = catalog.GameListing([game], [])
    monkeypatch.setattr(catalog, "list_games", lambda installed=True: listing)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        visitor.app.post_message(Wanted("rules", "lost"))
        await visitor.sees("/lost/rulebook.md")
        assert "Esc closes" not in visitor.screen_text()

    visit(script, size=(120, 40))


def test_names_with_brackets_are_shown_as_they_are() -> None:
    match = Match(agree(SIMULTANEOUS_GAME, players=("[/b]Ann", "[red]Bo")))
    MatchFile().save(match)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        await visitor.press("m")
        await visitor.sees("[/b]Ann against [red]Bo")
        show_error(visitor.app, OSError("[/b]Ann cannot be read"))
        await visitor.sees("[/b]Ann cannot be read.")

    visit(script, size=(120, 40))


def test_settings_that_are_damaged_are_left_at_their_defaults() -> None:
    damaged: dict[str, Any] = {"animation": 3, "colours": [], "daily": "x", "daily_right": "yes"}
    save_settings(Settings(**damaged))
    assert load_settings()[0] == Settings(daily="x")


def test_settings_that_are_unknown_are_told_and_kept() -> None:
    path = private_folder() / SETTINGS_FILE
    path.write_text('{"animation": false, "sound": null}')

    async def script(visitor: Visitor) -> None:
        await visitor.sees('"sound".')
        visitor.app.change_settings(visitor.app.settings._replace(colours="light"))

    visit(script)
    saved = json.loads(path.read_text())
    assert (saved["animation"], saved["colours"], saved["sound"]) == (False, "light", None)


@pytest.mark.parametrize("text", ['{"animation": false,}', "[]", "[" * 10**5])
def test_a_file_of_settings_that_is_damaged_is_put_aside(text: str) -> None:
    path = private_folder() / SETTINGS_FILE
    path.write_text(text)
    settings, line = load_settings()
    assert settings == Settings()
    assert "damaged" in line
    save_settings(settings)
    assert load_settings() == (settings, "")
    assert path.with_name(f"{SETTINGS_FILE}.damaged").read_text() == text


def test_home_lists_every_game_and_helps() -> None:
    async def script(visitor: Visitor) -> None:
        for game in catalog.list_games():
            await visitor.sees(game.title)
        await visitor.press("question_mark")
        await visitor.sees("the puzzle of the day")
        await visitor.press("escape", "r")
        await visitor.sees("Esc closes")
        await visitor.press("end")
        await visitor.sees("press Enter on a game")
        assert "--rule" not in visitor.screen_text()

    visit(script, size=(100, 40))


@pytest.mark.parametrize(("size", "left_out"), [((120, 60), False), ((60, 20), True)])
def test_home_lists_the_open_matches_that_fit(size: tuple[int, int], left_out: bool) -> None:
    count = 9
    for _ in range(count):
        match_file = MatchFile()
        match_file.save(Match(against(agree(SIMULTANEOUS_GAME), "random")))
        match_file.release()

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Go on (g):")
        await visitor.until(lambda: re.search(r"Quit +│", visitor.screen_text()))
        listed = visitor.screen_text().count("Go on")
        assert 0 < listed <= count
        assert (listed < count) == left_out

    visit(script, size=size)


def test_whoever_leaves_while_home_looks_for_matches_sees_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()
    monkeypatch.setattr(home, "saved_matches", lambda: (gate.wait(TIMEOUT_S) and [], []))

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Number Duel")
        await visitor.app.screen.query("*").remove()
        gate.set()
        await visitor.app.workers.wait_for_complete()

    visit(script)


def test_enter_opens_the_first_entry_beside_the_games() -> None:
    """Its line is under the cursor as soon as the list is; another one stays so."""
    match_file = MatchFile()
    match_file.save(Match(agree(SIMULTANEOUS_GAME)))
    match_file.release()

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Go on (g):")
        await visitor.press("right", "enter")
        assert await visitor.is_asked()
        await visitor.press("escape")
        await visitor.sees("All your matches")
        await visitor.press("end", "up", "left", "right", "enter")
        await visitor.sees("Animation: on")

    visit(script)


def test_a_finished_match_is_reviewed_later() -> None:
    """From the list of all matches; what the columns of its table mean is always in sight."""
    match = Match(against(agree(SIMULTANEOUS_GAME), "random"))
    while match.result is None:
        for seat in SEATS:
            match.pick(seat, match.view(seat).choices[0])
    match_file = MatchFile()
    match_file.save(match)
    match_file.release()

    async def script(visitor: Visitor) -> None:
        await visitor.sees("All your matches")
        await visitor.press("m")
        await visitor.sees("Review: ")
        await visitor.press("enter")
        await visitor.sees("turning point")
        for key in ("end", "home"):
            await visitor.sees("Cost: what a mistake lost.")
            await visitor.press(key)
        await visitor.sees("Cost: what a mistake lost.")

    visit(script)


def test_the_setup_helps() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.sees("Change the rules")
        await visitor.press("question_mark")
        await visitor.sees("go back")
        await visitor.press("escape", "enter")
        await visitor.is_asked()

    visit(script, lambda app: app.offer(agree(SIMULTANEOUS_GAME)))


def test_settings_are_kept() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.sees("Settings")
        await visitor.press("s")
        await visitor.sees("Animation: on")
        await visitor.press("enter")
        await visitor.sees("Animation: off")
        await visitor.press("down", "right", "right")
        await visitor.sees("Colours: light")
        await visitor.press("left")
        await visitor.sees("Colours: dark")
        await visitor.press("down", "enter")
        await visitor.sees("Puzzle of the day")

    visit(script)
    settings, _ = load_settings()
    assert (settings.animation, settings.colours) == (False, "dark")


def test_a_puzzle_is_answered_and_explained() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.sees("Which one")
        await visitor.press("question_mark")
        await visitor.sees("the rules of this game")
        assert "take back" not in visitor.screen_text()
        assert "quit" not in visitor.screen_text()
        await visitor.press("escape", "right", "enter")
        await visitor.sees("Press Enter to go on.")
        await visitor.press("enter")
        await visitor.sees("Puzzle 2")

    visit(script, lambda app: app.train(agree(SIMULTANEOUS_GAME), 1))


def test_a_number_that_cannot_be_picked_leaves_the_puzzle_open() -> None:
    """It is refused in the status line, without a panel, and the next number is an answer."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        assert visitor.table.table is not None
        choices = visitor.table.table.view.choices
        wrong = next(number for number in range(1, 10) if number not in choices)
        await visitor.press(str(wrong))
        await visitor.sees("Please pick")
        assert "Esc closes" not in visitor.screen_text()
        assert " ".join(visitor.table.match_log.lines).count("Which one") == 1
        await visitor.press(str(choices[0]))
        await visitor.sees("Press Enter to go on.")

    visit(script, lambda app: app.train(agree(SIMULTANEOUS_GAME), 1))


def test_a_text_that_is_longer_than_its_panel_says_how_to_scroll() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.sees("Settings")
        await visitor.press("r")
        await visitor.sees("↑↓ scroll, Esc closes")
        await visitor.press("escape", "question_mark")
        await visitor.sees("the puzzle of the day")
        await visitor.sees("─ Esc closes")

    visit(script)


def test_a_puzzle_shows_the_number_played_last() -> None:
    """Which the answer may depend on: as in a match, with what it did."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        table = visitor.table.table
        assert table is not None
        view, words = table.view, catalog.get(LOOPING_GAME).words
        assert view.history
        said = words.round_summary(table.before, view.history[-1], view.state, view.names)
        for word in said.split():
            await visitor.sees(word)

    visit(script, lambda app: app.train(agree(LOOPING_GAME, {"target": 15}), 1))


def test_the_puzzle_of_the_day_is_that_of_the_browser() -> None:
    """One puzzle, the same for everybody; the answer leads back home, which tells the first one.

    Until the day after.
    """
    key = parse_puzzle_key(puzzle_day().isoformat())
    puzzle = key.puzzle(solution_for(key.terms))
    wrong = next(number for number in puzzle.pick_values.scores if number != puzzle.answer)

    async def script(said: str, answers: tuple[int, ...], visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        assert "today" not in visitor.screen_text()
        for number in answers:
            await visitor.press("d")
            await visitor.is_asked()
            table = visitor.table.table
            assert table is not None
            assert table.view.state == puzzle.state
            await visitor.sees(f"Puzzle of the day: {key.terms.game.title}")
            assert "Puzzle 1" not in visitor.screen_text()
            await visitor.pick(number)
            await visitor.sees("Press Enter to go on.")
            await visitor.press("enter")
            await visitor.sees("Puzzles of a game")
            await visitor.sees(said)

    visit(partial(script, "solved today", (puzzle.answer, wrong)))
    before = (puzzle_day() - timedelta(days=1)).isoformat()
    save_settings(load_settings()[0]._replace(daily=before))
    visit(partial(script, "answered today", (wrong, puzzle.answer)), size=(60, 20))


def test_a_game_without_puzzles_says_so() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.sees("has no puzzles")

    visit(script, lambda app: app.train(agree(TURN_GAME), 1), size=(120, 30))


@pytest.mark.parametrize("game", catalog.list_games(), ids=str)
def test_every_board_fits(game: catalog.AnyGame) -> None:
    """Both players, every number that may be picked, and the question, at any size."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        table = visitor.table.table
        assert table is not None
        for width, height in ((60, 20), (80, 24), (120, 40)):
            await visitor.pilot.resize_terminal(width, height)
            for text in (*table.view.names.by_seat, "to pick", "Help"):
                await visitor.sees(text)
            assert visitor.app.size == (width, height)
            assert all(f"{number}" in visitor.screen_text() for number in table.view.choices)

    visit(script, partial(EvenOddsApp.play, terms=against(agree(game), "random")))


def test_a_window_that_is_too_small_says_so() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.pilot.resize_terminal(50, 15)
        await visitor.sees("60 by 20")
        await visitor.pilot.resize_terminal(80, 24)
        await visitor.sees("to pick")

    visit(script, lambda app: app.play(against(agree(LARGE_GAME), "random")))


def test_a_game_without_a_drawing_of_its_own_is_played_on_its_text_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = type(catalog.get(TURN_GAME).words)
    for name in ("side", "ring", "picture"):
        monkeypatch.delattr(words, name)

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.sees("[n] open to Player 1")
        await visitor.press("5")
        await visitor.sees("(5)")

    visit(script, lambda app: app.play(agree(TURN_GAME)))


def test_two_computers_are_watched() -> None:
    """Round by round, each as long as nobody presses Enter; no other key goes on."""

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Round 1")
        await visitor.sees("Press Enter to go on.")
        await visitor.sees("Go on")
        await visitor.press("h", "u", "5")
        await visitor.press("question_mark")
        await visitor.sees("Enter goes on at once.")
        assert "take back" not in visitor.screen_text()
        await visitor.press("escape")
        assert visitor.table.table is not None
        assert len(visitor.table.table.view.history) == 1
        while not visitor.table.ended:
            await visitor.press("enter")

    terms = agree(LARGE_GAME, {"target": 2}, computers=("random", "high"))
    options = SessionOptions(pace_s=60 * TIMEOUT_S)
    visit(script, lambda app: app.play(terms), options=options)


def test_colours_can_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        assert visitor.app.no_color
        await visitor.sees("■ Player 1")
        await visitor.sees("◆ Player 2")

    visit(script, lambda app: app.play(Match(LARGE_GAME).terms))
