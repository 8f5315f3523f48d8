"""Matches in the app, played with keys to their ends."""

import os
import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evenodds import FIRST, Match, list_games
from evenodds.app.widgets import key_help
from evenodds.core.catalog import get
from evenodds.table.table import TableView
from tests.app.pilots import Visitor, steps, told, visit
from tests.support.commands import kept_match, kept_matches, typed_rulings
from tests.support.examples import LARGE_GAME, SIMULTANEOUS_GAME, SMALL_GAME, TURN_GAME
from tests.support.game_data import data_of
from tests.support.packages import NIM, install
from tests.support.paths import ROOT
from tests.support.play import pairs
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.long

GAMES = [game.name for game in list_games()]
RANDOM = ("--vs", "random", "--seed", 1)
PEOPLE: dict[str, object] = {"opponent": "", "animation": False}
"""Settings that let Enter seat two people."""
BACK = "▚▚"
"""What the backs of cards show."""


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
            assert visitor.table.people == (seat,)
            assert "always wins, whatever anyone picks." in " ".join(visitor.log)
            await visitor.play_to_the_end()
            await visitor.press("p")

    visit(script, "play", TURN_GAME, "numbers=3", "--vs", "random", "--seed", seed, size=(80, 45))


@pytest.mark.parametrize("name", GAMES)
def test_a_match_against_the_computer(name: str, home: Path) -> None:
    """It is kept with its result; the review is a key away; one Enter too many does nothing."""

    async def script(visitor: Visitor) -> None:
        while await visitor.is_asked():
            await visitor.press("right", "enter")
        await visitor.sees("Play again")
        log = visitor.app.screen.match_log
        await visitor.until(lambda: log.scroll_y == log.max_scroll_y)
        await visitor.press("enter")
        match = kept_match(home)
        expected = told(match, visitor.table.near)
        assert [line for line in visitor.log if line in expected] == expected
        await visitor.press("question_mark")
        await visitor.sees("r  review the match")
        await visitor.press("escape", "r")
        await visitor.sees("Review", "Esc closes")
        await visitor.press("escape")
        await visitor.press("enter")
        assert await visitor.is_asked()
        assert visitor.table.view.round <= 2
        other_begins = visitor.table.people != (match.terms.seat_of(1),)
        assert other_begins == (not match.game.simultaneous)

    visit(script, "play", name, *typed_rulings(data_of(name).small), *RANDOM)


@pytest.mark.parametrize("name", [SIMULTANEOUS_GAME, TURN_GAME])
def test_two_people_at_one_keyboard(name: str, home: Path) -> None:
    """Hidden picks are confirmed, the keyboard is handed over; Ctrl-C at the end is no fault."""

    async def script(visitor: Visitor) -> None:
        await visitor.press("enter")
        await visitor.play_to_the_end()
        await visitor.press("ctrl+c")

    small = typed_rulings(data_of(name).small)
    assert visit(script, "play", name, *small, settings=PEOPLE).exit_code == 0
    match = kept_match(home)
    assert match.result is not None


def test_a_hidden_pick_is_nowhere_to_be_seen() -> None:
    """The picture is the same whatever is typed; a card lies on the table once it is picked."""
    pictures: set[tuple[str, ...]] = set()

    async def script(number: str, visitor: Visitor) -> None:
        seen: list[str] = []

        async def press(key: str) -> None:
            await visitor.press(key)
            seen.append(visitor.app.export_screenshot(simplify=True))

        await visitor.press("enter")
        await visitor.is_asked()
        for key in ("1", "backspace", *number):
            await press(key)
            assert BACK not in visitor.screen_text()
        await visitor.sees("Typed.")
        await visitor.press("enter")
        await visitor.sees("Give the keyboard to", BACK)
        seen.append(visitor.app.export_screenshot(simplify=True))
        await press(number)
        assert "Press Enter first." in visitor.screen_text()
        await press("enter")
        pictures.add(tuple(seen))

    for number in "29":
        visit(partial(script, number), "play", LARGE_GAME, settings=PEOPLE | {"animation": True})
    assert len(pictures) == 1


def test_a_match_is_left_gone_on_with_and_resigned(home: Path) -> None:
    """Home offers it with what was picked. A computer lets take back; resigning asks first."""

    async def script(visitor: Visitor) -> None:
        await steps(" > ?", "1 0 > ?", "escape > Go on", "g > ? > Round 1")(visitor)
        await visitor.until(lambda: visitor.screen_text().count("You against Random") == 2)
        await steps("l > 1. You chose 10, Random chose ", "escape > ?")(visitor)
        assert [first for first, _ in kept_match(home).history] == [10]
        await steps("u > Taken back.", "x > to resign", "y > Play again")(visitor)

    visit(script, "play", LARGE_GAME, *RANDOM)
    match = kept_match(home)
    assert match.history == ()
    assert match.result is not None
    assert match.result.reason == "resigned"


def test_commands_fill_panels() -> None:
    """Hint, rules, rounds and help open over the board and close again."""
    panels = {
        "h": "If both play perfectly",
        "m": "Map of all picks",
        "e": "Your expected score in % for each pick",
        "r": "The game",
        "l": "Nothing has been played yet.",
        "question_mark": "take back a pick",
    }
    walk = [step for key, text in panels.items() for step in (f"{key} > {text}", "escape > ?")]
    visit(steps(" > ?", *walk), "play", SIMULTANEOUS_GAME, "numbers=3", "--vs", "level:4")


def test_the_beginning_of_a_number_is_shown() -> None:
    """It waits for Enter or a digit if another number begins so; an arrow key chooses anew."""
    walk = steps(
        " > ? > Pick a number",
        "1 > 1_  Press Enter to pick 1, or type another digit for 10.",
        "backspace > Pick a number",
        "1 right enter > You pick 2. > ?",
        "1 enter > You pick 1. > !1_ > ?",
        "1 > 1_  Type another digit for 10.",
        "0 > You pick 10. > ?",
        "3 > You pick 3. > ?",
        "2 > 2 has already been played",
    )
    visit(walk, "play", LARGE_GAME, "target=9", *RANDOM, size=(80, 40))
    bids = ROOT / "examples" / "games" / "oshi_zumo.py"
    walk = steps(" > ?", "9 > 9 is not one of your numbers. Choose bid 1 to bid 5")
    visit(walk, "play", str(bids), "coins=5", *RANDOM, size=(80, 40))


@pytest.mark.parametrize(
    ("game", "table", "said"),
    [
        (LARGE_GAME, {"hidden": True, "asked": FIRST}, "Type a number and press Enter."),
        (TURN_GAME, {"asked": FIRST}, "press Enter. A typed 1 waits for Enter or another digit"),
        (LARGE_GAME, {"asked": FIRST}, "it may become 10. 0 picks 10. h what"),
        (SMALL_GAME, {"asked": FIRST}, "arrow keys and press Enter. h what"),
        (LARGE_GAME, {}, "Enter goes on at once."),
    ],
    ids=["hidden", "turns", "simultaneous", "one digit", "watching"],
)
def test_the_help_says_how_a_number_is_picked(game: str, table: dict[str, Any], said: str) -> None:
    """Which depends on who is at the keyboard, and on the numbers there are."""
    shown = TableView(Match(game).view(FIRST), **table)
    assert said in " ".join(key_help(("hint",), shown, is_saved=True).split())


def test_the_keyboard_is_handed_over_after_an_undo() -> None:
    """The other person may have it: their pick is taken back, and covered again."""
    walk = steps(
        "enter > ?",
        "2 enter > Give the keyboard to Player 2",
        "enter u > do you agree to the undo?",
        "y > Give the keyboard to Player 1",
    )
    visit(walk, "play", LARGE_GAME, settings=PEOPLE)


def test_an_upset_is_staged() -> None:
    """Cards turn over; the higher one seems to win; then the mark goes over to the lower one."""
    game = get(LARGE_GAME)
    state = game.start(game.rulings())
    picks = next(picks for picks in pairs(game, state) if game.words.upset(state, picks))

    async def script(visitor: Visitor) -> None:
        await visitor.press("enter")
        for number in picks:
            await visitor.is_asked()
            await visitor.press("enter", *str(number), "enter")
        await visitor.sees(f"★ {game.words.upset(state, picks).upper()} ★")
        stages = {"BACKS": BACK, "EDGES": "╭─╮", "FACES": f"{max(picks)} is higher…"}
        for stage, seen in stages.items():
            visitor.turn_cards(stage)
            await visitor.sees(seen)

    visit(script, "play", LARGE_GAME, settings={"opponent": ""})


def test_nobody_waits_for_cards_that_turn_over(home: Path) -> None:
    """Picks that are typed ahead are taken, each as soon as it is asked for."""

    async def script(visitor: Visitor) -> None:
        for number in "234":
            await visitor.is_asked()
            await visitor.press(number)
            visitor.turn_cards("BACKS")
        await visitor.is_asked()

    visit(script, "play", LARGE_GAME, *RANDOM, settings={})
    match = kept_match(home)
    assert [first for first, _ in match.history] == [2, 3, 4]


@pytest.mark.parametrize(
    ("keys", "exit_code", "picked"),
    [(["ctrl+c"], 130, True), (["ctrl+q"], 0, False), (["escape", "q"], 0, True)],
)
def test_the_app_is_left_during_a_match(
    keys: list[str], exit_code: int, picked: bool, home: Path
) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        if picked:
            await visitor.press("right", "enter")
            await visitor.is_asked()
        await visitor.press(*keys)

    left = visit(script, "play", LARGE_GAME, *RANDOM)
    assert left.exit_code == exit_code
    assert len(kept_matches(home)) == picked
    said = "The match is saved." if picked else "Nothing was played, so nothing is saved."
    assert sum(said in line for line in left.said) == 1


@pytest.fixture
def slow_nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A game whose last position is looked at only while this is set, and whose page is a pipe."""
    legal = "if seat != state.turn:"
    waiting = f"if state.heap == 1:\n        GATE.wait({TIMEOUT_S})\n    {legal}"
    source = NIM.replace(legal, waiting).replace("GAME = Game", "GATE = Event()\nGAME = Game")
    page = tmp_path / "page.md"
    os.mkfifo(page)
    source += f"\nGAME = GAME._replace(page={str(page)!r})\n"
    install(tmp_path, "nim", "from threading import Event\n" + source)
    monkeypatch.syspath_prepend(tmp_path)
    import evenodds_nim  # type: ignore[import-not-found]

    gate: threading.Event = evenodds_nim.GATE
    gate.set()
    return gate


def leave_while_it_thinks(key: str, gate: threading.Event, go_on: Any) -> list[str]:
    """Leave a match after a pick and a key whose work lasts until `go_on`; what is said then."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        await visitor.press("2")
        await visitor.is_asked()
        gate.clear()
        await visitor.press(key, "escape")
        await visitor.sees("Puzzle of the day")
        await visitor.until(lambda: visitor.is_thinking)
        go_on()
        await visitor.until(lambda: not visitor.is_thinking)
        await visitor.pilot.pause()
        assert "Esc closes" not in visitor.screen_text()
        await visitor.sees("Puzzle of the day")

    return visit(script, "play", "nim", "--first", 1, *RANDOM).said


def test_whoever_leaves_does_not_wait_for_a_solve(slow_nim: threading.Event, home: Path) -> None:
    said = leave_while_it_thinks("h", slow_nim, slow_nim.set)
    assert sum("evenodds resume" in line for line in said) == 1
    match = kept_match(home)
    assert len(match.history) == 2


def test_a_panel_that_comes_late_does_not_open_over_home(
    slow_nim: threading.Event, tmp_path: Path
) -> None:
    leave_while_it_thinks("r", slow_nim, lambda: (tmp_path / "page.md").write_text("# Nim\n"))


def test_the_app_names_matches_of_games_that_are_not_installed(home: Path) -> None:
    (home / "matches").mkdir(parents=True)
    (home / "matches" / "2345.txt").write_text('[Game "nim"]\n\n1 *\n')
    listed = "m > #game that is not installed > !not played"
    visit(steps(" > Puzzle of the day", listed))


@pytest.mark.usefixtures("example_games")
@pytest.mark.parametrize("rules", [("goofspiel", "cards=3", "score=points"), ("pig", "goal=4")])
def test_what_is_drawn_is_on_the_board_and_in_the_log(rules: tuple[str, ...], home: Path) -> None:
    async def script(visitor: Visitor) -> None:
        unit = "points in the whole" if "score=points" in rules else "score in %"
        await steps(" > ?", f"m > Map of all picks > Your expected {unit}", "escape > ?")(visitor)
        while await visitor.is_asked():
            board = [line.partition("▏")[0] for line in visitor.screen_text().splitlines()]
            assert all(line.split()[-1] in " ".join(board) for line in visitor.table.luck)
            await visitor.pick(visitor.table.view.choices[-1])
        match = kept_match(home)
        told_here = [line for line in visitor.log if line]
        you = visitor.table.near
        assert told_here[-len(told(match, you)) :] == told(match, you)
        drawn = [number for numbers in match.draws for number in numbers]
        said = re.findall(r"(?:Drawn:|die shows) (.)\.", " ".join(told_here))
        assert list(map(int, said)) == drawn
        await visitor.press("l")
        await visitor.press("p")
        await visitor.is_asked()

    visit(script, "play", *rules, *RANDOM)
