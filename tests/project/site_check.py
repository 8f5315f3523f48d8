"""The built site as its readers see it: `make site-check`, after `make docs`.

Every page on a phone and on a desktop, in light and in dark: no violation that axe knows, nothing
wider than the screen, no error of a script, no request to another host; and the search finds what
people look for. `EVENODDS_TEST_SCREENS` names a folder for pictures.
"""

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from tests.support.browsers import chromium, keep
from tests.support.paths import ROOT

SITE: Final = ROOT / "build" / "site"
SCREENS: Final[dict[str, ViewportSize]] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1280, "height": 900},
}
Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
SHOWN: Final = 5
"""Results that are read without scrolling."""
SEARCHES: Final = {
    "mirror": "Declare a game",
    "bound": "Declare a game",
    "loops": "Declare a game",
    "ladder": "Declare a game",
    "policy function": "Write a policy",
    "dummy step": "Train with Gymnasium or PettingZoo",
    "arena python": "Compare players",
    "benchmark python": "Compare players",
}
"""What people have looked for in vain, and the title of the page that has it."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a folder, served while the block runs."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def look(page: Page, address: str, path: str) -> Iterator[str]:
    """What is wrong with a page."""
    page.goto(f"{address}/{path}", wait_until="load")
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wider > 0:
        yield f"{wider} pixels wider than the screen"
    for violation in Axe().run(page).response["violations"]:
        places = [node["target"] for node in violation["nodes"]]
        yield f"{violation['id']}: {places[:3]}"


def check_pages(
    browser: Browser, address: str, paths: list[str], screen: str, scheme: Scheme
) -> int:
    """Look at all pages in one way; how many faults there are, each of which is said."""
    said: list[str] = []

    def note_request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            said.append(request.url)

    page = browser.new_page(viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce")
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", note_request)
    for path in paths:
        said += [f"{path}, {screen}, {scheme}: {fault}" for fault in look(page, address, path)]
        keep(page, f"{path.replace('/', '-').removesuffix('.html')}-{screen}-{scheme}")
    sys.stdout.writelines(f"{fault}\n" for fault in said)
    page.close()
    return len(said)


def check_search(browser: Browser, address: str) -> int:
    """Type words into the search; how many do not find their page among the first results."""
    faults = 0
    for words, title in SEARCHES.items():
        page = browser.new_page(viewport=SCREENS["desktop"])
        page.goto(f"{address}/index.html", wait_until="load")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("combobox", name="Search").fill(words)
        expect(page.get_by_role("option").first).to_be_visible()
        results = page.get_by_role("option").all_inner_texts()[:SHOWN]
        if not any(title in result for result in results):
            faults += 1
            sys.stdout.write(f"the search for {words} does not find {title}: {results}\n")
        keep(page, f"search-{words.replace(' ', '-')}")
        page.close()
    return faults


def main() -> None:
    """Look at everything, and fail if there is a fault."""
    paths = sorted(str(path.relative_to(SITE)) for path in SITE.rglob("*.html"))
    if only := sys.argv[1:]:
        paths = [path for path in paths if any(part in path for part in only)]
    assert paths, "there is no site: run make docs first"
    with chromium() as browser, serving(SITE) as address:
        faults = check_search(browser, address) + sum(
            check_pages(browser, address, paths, screen, scheme)
            for screen in SCREENS
            for scheme in SCHEMES
        )
    sys.exit(f"{faults} faults" if faults else 0)


if __name__ == "__main__":
    main()
