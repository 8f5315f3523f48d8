"""Draws all pictures anew: `make pictures`.

Those of the documentation, of the app in the terminal and of the pages in a Chromium, go to
`docs/pictures/`; the preview images of the games and the icons to `server/static/`.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser
from tests.app import snapshots
from tests.support.browsers import Person, chromium
from tests.support.servers import Opener, Server, serving

from evenodds.core import catalog

PICTURES: Final = Path("docs/pictures")
STATIC: Final = Path("src/evenodds/server/static")
SCREENS: Final = {"home": "home", "hint": "hint", "underdog-rule": "match"}
"""The screens of the app that are shown, and the names of their pictures."""
SIZE: Final = (80, 24)
PHONE: Final = {"width": 390, "height": 760}
DESKTOP: Final = {"width": 1200, "height": 760}
PREVIEW: Final = {"width": 1200, "height": 630}
DRAW: Final = """async ([game, title, line, wide]) => {
  const { picture } = await import(`/boards/${game}.js`);
  document.body.replaceChildren();
  const put = (text, css) => {
    const made = document.createElement("div");
    made.textContent = text;
    made.style.cssText = css;
    document.body.append(made);
  };
  document.body.style.cssText = "margin:0;display:grid;place-items:center;align-content:center;"
    + "gap:18px;height:100vh;background:var(--mat);text-align:center";
  const drawn = picture();
  drawn.style.cssText = wide ? "height:330px;width:auto" : "height:88vh;width:auto;margin:0 -40vw";
  document.body.append(drawn);
  if (wide) {
    put(title, "font:700 64px var(--serif)");
    put(line, "font:34px var(--sans);color:var(--faint);max-width:1050px");
  }
}"""


def draw_app() -> None:
    """The screens of the app that the documentation shows."""
    with tempfile.TemporaryDirectory() as folder:
        snapshots.main(Path(folder), [SIZE])
        for screen, name in SCREENS.items():
            shutil.copy(Path(folder, f"{screen}-{SIZE[0]}x{SIZE[1]}.svg"), PICTURES / f"{name}.svg")


def draw_pages(browser: Browser, server: Server) -> None:
    """The lobby on a phone and on a desktop, and the board of every game."""
    for name, size in (("lobby", PHONE), ("lobby-wide", DESKTOP)):
        person = Person(browser, server, viewport=size).go("/")
        person.page.screenshot(path=PICTURES / f"{name}.png")
        person.leave()
    for game in catalog.list_games():
        ann = Opener(server, game.name, opponent="level:4")
        person = Person(browser, server, viewport=PHONE)
        person.take_seat(ann.id, ann.token)
        person.go(f"/match/{ann.id}")
        for _ in range(2):
            person.page.locator("[data-pick].open").first.wait_for()
            numbers = person.open_numbers()
            person.pick(numbers[len(numbers) // 2])
        person.page.locator("[data-pick].open").first.wait_for()
        person.page.locator(".mat").screenshot(path=PICTURES / f"{game.name}.png")
        person.leave()


def draw_previews(browser: Browser, server: Server) -> None:
    """The preview images of the games, and the icons, from the boards' own pictures."""
    page = browser.new_page(base_url=server.url, bypass_csp=True)
    page.set_viewport_size(PREVIEW)
    for game in catalog.list_games():
        page.goto("/")
        page.evaluate(DRAW, [game.name, game.title, game.words.goal(game.rulings()), True])
        page.screenshot(path=STATIC / "previews" / f"{game.name}.png")
    for size in (192, 512):
        page.set_viewport_size({"width": size, "height": size})
        page.goto("/")
        page.evaluate(DRAW, ["underdog", "", "", False])
        page.screenshot(path=STATIC / f"icon-{size}.png")


def main() -> None:
    """Draw all of them."""
    home = tempfile.TemporaryDirectory()
    with home as folder, serving(Path(folder)) as server, chromium() as browser:
        draw_pages(browser, server)
        draw_previews(browser, server)
    draw_app()


if __name__ == "__main__":
    main()
