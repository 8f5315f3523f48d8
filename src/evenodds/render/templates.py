"""HTML pages from Jinja2 templates: everything is escaped, and nothing may be undefined.

A template lies beside the module that fills it and is named by its path in the package.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import Element, tostring

from evenodds.system.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE: Final = Path(__file__).parents[1]
STUDY_CSS: Final = PACKAGE / "render" / "study.css"
"""The style of study pages, which each of them contains: responsive, with dark mode and print."""


def render_page(template: str, **context: Any) -> str:
    """The page that a template makes of its context."""
    return _environment().get_template(template).render(context)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # slow to import

    environment = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals["version"] = __version__
    environment.filters["class_name"] = lambda value: type(value).__name__
    return environment


def _finalize(value: Any) -> Any:
    """A value as it is printed: charts as SVG, text with a non-breaking space before `%`."""
    if type(value) is str:
        return value.replace(" %", "\N{NO-BREAK SPACE}%")
    if isinstance(value, Element):
        from markupsafe import Markup

        return Markup(tostring(value, "unicode"))
    return value
