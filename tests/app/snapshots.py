"""Export a picture of every screen of the app: python -m tests.app.snapshots FOLDER [60x20]."""

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from evenodds import list_games
from evenodds.app.drawing.pieces import Stage
from tests.app.pilots import Script, Visitor, visit
from tests.support.examples import LARGE_GAME

SIZES: Final = ((60, 20), (80, 24), (120, 40))
FONT_LINKS: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture loads nothing from elsewhere."""
PICKS: Final = (4, 2, 1)
"""The places of the cards that are picked before a picture is taken."""


class Photographer:
    """Takes pictures at one size."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        self.folder = folder
        self.size = size

    async def shoot(self, visitor: Visitor, name: str) -> None:
        await visitor.until(lambda: not visitor.app.animator._animations)
        await visitor.pilot.pause(0.4)
        picture = FONT_LINKS.sub("", visitor.app.export_screenshot())
        path = self.folder / f"{name}-{self.size[0]}x{self.size[1]}.svg"
        path.write_text(picture, encoding="utf-8")

    def visit(self, script: Script, *words: object, **settings: object) -> None:
        """Run the app for pictures; chance is the same every time."""
        seed = ("--seed", 7) if words else ()
        visit(script, *words, *seed, size=self.size, settings=settings)

    async def home(self, visitor: Visitor) -> None:
        await visitor.sees("Go on (g):")
        await visitor.sees("? Help")
        await self.shoot(visitor, "home")
        panels = {"s": "settings", "question_mark": "keys", "y": "study", "m": "matches"}
        for key, name in panels.items():
            await visitor.press(key)
            await visitor.until(lambda: visitor.app.screen.is_modal)
            await self.shoot(visitor, name)
            await visitor.press("escape")
            await visitor.until(lambda: not visitor.app.screen.is_modal)
        await visitor.press("1")
        await self.shoot(visitor, "who-plays")
        await visitor.press("home", "enter")
        await self.shoot(visitor, "rulings")

    async def match(self, game: str, visitor: Visitor) -> None:
        """A match after some rounds; of one game its panels, too."""
        for steps in PICKS:
            await visitor.is_asked()
            await visitor.press(*["right"] * steps, "enter")
        await visitor.is_asked()
        await visitor.press("right")
        await self.shoot(visitor, game)
        if game == LARGE_GAME:
            panels = (("h", "hint"), ("m", "map"), ("r", "rules"), ("l", "rounds"))
            for key, name in panels:
                await visitor.press(key)
                await visitor.sees("Esc closes")
                await self.shoot(visitor, name)
                await visitor.press("escape")
            await visitor.play_to_the_end()
            await self.shoot(visitor, "end")
            await visitor.press("r")
            await visitor.sees("Esc closes")
            await self.shoot(visitor, "review")

    async def two_people(self, visitor: Visitor) -> None:
        await visitor.press("enter")
        await visitor.is_asked()
        await visitor.press("7")
        await self.shoot(visitor, "hidden-pick")
        await visitor.press("enter")
        await visitor.sees("Give the keyboard to")
        await self.shoot(visitor, "hand-over")
        await visitor.press("enter", "8", "enter")
        await visitor.sees("UNDERDOG")
        await visitor.until(lambda: visitor.app.screen.board.look.stage == Stage.RESULT)
        await self.shoot(visitor, "underdog-rule")

    async def puzzle(self, visitor: Visitor) -> None:
        await visitor.is_asked()
        await self.shoot(visitor, "puzzle")
        await visitor.press("right", "enter")
        await visitor.sees("Press Enter to go on.")
        await self.shoot(visitor, "puzzle-answer")


def main(folder: Path, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        camera = Photographer(folder, size)
        with tempfile.TemporaryDirectory() as home:
            os.environ["EVENODDS_HOME"] = home
            for game in list_games():
                first = () if game.simultaneous else ("--first", 1)
                match = partial(camera.match, game.name)
                camera.visit(match, "play", game.name, "--vs", "level:4", *first)
            camera.visit(camera.two_people, "play", LARGE_GAME, opponent="")
            camera.visit(camera.puzzle, "train", LARGE_GAME)
            camera.visit(camera.home)


if __name__ == "__main__":
    chosen = [(int(wide), int(high)) for wide, _, high in (a.partition("x") for a in sys.argv[2:])]
    main(Path(sys.argv[1]), chosen or SIZES)
