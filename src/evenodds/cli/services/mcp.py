"""The command `mcp`: the games as tools of a language model."""

import sys

import click

from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.errors import negative_answers
from evenodds.cli.shared.ranges import RangeOption
from evenodds.system.imports.extras import needs
from evenodds.system.network import CannotListen


@command
@click.option("--http", is_flag=True, help="Use HTTP instead of standard input and output.")
@click.option(
    "--host", metavar="ADDRESS", help="With --http: the address to listen on. [127.0.0.1]"
)
@click.option(
    "--port",
    cls=RangeOption,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="With --http: the port to listen on. [8100]",
)
def mcp(http: bool, host: str | None, port: int | None) -> None:
    """A program such as a chat client starts this command and talks to it; see docs/llm.md."""
    if not http and (host is not None or port is not None):
        raise click.UsageError("--host and --port go with --http.")
    with needs("mcp"):
        # Slow, not installed everywhere, and needless for the help.
        from evenodds.adapters.mcp import serve
    if not http:
        if sys.stdin.isatty():
            click.echo("A program starts this and speaks MCP to it; see docs/llm.md.", err=True)
        serve.run_stdio()
        return
    with negative_answers(CannotListen, serve.NoSessionLimit, serve.NoToken):
        serve.run_http(host or "127.0.0.1", 8100 if port is None else port, click.echo)
