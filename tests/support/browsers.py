"""Real browsers for tests: pages that complain about nothing, and people who play on them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.support.servers import Pair, Server
from tests.support.system_packages import missing
from tests.support.waiting import TIMEOUT_S

CHROMIUM: Final = "chromium"
PROGRAMS: Final = ("chromium-headless-shell", CHROMIUM)
"""The headless shell is the same browser without windows, and takes a third of the time."""
SCREENS: Final = "EVENODDS_TEST_SCREENS"
"""A variable with the folder in which screenshots are kept to be looked at; else there are none."""
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
LANDSCAPE: Final[ViewportSize] = {"width": 844, "height": 390}
SMALL_LANDSCAPE: Final[ViewportSize] = {"width": 740, "height": 360}
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
OFFLINE: Final = "ERR_INTERNET_DISCONNECTED"
FAILED: Final = "Failed to load resource"
"""What a browser itself notes of a request that was refused, lost or not sent."""


TIMEOUT_MS: Final = TIMEOUT_S * 1000

expect.set_options(timeout=TIMEOUT_MS)


@contextmanager
def chromium() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        missing(CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def keep(page: Page, name: str) -> None:
    """Keep a picture of a page, where somebody wants to look at them."""
    if SCREENS in os.environ:
        page.screenshot(path=Path(os.environ[SCREENS], f"{name}.png"), full_page=True)


def violations(page: Page, **options: object) -> list[str]:
    """The rules of axe that a page breaks, of all or of those that are named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(
        "asked => axe.run(asked).then(told => told.violations.map(each => each.id))",
        {"resultTypes": ["violations"], **options},
    )
    return found


class Person:
    """Somebody with a browser of their own; whatever their pages complain about is a fault."""

    def __init__(self, browser: Browser, server: Server, **wish: Any) -> None:
        wish = {"viewport": PHONE, "reduced_motion": "reduce"} | wish
        self.context: BrowserContext = browser.new_context(base_url=server.url, **wish)
        self.context.set_default_timeout(TIMEOUT_MS)
        self.origin = server.url
        self.touches = bool(wish.get("has_touch"))
        self.faults: list[str] = []
        self.pardoned: tuple[str, ...] = (OFFLINE,)
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._hear(said.type, said.text))
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(part in text for part in self.pardoned):
            self.faults.append(text)

    def pardon(self, *texts: str) -> "Person":
        """Take complaints with one of these texts as no fault: they come at any time."""
        self.pardoned += texts
        return self

    def sit(self, pair: Pair, seat: int) -> "Person":
        self.take_seat(pair.id, pair.tokens[seat])
        return self.go(f"/match/{pair.id}")

    def take_seat(self, id: str, token: str) -> None:
        url = f"{self.origin}/api/matches/{id}"
        self.context.add_cookies([{"name": f"seat-{id}", "value": token, "url": url}])

    def go(self, path: str) -> "Person":
        """Open a page, and wait until it has something to show."""
        self.page.goto(path)
        if path.startswith("/match/") and not path.endswith("/review"):
            self.page.wait_for_selector(".mat, #join:not([hidden])")
        else:
            self.page.wait_for_selector("body[data-ready=yes], body:not(:has(noscript))")
        return self

    def open_numbers(self) -> list[int]:
        found = self.page.locator("[data-pick].open")
        return [int(number) for number in found.evaluate_all("all => all.map(b => b.dataset.pick)")]

    def pick(self, number: int) -> None:
        """Click or touch a number, and wait until it is in, and all of the answer here."""
        button = self.page.locator(f"[data-pick='{number}'].open")
        with self.page.expect_response("**/picks?*") as answer:
            button.tap() if self.touches else button.click()
        answer.value.finished()

    def press(self, label: str) -> None:
        """Press the button, or follow the link, with this label; elsewhere it may be spoken of."""
        self.button(label).click()

    def button(self, label: str) -> Locator:
        buttons = self.page.get_by_role("button", name=label, exact=True)
        return buttons.or_(self.page.get_by_role("link", name=label, exact=True))

    def sees(self, text: str, where: str = "#status") -> None:
        expect(self.page.locator(where)).to_contain_text(text)

    def keep(self, name: str) -> None:
        keep(self.page, name)

    def leave(self) -> None:
        """Close the browser; nothing may have gone wrong in it."""
        self.context.close()
        assert not self.faults, f"the pages complained: {self.faults}"
