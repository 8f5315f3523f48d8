"""Prepares the pages of the documentation site for Zensical: `make docs`.

    python -m scripts.build_docs FOLDER

Copies the Markdown of the project into FOLDER, makes links lead there, and fills in what is known
elsewhere: a line `<!-- generated: NAME -->` is replaced by the text that the function `NAME`
makes of the commands, the docstrings, the schema of the HTTP API, the rule books, the studies, and
the configuration of the proxy.
"""

import ast
import inspect
import json
import os
import re
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click
from scripts.http_reference import head, http, row

import evenodds
import evenodds.rules
from evenodds.cli.command_table import GROUPS, load_command
from evenodds.core import catalog
from evenodds.core.game import Game
from evenodds.players.profiles import BUILT_IN_PROFILES
from evenodds.players.registry import EXTERNAL_PLAYER_KINDS
from evenodds.render.rulebook import rulebook_page
from evenodds.study.level_strength import skill_sentence, strengths

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
NOTEBOOKS: Final = ROOT / "examples" / "notebooks"
BOOKS: Final = ROOT / "src" / "evenodds" / "games"
GAMES: Final = [game for game in catalog.list_games() if game.name in catalog.built_in()]
LEVEL_HEADS: Final = (
    "against the one below",
    "against random",
    "against perfect",
    "the best opponent against it",
)
ENVIRONMENTS: Final = (
    "gymnasium.SeatEnv",
    "vector.SeatVectorEnv",
    "vector.TwoSeatVectorEnv",
    "pettingzoo.SequentialMatch",
    "pettingzoo.ParallelMatch",
    "observation.describe_observation",
    "openspiel.policies.to_openspiel",
    "openspiel.policies.from_openspiel",
)
MARKER: Final = re.compile(r"^<!-- generated: (\w+) -->$", re.M)
LINK: Final = re.compile(r"(\]\()([^)#:\s]+)([)#])")
FENCE: Final = re.compile(r"^(```.*?^```)$", re.M | re.S)
NESTED: Final = re.compile(r"^( {2,3}| {5,6})(?=(?:[-*]|\d+\.) )", re.M)


def main(folder: Path) -> None:
    """Write all pages and the settings of the site."""
    pages = folder / "docs"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    left_out = shutil.ignore_patterns("__*__", ".venv")
    for name in ("examples", "integrations"):
        shutil.copytree(ROOT / name, pages / name, ignore=left_out)
    for source in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        write_page(pages, source, MARKER.sub(lambda found: generated(found[1]), source.read_text()))
    for game in GAMES:
        write_page(pages, BOOKS / game.name / "rulebook.md", rule_book(game))
    for notebook in NOTEBOOKS.glob("*.py"):
        write_page(pages, notebook, notebook_page(notebook))
    shutil.copytree(ROOT / "deploy", pages / "deploy")
    write_studies(pages / "studies")
    shutil.copy(ROOT / "LICENSE", pages)
    settings = json.dumps(tomllib.loads((DOCS / "site.toml").read_text()), indent=1)
    books = ", ".join(f'"rule-books/{name}.md"' for name in ("index", *(it.name for it in GAMES)))
    settings = settings.replace('"rule-books/"', books)
    (folder / "mkdocs.yml").write_text(settings)  # JSON is YAML


def place(source: Path) -> Path:
    """Where a file of the project stands in the site, from the top of the site."""
    if source == ROOT / "README.md":
        return Path("index.md")
    if source.is_relative_to(BOOKS) and source.name == "rulebook.md":
        return Path("rule-books", f"{source.parent.name}.md")
    if source.parent == NOTEBOOKS:
        return Path("notebooks", f"{source.stem}.md")
    return source.relative_to(DOCS if source.is_relative_to(DOCS) else ROOT)


def write_page(pages: Path, source: Path, text: str) -> None:
    """Write a page; its links lead to places of the site, and nested lists are as it wants them."""
    here = place(source)

    def lead(found: re.Match[str]) -> str:
        target = place(Path(os.path.normpath(source.parent / found[2])))
        return f"{found[1]}{os.path.relpath(target, here.parent)}{found[3]}"

    parts = FENCE.split(text)
    parts[::2] = [
        LINK.sub(lead, NESTED.sub(lambda indent: " " * (4 if len(indent[1]) < 4 else 8), part))
        for part in parts[::2]
    ]
    path = pages / here
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(parts))


def generated(name: str) -> str:
    """The text for a marker."""
    made: dict[str, Callable[[], Iterator[str]]] = {
        function.__name__: function
        for function in (
            *(commands, api, matrix, results, environments, rules, http),
            *(games, players, levels, studies, nginx),
        )
    }
    return "\n".join(made[name]())


def commands() -> Iterator[str]:
    """Every command with its options, as click knows them."""
    for group, entries in GROUPS.items():
        yield f"## {group}\n"
        for name in entries:
            command = load_command(name)
            context = click.Context(command, info_name=f"evenodds {name}")
            usage = " ".join(command.collect_usage_pieces(context))
            yield f"### evenodds {name}\n\n```text\nevenodds {name} {usage}\n```\n"
            yield f"{(command.help or '').replace(chr(8), '')}\n"
            records = [parameter.get_help_record(context) for parameter in command.params]
            if options := [row(f"`{each[0]}`", each[1]) for each in records if each and each[1]]:
                yield "\n".join([head("option", "meaning"), *options, ""])
            yield f"```text\n{command.example}\n```\n"


def api() -> Iterator[str]:
    """A directive for each public name, which mkdocstrings fills from the docstring."""
    yield from directives(evenodds, "##")


def rules() -> Iterator[str]:
    """The same for what the files of a game import."""
    yield from directives(evenodds.rules, "###")


def matrix() -> Iterator[str]:
    """The same for the solver of matrix games."""
    yield from directives(evenodds.matrix, "###")


def results() -> Iterator[str]:
    """A directive for each result that a public function or class leads to."""
    public = [getattr(evenodds, name) for name in evenodds.__all__]
    shown = [*public, *(getattr(evenodds.rules, name) for name in evenodds.rules.__all__)]
    known: dict[str, set[type]] = {}
    for module in [each for name, each in sys.modules.items() if name.startswith("evenodds")]:
        for name, it in vars(module).items():
            if inspect.isclass(it) and hasattr(it, "_fields") and it.__module__ in sys.modules:
                known.setdefault(name, set()).add(it)
    found: list[type] = []
    for it in (todo := list(public)):
        words = re.findall(r"\w+", " ".join(map(str, annotations(it))))
        more = [each for word in words for each in known.get(word, ())]
        new = [each for each in dict.fromkeys(more) if each not in [*shown, *found]]
        found, todo[len(todo) :] = [*found, *new], new
    names = sorted(f"{it.__module__}.{it.__name__}" for it in found)
    yield from (f"::: {name}\n" for name in names if name.startswith("evenodds."))


def annotations(it: Any) -> Iterator[Any]:
    """The types of the fields of a class and of what its functions, or a function, return."""
    yield from getattr(it, "__annotations__", {}).values() if inspect.isclass(it) else ()
    parts = vars(it).items() if inspect.isclass(it) else [("", inspect.unwrap(it))]
    for name, part in parts:
        function = part.fget if isinstance(part, property) else part
        if inspect.isfunction(function) and not name.startswith("_"):
            yield function.__annotations__.get("return")


def environments() -> Iterator[str]:
    """A directive for each environment, and for what hands policies to OpenSpiel and back."""
    yield from (f"::: evenodds.adapters.{name}\n" for name in ENVIRONMENTS)


def directives(module: ModuleType, head: str) -> Iterator[str]:
    """A directive for each name of a module, by kinds."""
    public = {name: getattr(module, name) for name in module.__all__}
    kinds: dict[str, Callable[[Any], bool]] = {
        "Functions": lambda it: inspect.isfunction(inspect.unwrap(it)),
        "Errors": lambda it: inspect.isclass(it) and issubclass(it, Exception),
        "Classes": lambda it: inspect.isclass(it) and not issubclass(it, Exception),
    }
    for kind, belongs in kinds.items():
        found = [name for name, it in public.items() if belongs(it)]
        yield f"{head} {kind}\n" if found else ""
        yield from (f"::: {module.__name__}.{name}\n" for name in found)


def games() -> Iterator[str]:
    """The games, each with a link to its rules."""
    yield head("game", "title", "the idea")
    for game in GAMES:
        yield row(f"[`{game.name}`]({game.name}.md)", game.title, game.summary)


def rule_book(game: Game[Any, Any]) -> str:
    """The rules of a game, with a picture of its board and a link to its study."""
    title, _, rest = rulebook_page(game).partition("\n")
    top = os.path.relpath(DOCS, BOOKS / game.name)
    picture = f"![A match of {game.title}]({top}/pictures/{game.name}.png)"
    study = f"[The study of this rule book]({top}/studies/{game.name}.html)"
    return (
        f"{title}\n\n{game.summary} {study}.\n\n    evenodds play {game.name}\n\n{picture}\n{rest}"
    )


def players() -> Iterator[str]:
    """The opponents by name."""
    yield head("name", "how it plays")
    for name, profile in BUILT_IN_PROFILES.items():
        yield row(f"`{name}`", profile.line)
    for kind in EXTERNAL_PLAYER_KINDS.values():
        yield row(f"`{kind.example}`", f"A {kind.label} of yours.")


def levels() -> Iterator[str]:
    """What each level scores, in every game."""
    for game in GAMES:
        found = strengths(game, game.rulings())
        yield f"### {game.title}\n\n{skill_sentence(game, found)}\n"
        yield head("level", *LEVEL_HEADS)
        for level in found.levels:
            scores = (level.below, level.random, level.perfect, level.best_opponent)
            shown = ("" if score is None else f"{100 * score:.1f}%" for score in scores)
            yield row(f"`{level.name}`", *shown)
        yield ""


def studies() -> Iterator[str]:
    """The pages that `write_studies` makes."""
    yield "- [A comparison of all five](studies/index.html)"
    yield from (f"- [{game.title}](studies/{game.name}.html): {game.summary}" for game in GAMES)


def nginx() -> Iterator[str]:
    """The configuration of the proxy, as `deploy` has it."""
    yield f"```nginx\n{(ROOT / 'deploy' / 'nginx.conf').read_text()}```"


def write_studies(folder: Path) -> None:
    """The studies of all games, as `evenodds study --all` writes them."""
    load_command("study").main(["--all", "-o", str(folder)], standalone_mode=False)


def cells(notebook: str) -> Iterator[str | list[ast.stmt]]:
    """The cells of a marimo notebook: Markdown as text, code as statements."""
    for node in ast.parse(notebook).body:
        if not isinstance(node, ast.With | ast.FunctionDef):
            continue
        match node.body:
            case [ast.Expr(ast.Call(ast.Attribute(attr="md"), [ast.Constant(str(text))])), _]:
                yield inspect.cleandoc(text)
            case body:
                yield [part for part in body if not isinstance(part, ast.Return)]


def notebook_page(path: Path) -> str:
    """A notebook as a page: its Markdown, and its code."""
    source = path.read_text()
    lines, parts = source.splitlines(), []
    for cell in cells(source):
        if isinstance(cell, str):
            parts.append(cell)
        else:
            first = min(
                node.lineno for node in ast.walk(cell[0]) if isinstance(node, ast.expr | ast.stmt)
            )
            code = "\n".join(lines[first - 1 : cell[-1].end_lineno])
            parts.append(f"```python\n{textwrap.dedent(code)}\n```")
    imports, title, *rest = parts
    run = f"    uvx marimo edit --sandbox examples/notebooks/{path.name}"
    return "\n\n".join([title, run, imports, *rest, ""])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
