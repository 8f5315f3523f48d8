"""The command `serve`."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import click

from evenodds.cli.shared.errors import negative_answers
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


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.option(
    "--proxy",
    metavar="ADDRESS",
    multiple=True,
    help="A proxy whose word on where requests come from is taken. May be given again.",
)
@click.option(
    "--name",
    metavar="NAME",
    multiple=True,
    help="A name that leads here, such as play.example.org. May be given again.",
)
@click.option(
    "--log",
    type=click.Choice(["warning", "info", "debug"]),
    default="warning",
    show_default=True,
    help="How much is logged to standard error; info logs each request.",
)
def serve(
    host: str,
    port: int,
    database: str | None,
    proxy: tuple[str, ...],
    name: tuple[str, ...],
    log: str,
) -> None:
    """Let people play in the browser, here and over the network."""
    with _garbage_collection_paused(), needs("server"):
        # Slow, not installed everywhere, and needless for the help.
        from evenodds.server.serve import run
        from evenodds.server.settings import BadServerSetting, from_environment
        from evenodds.server.storage.connect import NoDatabase
        from evenodds.system.http.connection_limits import BadProxy
    with negative_answers(BadProxy, BadServerSetting, CannotListen, NoDatabase):
        settings = from_environment()
        run(host, port, database, click.echo, settings=settings, proxies=proxy, names=name, log=log)
