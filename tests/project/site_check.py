"""The built site as its readers see it: `make site-check`, after `make docs`.

Every page on a phone and on a desktop, in light and in dark: no violation that axe knows, nothing
wider than the screen, no error of a script, no request to another host; and the search finds what
people look for. `make docs` has followed the links. Pictures go to `EVENODDS_TEST_SCREENS`.
"""

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Page, Request, ViewportSize, expect
from scripts.build_docs import GAMES

from tests.support.browsers import chromium, keep, violations
from tests.support.paths import ROOT

SITE: Final = ROOT / "build" / "site"
SCREENS: Final[dict[str, ViewportSize]] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1280, "height": 900},
}
Scheme = Literal["light", "dark"]
PALETTES: Final[dict[Scheme, str]] = {"light": "default", "dark": "slate"}
"""What the theme calls its colours."""
TEMPLATES: Final = (
    "404.html",
    "index.html",
    "notebooks/solve.html",
    "reference/api.html",
    "studies/index.html",
    f"studies/{GAMES[0].name}.html",
)
"""Pages that look unlike each other: their colours are measured, in every way."""
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
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def switch(page: Page, scheme: Scheme, palette: str) -> None:
    """Show a page in light or dark: by the theme's button, or as studies follow the system."""
    button = page.locator(f"input[data-md-color-scheme={palette}]")
    if button.count():
        button.evaluate("button => button.click()")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", palette)
    else:
        page.emulate_media(color_scheme=scheme)


def visit(page: Page, address: str, path: str) -> Iterator[str]:
    """What is wrong with a page, which is loaded once and shown in all four ways.

    Contents are the same in all of them; colours are those of the template.
    """
    page.goto(f"{address}/{path}", wait_until="load")
    for screen, size in SCREENS.items():
        page.set_viewport_size(size)
        for scheme, palette in PALETTES.items():
            switch(page, scheme, palette)
            way = f"{path}, {screen}, {scheme}"
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                yield f"{way}: {wider} pixels wider than the screen"
            if path in TEMPLATES:
                yield from (f"{way}: {fault}" for fault in violations(page))
            keep(page, f"{path.replace('/', '-').removesuffix('.html')}-{screen}-{scheme}")
    if path not in TEMPLATES:
        no_colours = {"color-contrast": {"enabled": False}}
        yield from (f"{path}: {fault}" for fault in violations(page, rules=no_colours))


def check_pages(browser: Browser, address: str, paths: list[str]) -> int:
    """Visit all pages; how many faults there are, each of which is said."""
    said: list[str] = []

    def note_request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            said.append(request.url)

    page = browser.new_page(reduced_motion="reduce")
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", note_request)
    for path in paths:
        said += visit(page, address, path)
    page.close()
    sys.stdout.writelines(f"{fault}\n" for fault in said)
    return len(said)


def check_search(browser: Browser, address: str) -> int:
    """Type words into the search; how many do not find their page among the first results."""
    faults = 0
    page = browser.new_page(viewport=SCREENS["desktop"], color_scheme="dark")
    for words, title in SEARCHES.items():
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
    paths = sorted(str(path.relative_to(SITE)) for path in SITE.rglob("*.html"))
    if only := sys.argv[1:]:
        paths = [path for path in paths if any(part in path for part in only)]
    assert paths, "there is no site: run make docs first"
    with chromium() as browser, serving(SITE) as address:
        faults = check_search(browser, address) + check_pages(browser, address, paths)
    sys.exit(f"{faults} faults" if faults else 0)


if __name__ == "__main__":
    main()
