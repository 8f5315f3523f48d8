"""The command `serve`."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import click

from evenodds.cli.command_table import command
from evenodds.cli.errors import negative_answers
from evenodds.cli.ranges import RangeOption
from evenodds.system.imports.extras import needs
from evenodds.system.network import CannotListen


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """No garbage collection during imports: it finds nothing there, and takes a while."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@command
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on.",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    cls=RangeOption,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="The port to listen on.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Where matches are stored: sqlite:///FILE or postgresql://USER@HOST/NAME.",
)
@click.option(
    "--proxy",
    metavar="ADDRESS",
    multiple=True,
    help="A reverse proxy that may set X-Forwarded-For; may be repeated.",
)
@click.option(
    "--name",
    metavar="NAME",
    multiple=True,
    help="A host name of this server, such as play.example.org; may be repeated.",
)
@click.option(
    "--log",
    type=click.Choice(["warning", "info", "debug"]),
    default="warning",
    show_default=True,
    help="How much to log; info logs each request.",
)
def serve(
    host: str,
    port: int,
    database: str | None,
    proxy: tuple[str, ...],
    name: tuple[str, ...],
    log: str,
) -> None:
    """Open the printed address in a browser. Other computers can join with --host 0.0.0.0."""
    with _garbage_collection_paused(), needs("server"):
        # Slow, not installed everywhere, and needless for the help.
        from evenodds.server.serve import run
        from evenodds.server.settings import BadServerSetting, from_environment
        from evenodds.server.storage.connect import NoDatabase
        from evenodds.system.http.connection_limits import BadProxy
    with negative_answers(BadProxy, BadServerSetting, CannotListen, NoDatabase):
        settings = from_environment()
        run(host, port, database, click.echo, settings=settings, proxies=proxy, names=name, log=log)
