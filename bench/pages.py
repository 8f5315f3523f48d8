"""How soon a phone shows a page: the largest paint, under the throttling that Lighthouse uses."""

import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser
from tests.support.browsers import chromium
from tests.support.servers import Server, serving

from bench.comparison import report, sources

RUNS: Final = 5
LIMIT_MS: Final = 1000
QUIET_MS: Final = 3000
"""After so long nothing larger is painted any more."""
NETWORK: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
PROCESSOR_SLOWDOWN: Final = 4
PATHS: Final = {
    "lobby": "/",
    "daily puzzle": "/daily",
    "rules": "/rules/duel",
    "map": "/map/duel",
}
LARGEST_PAINT: Final = """new Promise((tell) => new PerformanceObserver((list) =>
  tell(list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true }))"""
SCRIPT_BYTES: Final = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


def first_visit(browser: Browser, server: Server, path: str, seat: Any = None) -> tuple[float, int]:
    """Milliseconds to the largest paint on a phone that has nothing cached; bytes of scripts."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server.url)
    if seat:
        context.add_cookies([seat])
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR_SLOWDOWN})
    page.goto(path)
    page.wait_for_timeout(QUIET_MS)
    found = page.evaluate(LARGEST_PAINT), page.evaluate(SCRIPT_BYTES)
    context.close()
    return found


def visit_match(browser: Browser, server: Server, guest: bool) -> tuple[float, int]:
    """The same for a match: that of its opener, or the page of somebody who is invited."""
    wish = {"game": "underdog", "name": "Ann"} | ({} if guest else {"opponent": "level:4"})
    opened = server.client().post("/api/matches", json=wish).json()
    id, url = opened["match"], f"{server.url}/api/matches/{opened['match']}"
    if guest:
        return first_visit(browser, server, f"/match/{id}#{opened['invitation']}")
    seat = {"name": f"seat-{id}", "value": opened["token"], "url": url}
    return first_visit(browser, server, f"/match/{id}", seat)


def row(browser: Browser, server: Server, page: str, commit: str) -> str:
    """The figures of one page, as a row of the table."""
    paints, sizes = [], []
    for _ in range(RUNS):
        if page in PATHS:
            found = first_visit(browser, server, PATHS[page])
        else:
            found = visit_match(browser, server, page == "guest")
        paints.append(found[0])
        sizes.append(found[1])
    median = statistics.median(paints)
    under = "yes" if median < LIMIT_MS else "no"
    return f"| {page} {commit}".rstrip() + f" | {median:.0f} | {max(sizes) / 1000:.0f} | {under} |"


def section() -> str:
    """Pages, as a section of the page on performance."""
    rows = []
    with sources() as found, chromium() as browser:
        for commit, source in found.items():
            with (
                tempfile.TemporaryDirectory() as home,
                serving(Path(home), PYTHONPATH=str(source)) as server,
            ):
                rows += [row(browser, server, page, commit) for page in (*PATHS, "guest", "match")]
    about = (
        "A first visit with nothing cached: 150 ms latency, 1.6 Mbit/s and a processor slowed down "
        f"{PROCESSOR_SLOWDOWN} times. Milliseconds to the largest paint, the median of {RUNS} "
        "visits; compressed scripts in kB, of which a match may have 60."
    )
    heads = ["page", "largest paint", "scripts", "under 1 s"]
    return report("Pages on a phone", about, heads, rows)
