"""Real browsers for tests: pages that complain about nothing, and people who play on them."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Request,
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
        arguments = ["--no-sandbox", "--renderer-process-limit=1"]  # tabs share a process
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


class SharedBrowser:
    """One browser for all tests that follow one another, with the people who were in it.

    While it is there, no test can run a loop of its own.
    """

    def __init__(self) -> None:
        self._open = ExitStack()
        self.browser = self._open.enter_context(chromium())
        self._idle: list[Person] = []

    def invite(self, server: Server, **options: Any) -> "Person":
        """Somebody who knows nothing of what was; a new context takes as long as a visit does."""
        for one in self._idle:
            if (one.origin, one.touches) == (server.url, options.get("has_touch", False)):
                self._idle.remove(one)
                return one.look(**options)
        return Person(self.browser, server, **options)

    def dismiss(self, one: "Person") -> None:
        if one.is_prepared:
            one.leave()
        else:
            one.forget()
            self._idle.append(one)

    def close(self) -> None:
        self._open.close()


def keep(page: Page, name: str) -> None:
    if SCREENS in os.environ:
        page.screenshot(path=Path(os.environ[SCREENS], f"{name}.png"), full_page=True)


def violations(page: Page, **options: object) -> list[str]:
    """The rules of axe that a page breaks, of all or of those that are named, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(
        "asked => axe.run(asked).then(told => told.violations.map(each =>"
        " `${each.id} at ${each.nodes.slice(0, 3).map(node => node.target)}`))",
        {"resultTypes": ["violations"], **options},
    )
    return found


def edges(what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


FOR_EVER: Final = """span => {
  const usual = window.setTimeout;
  window.setTimeout = (work, ms, ...rest) => usual(work, ms === span ? 1e9 : ms, ...rest);
}"""


class Person:
    """Somebody with a browser of their own; whatever their pages complain about is a fault."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.touches: bool = options.get("has_touch", False)
        self.context: BrowserContext = browser.new_context(
            base_url=server.url, has_touch=self.touches
        )
        self.context.set_default_timeout(TIMEOUT_MS)
        self.origin = server.url
        self.faults: list[str] = []
        self.is_prepared = False
        self.listeners: list[Callable[[Request], None]] = []
        self.page = self.tab()
        self.look(**options)

    def look(self, **options: Any) -> "Person":
        """As one who has complained of nothing yet, with a screen and a taste."""
        self.faults.clear()
        self.pardoned: tuple[str, ...] = (OFFLINE,)
        self.page.set_viewport_size(options.get("viewport", PHONE))
        self.page.emulate_media(
            color_scheme=options.get("color_scheme", "light"),
            reduced_motion=options.get("reduced_motion", "reduce"),
        )
        return self

    def prepare(self, script: str) -> "Person":
        """Run a script before those of each page; nobody else can have this browser then."""
        self.is_prepared = True
        self.context.add_init_script(script)
        return self

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._hear(said.type, said.text))
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(part in text for part in self.pardoned):
            self.faults.append(text)

    def tell(self, listener: Callable[[Request], None]) -> None:
        """Tell somebody what the page asks for, until this person leaves."""
        self.listeners.append(listener)
        self.page.on("request", listener)

    def pardon(self, *texts: str) -> "Person":
        """Take complaints with one of these texts as no fault: they come at any time."""
        self.pardoned += texts
        return self

    def sit(self, pair: Pair, seat: int) -> "Person":
        self.take_seat(pair.id, pair.tokens[seat])
        return self.go(f"/match/{pair.id}")

    def take_seat(self, id: str, token: str) -> None:
        """Have one seat of a match, whichever it is: the token tells, not the cookie's name."""
        url = f"{self.origin}/api/matches/{id}"
        self.context.add_cookies([{"name": f"seat-{id}-first", "value": token, "url": url}])

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
        if self.touches and len(self.open_numbers()) > 1:
            button.tap()  # asks what it would do
        with self.page.expect_response("**/picks?*") as answer:
            button.tap() if self.touches else button.click()
        answer.value.finished()

    def send(self, what: str, body: object) -> None:
        id = self.page.url.rpartition("/")[2]
        done = self.context.request.post(f"/api/matches/{id}/{what}", data=body)
        assert done.ok, done.text()

    def press(self, label: str) -> None:
        self.button(label).click()

    def button(self, label: str) -> Locator:
        buttons = self.page.get_by_role("button", name=label, exact=True)
        return buttons.or_(self.page.get_by_role("link", name=label, exact=True))

    def hold(self, span_ms: int) -> None:
        """Let the page wait for ever where it waits so long, however long the machine takes."""
        self.page.evaluate(FOR_EVER, span_ms)

    def sees(self, text: str, where: str = "#status") -> None:
        expect(self.page.locator(where)).to_contain_text(text)

    def keep(self, name: str) -> None:
        keep(self.page, name)

    def leave(self) -> None:
        self.context.close()
        assert not self.faults, f"the pages complained: {self.faults}"

    def forget(self) -> None:
        """Leave the pages, and leave nothing behind; nothing may have gone wrong on them."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.page.goto("about:blank")
        while self.listeners:
            self.page.remove_listener("request", self.listeners.pop())
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_cookies()
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        session.detach()
        assert not self.faults, f"the pages complained: {self.faults}"


Invite = Callable[..., Person]
"""Lets somebody come, with a screen and a taste of their own."""
