"""The folder of a new game, which works at once: one of four tiny games, with points or a die."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import evenodds.rules
from evenodds.core.game import title_of
from evenodds.core.game_folder import name_flaw
from evenodds.system import InvalidInput

QUESTIONS: Final = {
    "turns": "Do the players take turns? Otherwise both pick at once.",
    "pool": "Is there one pool for both? Otherwise each has a hand of cards.",
    "points": "Is it about points? Otherwise a match is won or lost.",
    "dice": "Is a die rolled?",
}
TEMPLATES: Final = Path(__file__).with_name("template")


def make_folder(name: str, answers: Mapping[str, bool]) -> Path:
    """Write the files of a game into a new folder here; `InvalidInput` where there can be none."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # slow to import

    if flaw := name_flaw(name):
        raise InvalidInput(flaw)
    files = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined)
    files.trim_blocks = files.lstrip_blocks = files.keep_trailing_newline = True
    given = {**answers, "name": name, "title": title_of(name)}
    texts = {
        path.stem.replace("NAME", name.replace("-", "_")): files.get_template(path.name).render(
            given
        )
        for path in sorted(TEMPLATES.glob("[!_]*"))
    }
    folder = Path(name)
    try:
        folder.mkdir()
    except FileExistsError:
        raise InvalidInput(f"{name} is here already; give the game another name") from None
    for file, text in texts.items():
        path = folder / file.replace("NAME", name.replace("-", "_"))
        path.write_text(_with_imports(text), encoding="utf-8")
    return folder


def _with_imports(text: str) -> str:
    """A module with the names of `evenodds.rules` that it uses in place of `IMPORTS`."""
    if "import IMPORTS" not in text:
        return text
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
    used = {node.id for node in nodes if isinstance(node.ctx, ast.Load)}
    names = sorted(used & {*evenodds.rules.__all__}, key=lambda name: (not name.isupper(), name))
    listed = ", ".join(names) if len(names) < 4 else f"(\n    {f',{chr(10)}    '.join(names)},\n)"
    return text.replace("IMPORTS", listed, 1)
