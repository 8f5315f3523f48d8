"""Whole runs of the app without a terminal, by Textual's pilot."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from evenodds.app.app import EvenOddsApp
from evenodds.app.table_screen import TableScreen
from evenodds.cli.shared.play_options import PlayOptions
from evenodds.terminal.play.session import SessionOptions
from tests.support.waiting import TIMEOUT_S

Script = Callable[["Visitor"], Awaitable[None]]


class Visitor:
    """Somebody who presses keys and looks at the screen."""

    def __init__(self, app: EvenOddsApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + TIMEOUT_S
        while not true():
            assert time.monotonic() < end, f"it does not come: {self.screen_text()}"
            await self.pilot.pause(0.01)

    async def sees(self, text: str) -> None:
        """Wait until a text is on the screen."""
        await self.until(lambda: text in self.screen_text())

    def screen_text(self) -> str:
        """All that is on the screen, as text."""
        lines = self.app.screen._compositor.render_strips()  # none before a screen is laid out
        return "\n".join(strip.text for strip in lines)

    @property
    def table(self) -> TableScreen:
        """The screen of a match."""
        screen = self.app.screen
        assert isinstance(screen, TableScreen), screen
        return screen

    async def is_asked(self) -> bool:
        """Wait until the table asks for a pick, or the match is over; whether it asks."""

        def ready() -> bool:
            screen = self.app.screen
            if not isinstance(screen, TableScreen) or screen.table is None:
                return False
            return screen.ended or (screen.table.asked is not None and not screen.sent)

        await self.until(ready)
        return not self.table.ended

    async def pick(self, number: int) -> None:
        """Type a number; Enter follows where it may become a longer one, or is hidden."""
        await self.press(*str(number))
        if self.table.board.typed:
            await self.press("enter")

    async def play_to_the_end(self) -> None:
        """Pick the first number that is open, again and again."""
        while await self.is_asked():
            await self.press("right", "enter")


def visit(
    script: Script,
    first: Callable[[EvenOddsApp], None] | None = None,
    size: tuple[int, int] = (80, 24),
    options: SessionOptions | None = None,
) -> EvenOddsApp:
    """Run the app with a visitor; the app, when it has closed."""
    app = EvenOddsApp(options or SessionOptions(None, 1), PlayOptions(), first)

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await script(Visitor(app, pilot))

    asyncio.run(run())
    return app
