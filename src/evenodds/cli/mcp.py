"""The command `mcp`: the games as tools of a language model."""

import sys

import click

from evenodds.cli.command_table import command
from evenodds.cli.errors import negative_answers
from evenodds.cli.ranges import RangeOption
from evenodds.system.imports.extras import needs
from evenodds.system.network import CannotListen


@command
@click.option(
    "--http", is_flag=True, help="Use HTTP on this machine instead of standard input and output."
)
@click.option(
    "--port",
    cls=RangeOption,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="With --http: the port to listen on. [8100]",
)
def mcp(http: bool, port: int | None) -> None:
    """A program such as a chat client starts this command and talks to it; see docs/llm.md."""
    if not http and port is not None:
        raise click.UsageError("--port goes with --http.")
    with needs("mcp"):
        # Slow, not installed everywhere, and needless for the help.
        from evenodds.adapters.mcp import serve
    if not http:
        if sys.stdin.isatty():
            click.echo("A program starts this and speaks MCP to it; see docs/llm.md.", err=True)
        serve.run_stdio()
        return
    with negative_answers(CannotListen):
        serve.run_http(8100 if port is None else port, click.echo)
