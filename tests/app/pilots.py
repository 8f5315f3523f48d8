"""Whole runs of the app as a command opens it, without a terminal, by Textual's pilot."""

import asyncio
import io
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest import mock

from textual.app import App
from textual.pilot import Pilot

from evenodds import Match
from evenodds.app.background import THREAD_NAME
from evenodds.app.board_screen import BoardScreen
from evenodds.app.drawing.pieces import Stage
from evenodds.cli import run
from evenodds.core.vocabulary import Seat
from evenodds.players.profiles import names_for
from evenodds.render.narration import tell_ending, tell_round
from tests.support.waiting import TIMEOUT_S

Script = Callable[["Visitor"], Awaitable[None]]
STILL: Final = {"animation": False}
"""Settings under which nobody waits for cards that turn over."""


class Visitor:
    """Somebody who presses keys and looks at the screen."""

    def __init__(self, app: App[int], pilot: Pilot[int]) -> None:
        self.app: Any = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, true: Callable[[], object]) -> None:
        end, pause_s = time.monotonic() + TIMEOUT_S, 0.02
        while not true():
            assert time.monotonic() < end, f"it does not come: {self.screen_text()}"
            await self.pilot.pause(pause_s)
            pause_s = min(pause_s * 1.5, 0.1)  # to look takes as long as a pause

    async def sees(self, *texts: str) -> None:
        """Wait until texts are on the screen, one after the other."""
        for text in texts:
            await self.until(partial(self._shows, text))

    def _shows(self, text: str) -> bool:
        return text in self.screen_text()

    async def is_told(self, text: str) -> None:
        """Wait until a notice says something, wherever its lines break."""
        await self.until(lambda: any(text in each.message for each in self.app._notifications))

    def screen_text(self) -> str:
        lines = self.app.screen._compositor.render_strips()  # none before a screen is laid out
        return "\n".join(strip.text for strip in lines)

    @property
    def has_table(self) -> bool:
        """Whether a match or a puzzle is open, with no panel over it."""
        return isinstance(self.app.screen, BoardScreen) and self.app.screen.table is not None

    @property
    def table(self) -> Any:
        """What the board shows: a view, who sits here, who is asked."""
        assert self.has_table, self.app.screen
        return self.app.screen.table

    @property
    def is_over(self) -> bool:
        """Whether a match has ended, and what follows is asked."""
        return self.has_table and bool(self.app.screen.ended)

    @property
    def log(self) -> list[str]:
        return list(self.app.screen.match_log.lines)

    def turn_cards(self, stage: str) -> None:
        """Show the cards of the last round as they are while they turn over."""
        self.app.screen.board.update_look(stage=Stage[stage])

    @property
    def is_thinking(self) -> bool:
        """Whether work goes on in the background, though nobody may wait for it any more."""
        return any(thread.name == THREAD_NAME for thread in threading.enumerate())

    async def is_asked(self) -> bool:
        """Wait until the table asks for a pick, or the match is over; whether it asks."""
        await self.until(
            lambda: (
                self.is_over
                or (self.has_table and self.table.asked is not None and not self.app.screen.sent)
            )
        )
        self.screen_text()  # whatever the board shows can be drawn
        return not self.is_over

    async def pick(self, number: int) -> None:
        """Type a number; Enter follows where it may become a longer one, or is hidden."""
        if self.app.screen.board.look.covered:
            await self.press("enter")
        await self.press(*str(number))
        if self.app.screen.board.typed:
            await self.press("enter")

    async def play_to_the_end(self) -> None:
        """Pick the lowest number, and in the second seat the highest: that is soon over."""
        while await self.is_asked():
            await self.pick(self.table.view.choices[-self.table.asked])


def steps(*walk: str) -> Script:
    """A script of lines `keys > text > text`: keys to press, and what is seen afterwards.

    `?` is seen when a pick is asked for; what begins with `!` is not on the screen, and what begins
    with `#` is in a notice.
    """

    async def script(visitor: Visitor) -> None:
        for step in walk:
            keys, *seen = step.split(" > ")
            await visitor.press(*keys.split())
            for text in seen:
                if text == "?":
                    assert await visitor.is_asked()
                elif text.startswith("!"):
                    assert text[1:] not in visitor.screen_text()
                elif text.startswith("#"):
                    await visitor.is_told(text[1:])
                else:
                    await visitor.sees(text)

    return script


def told(match: Match, you: Seat) -> list[str]:
    """What the log says to a player of a match that is over, wherever it was held."""
    assert match.result is not None
    names = names_for(match.terms, you)
    rounds = [tell_round(match, round, names) for round in range(1, match.round)]
    return [*rounds, tell_ending(match, match.result, names)]


class Left(NamedTuple):
    """How the app was left."""

    exit_code: int | None
    said: list[str]
    """What is said in the terminal then."""


class TerminalStream(io.StringIO):
    """A stream that passes for a terminal."""

    def isatty(self) -> bool:
        return True


class _Closed(BaseException):
    """The app has closed, and the command need not go on: it might end this process."""


def visit(
    script: Script,
    *words: object,
    size: tuple[int, int] = (80, 24),
    settings: Mapping[str, object] | None = None,
) -> Left:
    """Type a command at a terminal, and visit the app that it opens; how it was left.

    Nothing is written to a terminal: what is on the screen is drawn when it is looked at.

    Without settings of the test the app has those that it keeps; where none are kept, `STILL`.
    """
    kept = Path(os.environ["EVENODDS_HOME"], "app.json")
    if settings is not None or not kept.exists():
        kept.parent.mkdir(exist_ok=True, mode=0o700)
        kept.write_text(json.dumps(STILL if settings is None else dict(settings)))
    opened: list[Any] = []

    async def pilot(app: App[int]) -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await script(Visitor(app, pilot))

    def pilot_app(app: App[int]) -> None:
        opened.append(app)
        asyncio.run(pilot(app))
        raise _Closed

    before = sys.argv, sys.stdin, os.environ.copy()
    sys.argv, sys.stdin = ["evenodds", *map(str, words)], TerminalStream()
    os.environ |= {"TERM": "xterm-256color", "EVENODDS_PLAIN": "0", "EVENODDS_CORES": "1"}
    try:
        with (
            mock.patch.object(App, "run", pilot_app),
            mock.patch("textual._compositor.Compositor.render_update", return_value=None),
            redirect_stdout(TerminalStream()),
            redirect_stderr(TerminalStream()),
        ):
            run()
    except _Closed:
        pass
    finally:
        sys.argv, sys.stdin = before[:2]
        os.environ.clear()
        os.environ.update(before[2])
    (app,) = opened
    if app.failure:
        raise app.failure
    return Left(app.return_value, [line for said in app.farewells.values() for line in said])
