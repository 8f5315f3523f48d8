"""Screens of the app beside matches: home, panels, settings, puzzles, sizes."""

import asyncio
import json
import os
import re
import shutil
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from textual.events import Key

from evenodds import BadRuling, list_games
from evenodds.app.background import THREAD_NAME
from evenodds.app.match_setup import with_ruling, with_step
from evenodds.app.settings import SettledApp
from evenodds.core.catalog import get
from evenodds.core.terms import agree
from tests.app.pilots import STILL, Visitor, steps, visit
from tests.support.commands import evenodds_here, lines
from tests.support.examples import LARGE_GAME, LOOPING_GAME, SIMULTANEOUS_GAME, TURN_GAME
from tests.support.packages import NIM, install
from tests.support.servers import Server

pytestmark = pytest.mark.long

AGAINST_RANDOM = STILL | {"opponent": "random"}
"""Settings that let Enter choose a computer which needs no solution."""


def test_a_named_opponent_plays_the_first_match_only() -> None:
    again = "escape enter > Change the rules"
    walk = steps(" > Puzzle of the day", "enter > ?", "escape > Puzzle of the day", again)
    visit(walk, "play", "--vs", "random", "--seat", 2)


def test_rules_that_decide_a_match_are_pointed_out() -> None:
    """And what is livelier; the page of rules says which of them do, and which do not."""
    page = steps(
        " > Livelier rules",
        "home enter > With the original rules the player who goes second always wins",
        "left > With these rules the player who goes first always wins",
    )
    lively = steps(
        "escape home down enter > Livelier rules",
        "home down enter >  By the book > !Livelier rules",
        "enter > ?",
    )

    async def script(visitor: Visitor) -> None:
        await page(visitor)
        await visitor.press("up", "up", "up", "right")
        await visitor.until(lambda: "always wins" not in visitor.screen_text())
        await lively(visitor)
        assert visitor.table.view.state.rulings == get(TURN_GAME).settle({"leaps": 1})

    visit(script, "play", TURN_GAME, settings=AGAINST_RANDOM)


def test_single_rulings_are_changed_in_words() -> None:
    """Stepped or typed; what depends on one is kept within its limits."""

    def rule(value: int) -> str:
        return f"The size of each hand: {value} "

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Change the rules")
        await visitor.press("home", "enter")
        await visitor.sees(rule(10))
        await visitor.press("left", "left", "right")
        await visitor.sees(rule(9))
        for digit in "100":  # all of them are there before the line that takes them
            visitor.app.post_message(Key(digit, digit))
        await visitor.sees(" 100 ")
        await visitor.press("enter")
        await visitor.sees('"100" is not allowed; allowed: 2 to')
        await visitor.press("escape", "2", "enter")
        await visitor.sees(rule(2), "The points that win at once: 2")
        await visitor.press("left")
        await visitor.sees(rule(2))
        await visitor.press("right", "p")
        numbers = 3
        for start in ("end", "up", "enter"), ("end", "enter", "enter"), ():
            await visitor.is_asked()
            assert visitor.table.people == (0,)
            assert visitor.table.view.state.rulings.numbers == numbers
            if start:
                await visitor.press("escape", "1", "home", "enter", "left", *start)
                numbers = 9

    visit(script, "play", LARGE_GAME, settings=AGAINST_RANDOM)


def test_names_a_series_and_two_computers_are_chosen_before_a_match(home: Path) -> None:
    """Names are typed once; the tally of a series begins anew when it is won."""
    names = steps(
        "home down > One match",
        "right > Best of three",
        "down down enter > Ann, Bo:",
        "A enter > two different names",
        "comma A enter > both players would be called A",
        "backspace B enter > Now A, B.",
        "up enter > ? > A against B",
    )
    computers = steps(
        "escape 1 > Best of three",
        "home down down down down enter > The first computer",
        "escape > Who plays?",
        "home down down down down enter > The first computer",
        "end up up up up up enter > The second computer",
        "end up up up up enter > Random against High",
    )

    async def wins(visitor: Visitor) -> None:
        """A picks high, and B picks low."""
        while await visitor.is_asked():
            await visitor.pick(visitor.table.view.choices[visitor.table.asked - 1])

    async def script(visitor: Visitor) -> None:
        await names(visitor)
        for said in ("", "A wins the best of 3."):
            await wins(visitor)
            assert said in " ".join(visitor.log)
            await visitor.press("p")
        await computers(visitor)

    visit(script, "play", LARGE_GAME, settings=STILL | {"opponent": ""})
    kept = json.loads((home / "app.json").read_text())
    assert (kept["names"], kept["series"]) == ("A, B", 3)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where Python looks for games of packages."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_what_is_wrong_with_a_package_is_told_in_a_line(packages: Path) -> None:
    """Its rules, whatever they are wanted for, or a page that is missing; others are played."""
    source = f"from evenodds.core.catalog import get\nGAME = get('{SIMULTANEOUS_GAME}')._replace"
    install(packages, "wrong", f"{source}(name='wrong', simultaneous=False, place=98)")
    install(packages, "lost", f"{source}(name='lost', page='/lost/[/b]rulebook.md', place=99)")

    async def script(visitor: Visitor) -> None:
        await visitor.sees("7 Number Clash")
        for keys in ("6",), ("end", "up", "t"), ("y",):
            await visitor.press(*keys)
            await visitor.is_told("wrong: legal lets both seats pick")
            visitor.app.clear_notifications()
        await visitor.press("down", "r")
        await visitor.is_told("/lost/[/b]rulebook.md")
        await visitor.sees("[/b]")
        assert "Esc closes" not in visitor.screen_text()
        await visitor.press("2")
        await visitor.sees("Change the rules")

    visit(script, size=(120, 40))


def test_rulings_under_which_a_game_is_wrong_are_refused_in_a_line(packages: Path) -> None:
    legal = "return 0b110 if"
    install(packages, "nim", NIM.replace(legal, f"assert state.rulings.heap != 6\n    {legal}"))
    walk = steps(
        " > Change the rules",
        "home enter > How many there are at first: 7",
        "left > #nim: legal fails with AssertionError, at heap=6",
        "right > at first: 8",
        "p > ? > heap",  # a game without a drawing of its own is played on its text board
    )
    visit(walk, "play", "nim", size=(120, 40), settings=AGAINST_RANDOM)


@pytest.mark.parametrize("game", list_games(), ids=str)
def test_every_value_that_is_offered_for_a_ruling_is_allowed(game: Any) -> None:
    """Limits are those of the ruling, which may follow others, and none is left out."""
    for key, option in game.options.items():
        terms = with_step(agree(game), key, -1000)
        number = option.show(getattr(terms.rulings, key)).isdecimal()
        for _ in range(1000 if number else len(option.words)):
            texts = {
                name: one.show(getattr(terms.rulings, name)) for name, one in game.options.items()
            }
            assert game.settle_typed(texts)
            terms = with_step(terms, key, 1)
        value = getattr(terms.rulings, key)
        with pytest.raises(BadRuling, match="allowed: "):
            with_ruling(terms, key, str(value + 1) if number else "another")


def test_settings_that_are_unknown_are_told_and_kept(home: Path) -> None:
    walk = steps(
        ' > #"colours", "daily_right", "sound".',
        "s > Animation: off > Colours: auto",
        "down right right > Colours: light",
    )
    strange: dict[str, object] = {"colours": [], "daily": "x", "daily_right": "yes", "sound": None}
    visit(walk, settings=STILL | strange)
    saved = json.loads((home / "app.json").read_text())
    assert (saved["animation"], saved["colours"], saved["sound"]) == (False, "light", None)
    assert (saved["daily"], saved["daily_right"]) == ("x", False)


def test_a_file_of_settings_that_is_damaged_is_put_aside(home: Path) -> None:
    home.mkdir()
    for text in ("[]", "[" * 10**5, '{"animation": false,}'):
        (home / "app.json").write_text(text)
        app = SettledApp()
        assert "damaged" in app.settings_fault
        app.change_settings(animation=False)
        assert (home / "app.json.damaged").read_text() == text
        (home / "app.json.damaged").unlink()
    (home / "app.json").write_text(text)
    visit(steps(" > #damaged", "s down > Animation: on", "right"))
    assert json.loads((home / "app.json").read_text())["colours"] == "dark"


def test_home_lists_every_game_and_helps() -> None:
    """A study is a key away: verdicts in sentences, and which promises of the rule book hold."""
    walk = steps(
        " > ".join([" > Puzzle of the day", *(game.title for game in list_games())]),
        "question_mark > the puzzle of the day > ─ Esc closes",
        "escape r > ↑↓ scroll, Esc closes",
        "end > press Enter on a game > !--rule",
        "escape > Study: is it a good game?",
        "y > Is it fair? > What the rule book promises",
    )
    visit(walk, size=(100, 40))


def test_home_lists_the_open_matches_that_fit(home: Path) -> None:
    evenodds_here("play", SIMULTANEOUS_GAME, "--vs", "random", typed=lines(1), home=home)
    (match,) = (home / "matches").glob("*.txt")
    for name in "23456789":
        shutil.copy(match, match.with_name(f"{name * 4}.txt"))

    async def script(visitor: Visitor) -> None:
        for size, left_out in (((120, 60), False), ((60, 20), True)):
            await visitor.pilot.resize_terminal(*size)
            await visitor.sees("Go on (g):")
            await visitor.until(lambda: re.search(r"Quit +│", visitor.screen_text()))
            listed = visitor.screen_text().count("Go on")
            assert 0 < listed <= 9
            assert (listed < 9) == left_out

    visit(script, size=(120, 60))


def test_whoever_leaves_while_home_looks_for_matches_sees_no_fault(home: Path) -> None:
    (home / "matches").mkdir(parents=True)
    pipe = home / "matches" / "2345.txt"
    os.mkfifo(pipe)

    async def script(visitor: Visitor) -> None:
        await visitor.sees("Number Duel")
        await visitor.app.screen.query("*").remove()
        await asyncio.to_thread(pipe.write_text, "")  # which waits until somebody reads
        await visitor.app.workers.wait_for_complete()

    visit(script)


def test_enter_opens_the_first_entry_beside_the_games(home: Path) -> None:
    """Its line is under the cursor as soon as the list is; brackets in names stay."""
    names = "[/b]Ann,[red]Bo"
    evenodds_here("play", SIMULTANEOUS_GAME, "--names", names, typed=lines(1), home=home)
    walk = steps(
        " > Go on (g):",
        "right enter > ?",
        "escape > Your matches",
        "end up left right enter > Animation: off",
        "escape m > [/b]Ann - [red]Bo",
    )
    visit(walk, size=(120, 40))


def test_matches_tell_the_record_and_the_next_level(home: Path) -> None:
    """After three wins of four; matches are deleted or reviewed, with a legend in sight."""
    legend = "Cost: what a mistake lost."
    won = '[Game "duel"]\n[Computer2 "level:2"]\n\n3-1 3-3 3-3 3-1 first\n'
    (home / "matches").mkdir(parents=True, mode=0o700)
    for name in "2345":
        (home / "matches" / f"{name * 4}.txt").write_text(won)
    bot = '[Game "duel"]\n[Computer2 "cmd:bot"]\n\n3-1 *\n'
    (home / "matches" / "6666.txt").write_text(bot)
    walk = steps(
        " > Try Level 3:",
        "down down down > 4 in a row > Won 4, drawn 0, lost 0; 4 in a row",
        "m > Number Duel > Level 2  20 > you won",
        'enter > #Resume it with: evenodds resume 6666 --vs "cmd:bot"',
        "delete y > you won",
        "delete > Delete this match for good?",
        "n > you won",
        "delete y > Delete deletes",
        f"enter > turning point > {legend}",
        f"end > {legend}",
        "escape > Your matches",
        "escape > Won 3, drawn 0, lost 0",
        "right enter > ? > You against Level 3",
    )
    visit(walk)
    assert len(list((home / "matches").glob("*.txt"))) == 3


def test_a_report_that_comes_late_opens_over_nothing(packages: Path) -> None:
    """Here the rule book is a pipe, so that it comes when somebody writes."""
    page = packages / "page.md"
    source = f"from evenodds.core.catalog import get\nGAME = get('{SIMULTANEOUS_GAME}')._replace"
    install(packages, "slow", f"{source}(name='slow', title='Slow', page='{page}', place=99)")
    os.mkfifo(page)

    async def script(visitor: Visitor) -> None:
        await steps(" > 6 Slow", "up r > is being computed", "s > Animation")(visitor)
        page.write_text("# A page that comes late")
        await visitor.until(lambda: all(one.name != THREAD_NAME for one in threading.enumerate()))
        await steps(" > Animation", "escape > Puzzle of the day > !comes late")(visitor)

    visit(script, size=(120, 40))


def test_a_newcomer_plays_within_three_keys_and_settings_are_kept(home: Path) -> None:
    walk = steps(
        " > Puzzle of the day",
        "enter enter > ? > to pick",
        "escape > Settings",
        "s > Animation: on",
        "enter > Animation: off",
        "down right right > Colours: light",
        "left > Colours: dark",
        "down enter > Puzzle of the day",
    )
    visit(walk, settings={})
    settings = json.loads((home / "app.json").read_text())
    assert (settings["animation"], settings["colours"]) == (False, "dark")


def test_a_puzzle_is_answered_and_explained() -> None:
    """A number that cannot be picked is refused in the status line, without a panel."""
    help = "question_mark > the rules of this game > !take back > !quit"

    async def script(visitor: Visitor) -> None:
        await steps(" > ? > Which one", help, "escape > ?")(visitor)
        choices = visitor.table.view.choices
        wrong = next(number for number in range(1, 10) if number not in choices)
        await steps(f"{wrong} > Please pick > !Esc closes")(visitor)
        assert " ".join(visitor.log).count("Which one") == 1
        await steps(" > ?", f"{choices[0]} > Press Enter to go on.", "enter > Puzzle 2")(visitor)

    visit(script, "train", SIMULTANEOUS_GAME, "--seed", 1)


def test_a_puzzle_shows_the_number_played_last() -> None:
    """Which the answer may depend on: as in a match, with what it did."""

    async def script(visitor: Visitor) -> None:
        await visitor.is_asked()
        view, words = visitor.table.view, get(LOOPING_GAME).words
        assert view.history
        said = words.round_summary(visitor.table.before, view.history[-1], view.state, view.names)
        await visitor.sees(*said.split())

    visit(script, "train", LOOPING_GAME, "target=15", "--seed", 1)


def test_the_puzzle_of_the_day_is_that_of_the_browser(server: Server, home: Path) -> None:
    """The same for everybody; home tells the first answer until the day after."""
    today = datetime.now(UTC).date()
    with httpx.Client(base_url=f"{server.url}/api/puzzles") as browser:
        puzzle = browser.get(f"/{today}").json()
        numbers = puzzle["legal"]
        answer = browser.get(f"/{today}/answers/{numbers[0]}").json()["answer"]
    wrong = next(number for number in numbers if number != answer)

    async def script(said: str, answers: tuple[int, ...], visitor: Visitor) -> None:
        await visitor.sees("Puzzle of the day")
        assert "today" not in visitor.screen_text()
        for number in answers:
            await visitor.press("d")
            await visitor.is_asked()
            view = visitor.table.view
            assert (view.game, list(view.choices)) == (puzzle["game"], numbers)
            assert len(view.history) == len(puzzle["history"])
            await visitor.sees(f"Puzzle of the day: {get(view.game).title}")
            assert "Puzzle 1" not in visitor.screen_text()
            await visitor.pick(number)
            await visitor.sees("Press Enter to go on.")
            await visitor.press("enter")
            await visitor.sees("Puzzles of a game", said)

    visit(partial(script, "solved today", (answer, wrong)))
    kept = json.loads((home / "app.json").read_text())
    assert (kept["daily"], kept["daily_right"]) == (today.isoformat(), True)
    before = STILL | {"daily": str(today - timedelta(days=1)), "daily_right": True}
    visit(partial(script, "answered today", (wrong, answer)), size=(60, 20), settings=before)


def test_a_game_without_puzzles_says_so() -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.until(lambda: visitor.app.return_value is not None)

    with pytest.raises(Exception, match="has no puzzles"):
        visit(script, "train", TURN_GAME, "numbers=9", size=(120, 30))


def test_every_setup_and_every_board_fits() -> None:
    """Panels with frames, boards with players, numbers and question; or it is said why not."""
    keys = "←→ change the value"

    async def looks(visitor: Visitor) -> None:
        view = visitor.table.view
        await visitor.sees(*view.names.by_seat, "to pick", "Help")
        assert all(f"{number}" in visitor.screen_text() for number in view.choices)

    async def script(visitor: Visitor) -> None:
        for place, game in enumerate(list_games(), 1):
            walk = steps(
                " > Puzzle of the day",
                f"{place} > Esc goes back > ╭─ {game.title} ",
                f"home enter > ╭─ {game.title}: rules  > Choose who plays > {keys}",
                *(["question_mark > Esc  go back", "escape"] if place == 1 else []),
                "p > ?",
            )
            await walk(visitor)
            await looks(visitor)
            await visitor.pilot.resize_terminal(120, 40)
            await looks(visitor)
            await visitor.pilot.resize_terminal(60, 20)
            await visitor.press("escape")
        await visitor.pilot.resize_terminal(50, 15)
        await visitor.sees("60 by 20")

    visit(script, size=(60, 20), settings=AGAINST_RANDOM)


def test_boards_tell_what_a_number_would_do() -> None:
    """What it takes from the other player; that it takes a leap."""
    walk = steps(" > ?", "6 > ? > what a number takes from the other player")
    visit(walk, "play", LOOPING_GAME, "--vs", "random", "--seed", 3, "--first", 1)
    walk = steps(" > ?", "6 enter > ? > takes a leap > < 1 >")
    visit(walk, "play", TURN_GAME, "leaps=1", "--vs", "random", "--seed", 3, "--first", 1)


def test_two_computers_are_watched() -> None:
    """Round by round, each as long as nobody presses Enter; no other key goes on."""
    walk = steps(
        " > Round 1 > Press Enter to go on. > Go on",
        "h u 5 question_mark > Enter goes on at once. > !take back",
        "escape",
    )

    async def script(visitor: Visitor) -> None:
        await walk(visitor)
        assert len(visitor.table.view.history) == 1
        while not visitor.is_over:
            await visitor.press("enter")

    computers = ("--vs", "copy", "--vs", "high", "--seed", 3, "--pace", 60)
    visit(script, "play", LARGE_GAME, "target=2", *computers)


def test_colours_can_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(visitor: Visitor) -> None:
        await steps("enter > ? > ■ Player 1 > ◆ Player 2")(visitor)
        assert visitor.app.no_color

    visit(script, "play", LARGE_GAME, settings=STILL | {"opponent": ""})
