"""Draws the preview images of the games and the icons anew, from the boards' own pictures.

    python scripts/draw_previews.py http://127.0.0.1:8000

Needs a running server and a Chromium; the images are kept in `server/static/`.
"""

import sys
from pathlib import Path

from tests.support.browsers import chromium

from evenodds.core import catalog

STATIC = Path("src/evenodds/server/static")
DRAW = """async ([game, title, line, wide]) => {
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


def main(server: str) -> None:
    """Draw all of them."""
    (STATIC / "previews").mkdir(exist_ok=True)
    with chromium() as browser:
        page = browser.new_page(
            base_url=server, bypass_csp=True, viewport={"width": 1200, "height": 630}
        )
        for game in catalog.list_games():
            page.goto("/")
            goal = game.words.goal(game.rulings())
            page.evaluate(DRAW, [game.name, game.title, goal, True])
            page.screenshot(path=STATIC / "previews" / f"{game.name}.png")
        for size in (192, 512):
            page.set_viewport_size({"width": size, "height": size})
            page.goto("/")
            page.evaluate(DRAW, ["underdog", "", "", False])
            page.screenshot(path=STATIC / f"icon-{size}.png")


main(sys.argv[1])
