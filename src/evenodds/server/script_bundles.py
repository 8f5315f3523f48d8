"""One script for each page, so that a phone waits for one answer and not for thirty.

Made when the server starts: each module of `static/` becomes a function that returns what the
module exports. Modules that boards import, too, stay files: there must not be two of each.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

STATIC: Final = Path(__file__).with_name("static")
SHARED: Final = ("dom", "boards/kit")
"""The modules that boards import as well."""
_IMPORT: Final = re.compile(r'^import (?:\* as (\w+)|\{ ([^}]+) \}) from "([^"]+)\.js";$', re.M)
_COMMENT: Final = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.M)
"""A comment on lines of its own."""
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.M)


def bundle(page: str) -> str:
    """The script of a page with all modules that it imports."""
    shared, own = _in_order(page)
    files = [f'import * as {_variable(name)} from "/static/{name}.js";' for name in shared]
    return "\n".join([*files, *map(_as_function, own), _rewritten(page)])


def _in_order(page: str) -> tuple[list[str], list[str]]:
    """The modules below a page, shared and own, each after those that it imports."""
    found: list[str] = []

    def visit(name: str) -> None:
        for imported in _imports(name):
            if imported not in found:
                visit(imported)
        found.append(name)

    visit(page)
    return [name for name in found if name in SHARED], [
        name for name in found if name not in (*SHARED, page)
    ]


def _source(name: str) -> str:
    """The text of a module, without comments: phones load it."""
    return _COMMENT.sub("", (STATIC / f"{name}.js").read_text(encoding="utf-8"))


def _resolved(address: str, importer: str) -> str:
    """The name of a module by the address under which another imports it."""
    if address.startswith("/static/"):
        return address.removeprefix("/static/")
    return normpath(join(dirname(importer), address))


def _imports(name: str) -> list[str]:
    return [_resolved(found[3], name) for found in _IMPORT.finditer(_source(name))]


def _variable(name: str) -> str:
    """The variable of the bundle that holds what a module exports."""
    return "$" + name.replace("/", "_")


def _as_function(name: str) -> str:
    exported = ", ".join(_EXPORT.findall(_source(name)))
    body = _EXPORT.sub("", _rewritten(name))
    return f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _rewritten(name: str) -> str:
    """The text of a module, with variables of the bundle in place of imports."""

    def taken(found: re.Match[str]) -> str:
        names = found[1] or f"{{ {found[2].replace(' as ', ': ')} }}"
        return f"const {names} = {_variable(_resolved(found[3], name))};"

    return _IMPORT.sub(taken, _source(name))
