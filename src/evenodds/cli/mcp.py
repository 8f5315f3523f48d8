"""The command `mcp`: the games as tools of a language model."""

import sys

import click

from evenodds.cli.shared.common import NegativeAnswer, main


@main.command()
@click.option("--http", is_flag=True, help="Speak HTTP instead of standard input and output.")
@click.option("--host", metavar="ADDRESS", help="With --http: where to listen. [127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="With --http: which port. [8100]"
)
def mcp(http: bool, host: str | None, port: int | None) -> None:
    """Offer the games as tools to a language model (MCP)."""
    from evenodds.system.imports.extras import MissingExtra, needs

    if not http and (host is not None or port is not None):
        raise click.UsageError("--host and --port go with --http.")
    try:
        with needs("mcp"):
            from evenodds.adapters.mcp import serve
            from evenodds.system.network import CannotListen
    except MissingExtra as error:
        raise NegativeAnswer(str(error)) from None
    if not http:
        if sys.stdin.isatty():
            click.echo("A program starts this and speaks MCP to it; see docs/llm.md.", err=True)
        serve.run_stdio()
        return
    try:
        serve.run_http(host or "127.0.0.1", 8100 if port is None else port, click.echo)
    except (CannotListen, serve.NoToken) as error:
        raise NegativeAnswer(str(error)) from None
