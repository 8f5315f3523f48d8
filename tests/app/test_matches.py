"""Matches in the app, played with keys and mouse to their ends."""

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from threading import Event
from typing import cast

import pytest

from evenodds.app.app import EvenOddsApp
from evenodds.app.choices import against
from evenodds.app.dialogs.dialog import DialogKeyboard, DialogScreen
from evenodds.app.drawing.pieces import Stage
from evenodds.app.drawing.round import BACK_PATTERN
from evenodds.app.home import HomeScreen
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import SEATS, numbers
from evenodds.system.progress import Progress
from evenodds.terminal.play.commands import PlayCommands
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.model_log import ModelLog
from evenodds.terminal.play.session import SessionOptions
from evenodds.terminal.storage.matches import folder, saved_matches
from tests.app.pilots import Visitor, visit
from tests.support.examples import LARGE_GAME, SIMULTANEOUS_GAME, SMALL_GAME, TURN_GAME
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.long

GAMES = [game.name for game in catalog.list_games()]


def start(name: str, app: EvenOddsApp) -> None:
    """A match of two people."""
    app.play(agree(name))


def start_against(name: str, opponent: str, app: EvenOddsApp) -> None:
    """A match against a computer."""
    app.play(against(agree(name), opponent))


def saved_match() -> Match:
    """The only match that is kept."""
    ((_, match, _),) = saved_matches()[0]
    return match


@pytest.mark.parametrize(
    ("seed", "begin", "seats"),
    [(1, ("you go", "Random goes"), (0, 1)), (0, ("Random goes", "you go"), (1, 0))],
)
def test_who_begins_is_tossed_and_alternates(
    seed: int, begin: tuple[str, str], seats: tuple[int, int]
) -> None:
    """In games of turns, whose first seat begins; the log says who does."""

    async def script(visitor: Visitor) -> None:
        for why, who, seat in zip(("Coin toss", "Rematch"), begin, seats, strict=True):
            await visitor.sees(f"{why}: {who}")
            await visitor.is_asked()
            assert visitor.table.table is not None
            assert visitor.table.table.people == (seat,)
            await visitor.play_to_the_end()
            await visitor.press("p")

    terms = against(agree(TURN_GAME, {"numbers": 3}), "random")
    visit(script, lambda app: app.offer(terms), (80, 45), SessionOptions(seed=seed))


@pytest.mark.parametrize("name", GAMES)
def test_a_match_against_the_computer(name: str) -> None:
    """It comes to its end, is kept, and its result is shown; the review is a key away.

    Enter that was pressed once too often does not begin another match.
    """

    async def script(visitor: Visitor) -> None:
        await visitor.play_to_the_end()
        await visitor.sees("Play again")
        log = visitor.table.match_log
        await visitor.until(lambda: log.scroll_y == log.max_scroll_y)
        await visitor.press("enter")
        match = saved_match()
        assert match.result is not None
        await visitor.press("question_mark")
        await visitor.sees("r  review the match")
        await visitor.press("escape", "r")
        await visitor.sees("Review")
        await visitor.sees("Esc closes")
        await visitor.press("escape")
        await visitor.press("enter")
        assert await visitor.is_asked()
        table = visitor.table.table
        assert table is not None
        assert table.view.round <= 2
        other_begins = table.people != (match.terms.seat_of(1),)
        assert other_begins == (not match.game.simultaneous)

    visit(script, partial(start_against, name, "random"))


@pytest.mark.parametrize("name", GAMES)
def test_two_people_at_one_keyboard(name: str) -> None:
    """Hidden picks are typed and confirmed; the keyboard is handed over between them."""

    async def script(visitor: Visitor) -> None:
        while await visitor.is_asked():
            table = visitor.table.table
            assert table is not None
            if visitor.table.board.look.covered:
                await visitor.press("enter")
            await visitor.pick(table.view.choices[0])
        assert saved_match().result is not None

    visit(script, partial(start, name))


def test_a_hidden_pick_is_nowhere_to_be_seen() -> None:
    """Whatever is typed, the whole picture is the same until both have picked.

    A card lies on the table when it is picked, not before; digits before Enter are answered.
    """
    pictures: set[tuple[str, ...]] = set()

    def picture(visitor: Visitor) -> str:
        return visitor.app.export_screenshot(simplify=True)

    async def script(number: str, visitor: Visitor) -> None:
        await visitor.is_asked()
        seen = []
        for key in ("1", "backspace", *number):
            await visitor.press(key)
            seen.append(picture(visitor))
            assert BACK_PATTERN not in visitor.screen_text()
        await visitor.sees("Typed.")
        await visitor.press("enter")
        await visitor.sees("Give the keyboard to")
        await visitor.sees(BACK_PATTERN)
        seen.append(picture(visitor))
        await visitor.press(number)
        await visitor.sees("Press Enter first.")
        seen.append(picture(visitor))
        await visitor.press("enter")
        seen.append(picture(visitor))
        pictures.add(tuple(seen))

    for number in "259":
        visit(partial(script, number), partial(start, LARGE_GAME))
    assert len(pictures) == 1


def test_a_match_is_left_and_gone_on_with() -> None:
    """Escape leaves it; home offers it; what was picked is still there."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("right", "enter")
        await visitor.is_asked()
        await visitor.press("escape")
        await visitor.sees("Go on")
        await visitor.press("g")
        await visitor.is_asked()
        await visitor.sees("Round 1")
        await visitor.until(lambda: visitor.screen_text().count("You against Random") == 2)
        await visitor.press("l")
        await visitor.sees("1. You chose ")
        await visitor.sees(", Random chose ")

    visit(script, partial(start_against, LARGE_GAME, "random"))
    assert len(saved_match().history) == 1


def test_commands_fill_panels() -> None:
    """Hint, rules, rounds and help open over the board and close again."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        for key, text in (
            ("h", "If both play perfectly"),
            ("m", "Map of all picks"),
            ("e", "Your expected score in % for each number"),
            ("r", "The game"),
            ("l", "Nothing has been played yet."),
            ("question_mark", "take back a pick"),
        ):
            await visitor.press(key)
            await visitor.sees(text)
            await visitor.press("escape")
            await visitor.is_asked()

    visit(script, partial(start_against, SIMULTANEOUS_GAME, "level:4"))


def test_a_refusal_is_said_in_the_words_of_the_game() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("2")
        await visitor.is_asked()
        await visitor.press("2")
        await visitor.sees("2 has already been played")

    visit(script, partial(start_against, LARGE_GAME, "random"))


def test_the_beginning_of_a_number_is_shown() -> None:
    """It waits for Enter or another digit, and can be taken back; an arrow key is another choice.

    A digit that begins no other number picks at once.
    """

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.sees("Pick a number")
        await visitor.press("1")
        await visitor.sees("1_  Press Enter to pick 1, or type another digit for 10.")
        await visitor.press("backspace")
        await visitor.sees("Pick a number")
        await visitor.press("1", "right", "enter")
        await visitor.sees("You pick 2.")
        assert await visitor.is_asked()
        await visitor.press("1", "enter")
        await visitor.sees("You pick 1.")
        assert "1_" not in visitor.screen_text()
        assert await visitor.is_asked()
        await visitor.press("1")
        await visitor.sees("1_  Type another digit for 10.")
        await visitor.press("0")
        await visitor.sees("You pick 10.")
        assert await visitor.is_asked()
        await visitor.press("3")
        await visitor.sees("You pick 3.")

    terms = against(agree(LARGE_GAME, {"target": 9}), "random")
    visit(script, lambda app: app.play(terms), size=(80, 40))


def watch(app: EvenOddsApp) -> None:
    """A match of two computers, which stays at its first round."""
    app.play(agree(LARGE_GAME, computers=("random", "high")))


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (partial(start, LARGE_GAME), "Type a number and press Enter."),
        (partial(start, TURN_GAME), "press Enter. A typed 1 waits for Enter or another digit"),
        (partial(start_against, LARGE_GAME, "random"), "it may become 10. 0 picks 10. h what"),
        (partial(start_against, SMALL_GAME, "random"), "arrow keys and press Enter. h what"),
        (watch, "Enter goes on at once."),
    ],
    ids=["hidden", "turns", "simultaneous", "one digit", "watching"],
)
def test_the_help_says_how_a_number_is_picked(
    first: Callable[[EvenOddsApp], None], said: str
) -> None:
    """Which depends on who is at the keyboard, and on the numbers there are."""

    async def script(visitor: Visitor) -> None:
        await visitor.until(lambda: visitor.table.table)
        await visitor.press("question_mark")
        await visitor.sees("Esc closes")
        assert said in " ".join(re.sub(r"[│\n]", " ", visitor.screen_text()).split())

    visit(script, first, options=SessionOptions(pace_s=60 * TIMEOUT_S))


def test_undo_and_resign() -> None:
    """Against a computer a pick is taken back at once; resigning asks first."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("1", "0")
        await visitor.is_asked()
        assert [first for first, _ in saved_match().history] == [10]
        await visitor.press("u")
        await visitor.sees("Taken back.")
        await visitor.press("x")
        await visitor.sees("to resign")
        await visitor.press("y")
        await visitor.sees("Play again")

    visit(script, partial(start_against, LARGE_GAME, "random"))
    match = saved_match()
    assert match.history == ()
    assert match.result is not None
    assert match.result.reason == "resigned"


def test_the_keyboard_is_handed_over_after_an_undo() -> None:
    """The other person may have it: their pick is taken back, and covered again."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("2", "enter")
        await visitor.sees("Give the keyboard to Player 2")
        await visitor.press("enter", "u")
        await visitor.sees("do you agree to the undo?")
        await visitor.press("y")
        await visitor.sees("Give the keyboard to Player 1")

    visit(script, partial(start, LARGE_GAME))


def test_an_upset_is_staged() -> None:
    """The higher card seems to win; then the mark goes over to the lower one."""
    game = catalog.get(LARGE_GAME)
    state = game.start(game.rulings())
    first, second = (numbers(game.legal(state, seat)) for seat in SEATS)
    picks = next(picks for picks in product(first, second) if game.words.upset(state, picks))

    async def script(visitor: Visitor) -> None:
        for number in picks:
            await visitor.is_asked()
            await visitor.press("enter", *str(number), "enter")
        await visitor.sees(f"★ {game.words.upset(state, picks).upper()} ★")
        visitor.table.board.update_look(stage=Stage.FACES)
        await visitor.sees(f"{max(picks)} is higher…")

    visit(script, partial(start, LARGE_GAME))


def test_nobody_waits_for_cards_that_turn_over() -> None:
    """Picks that are typed ahead are taken, each as soon as it is asked for."""

    async def script(visitor: Visitor) -> None:
        for number in "234":
            await visitor.is_asked()
            await visitor.press(number)
            visitor.table.board.update_look(stage=Stage.BACKS)
        await visitor.is_asked()

    visit(script, partial(start_against, LARGE_GAME, "random"))
    assert [first for first, _ in saved_match().history] == [2, 3, 4]


@pytest.mark.parametrize(
    ("keys", "exit_code"), [(["ctrl+c"], 130), (["ctrl+q"], 0), (["escape", "q"], 0)]
)
@pytest.mark.parametrize("picked", [True, False])
def test_the_app_is_left_during_a_match(
    keys: list[str], exit_code: int, picked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends cleanly; the match is saved if something was picked, whatever is said after that."""
    monkeypatch.setattr(ModelLog, "close", lambda log, record: log._screen.say("The cost so far."))

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        if picked:
            await visitor.press("right", "enter")
            await visitor.is_asked()
        await visitor.press(*keys)

    app = visit(script, partial(start_against, LARGE_GAME, "random"))
    assert app.return_value == exit_code
    assert len(saved_matches()[0]) == picked
    said = "The match is saved." if picked else "Nothing was played, so nothing is saved."
    assert sum(said in line for line in app.farewell) == 1
    assert "The cost so far." in app.farewell


def test_ctrl_c_after_the_end_of_a_match_interrupts_nothing() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.play_to_the_end()
        await visitor.press("ctrl+c")

    assert visit(script, partial(start_against, SMALL_GAME, "random")).return_value == 0


def test_leaving_need_not_wait_for_an_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Event()
    monkeypatch.setattr("evenodds.app.dialogs.dialog.LEAVE_TIMEOUT_S", 0)
    monkeypatch.setattr(MatchLoop, "_play_computer", lambda loop, seat: thinking.wait(TIMEOUT_S))

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("5")
        await visitor.sees("has picked")
        await visitor.press("escape", "q")

    app = visit(script, partial(start_against, LARGE_GAME, "random"))
    thinking.set()
    assert any("evenodds resume" in line for line in app.farewell)


def test_a_panel_that_comes_late_does_not_open_over_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(commands: PlayCommands, seat: int) -> None:
        wait_until(lambda: cast("DialogKeyboard", commands.loop.keyboard)._closed)

    monkeypatch.setattr(PlayCommands, "_hint", late)

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("h", "escape")
        await visitor.sees("Puzzle of the day")
        await visitor.pilot.pause()
        assert isinstance(visitor.app.screen, HomeScreen)

    visit(script, partial(start_against, LARGE_GAME, "random"))


def test_whoever_leaves_does_not_wait_for_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    left = Event()

    def slow(terms: Terms, progress: Progress) -> None:
        left.wait(TIMEOUT_S)
        progress("solving positions", 1, 2)
        raise AssertionError("nobody needs the solution any more")

    monkeypatch.setattr("evenodds.terminal.solving.solution_for", slow)
    monkeypatch.setattr("evenodds.app.dialogs.dialog.LEAVE_TIMEOUT_S", 2 * TIMEOUT_S)

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("5")
        await visitor.is_asked()
        thread = visitor.table.dialog._thread
        await visitor.press("h", "escape")
        await visitor.sees("Puzzle of the day")
        assert thread.is_alive()
        left.set()
        await visitor.until(lambda: not thread.is_alive())
        assert any("evenodds resume" in line for line in visitor.app.farewell)

    app = visit(script, partial(start_against, LARGE_GAME, "random"))
    assert app.failure is None
    assert len(saved_match().history) == 1


def test_the_app_names_matches_of_games_that_are_not_installed() -> None:
    folder().mkdir(parents=True)
    (folder() / "2345.txt").write_text('[Game "nim"]\n\n1 *\n')

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        await visitor.press("m")
        await visitor.sees("game that is not installed")
        assert "not played" not in visitor.screen_text()

    visit(script)


def test_the_farewell_is_kept_until_more_is_said() -> None:
    """Whoever leaves during a solve may be gone before the dialog says that the match is saved."""
    screen = DialogScreen(lambda _: True)
    screen.farewell = ["The match is saved."]
    screen.leave()
    screen.say("The match is saved.", "Goodbye.")
    assert screen.farewell == ["The match is saved.", "Goodbye."]
