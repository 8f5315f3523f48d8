"""The commands `serve` and `mcp`: others play, in browsers or as tools of a language model."""

import gc
import sys
from typing import Any

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import agree
from evenodds.system.imports import needs

PORT = click.IntRange(0, 65535)


@command("evenodds serve --port 8080")
@click.argument("folders", type=options.GAME, nargs=-1, metavar="[FOLDER]...")
@option("--host ADDRESS", "The address to listen on.", default="127.0.0.1")
@option("--port N", "The port to listen on.", type=PORT, default=8000)
@option(
    "--database URL", "Where matches are stored: sqlite:///FILE or postgresql://USER@HOST/NAME."
)
@option(
    "--proxy ADDRESS",
    "A reverse proxy that may set X-Forwarded-For; may be repeated.",
    "proxies",
    multiple=True,
)
@option(
    "--name NAME",
    "A host name of this server, such as play.example.org; may be repeated.",
    "names",
    multiple=True,
)
@option(
    "--log",
    "How much to log; info logs each request.",
    type=click.Choice(["warning", "info", "debug"]),
    default="warning",
)
def serve(folders: tuple[AnyGame, ...], **given: Any) -> None:
    """Open the printed address in a browser. Other computers can join with --host 0.0.0.0.

    FOLDER is that of a game of yours: it is offered beside the others, and read again when you
    change it.
    """
    for game in folders:
        agree(game)  # an error of the command, where the server would leave the game out
    gc.disable()  # during the imports: it finds nothing there, and takes a while
    with needs("server"):
        # Slow, not installed everywhere, and needless for the help.
        from evenodds.server.serve import run
        from evenodds.server.settings import from_environment
    gc.freeze()
    gc.enable()
    run(say=click.echo, settings=from_environment(), **given)


@command("evenodds mcp")
@option("--http", "Use HTTP on this machine instead of standard input and output.")
@option("--port N", "With --http: the port to listen on. [8100]", type=PORT)
def mcp(http: bool, port: int | None) -> None:
    """A program such as a chat client starts this command and talks to it; see docs/llm.md."""
    if not http and port is not None:
        raise click.UsageError("--port goes with --http.")
    with needs("mcp"):
        # As for a server.
        from evenodds.adapters.mcp.serve import run_http, run_stdio
    if http:
        run_http(8100 if port is None else port, click.echo)
        return
    if sys.stdin.isatty():
        click.echo("A program starts this and speaks MCP to it; see docs/llm.md.", err=True)
    run_stdio()
