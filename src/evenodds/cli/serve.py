"""The commands `serve`, `join` and `verify`."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from evenodds.cli.shared.common import (
    NegativeAnswer,
    main,
    plain_option,
    record_option,
    usage_errors,
)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """No garbage collection during imports: it finds nothing there, and takes a while."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@main.command()
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
    from evenodds.system.imports.extras import MissingExtra, needs

    try:
        with _garbage_collection_paused(), needs("server"):
            from evenodds.server.serve import run
            from evenodds.server.settings import BadServerSetting, from_environment
            from evenodds.server.storage.connect import NoDatabase
            from evenodds.system.http.connection_limits import BadProxy
            from evenodds.system.network import CannotListen
    except MissingExtra as error:
        raise NegativeAnswer(str(error)) from None
    try:
        settings = from_environment()
        run(host, port, database, click.echo, settings=settings, proxies=proxy, names=name, log=log)
    except (BadProxy, BadServerSetting, CannotListen, NoDatabase) as error:
        raise NegativeAnswer(str(error)) from None


@main.command()
@click.argument("link", metavar="URL")
@click.option("--name", default="", metavar="NAME", help="What you are called there.")
@record_option
@plain_option
def join(link: str, name: str, record: str | None, plain: bool) -> None:
    """Play the match at URL, on a server, from this terminal; or watch it."""
    from evenodds.cli.shared.play_options import session_options
    from evenodds.client.address import BadAddress, address
    from evenodds.client.http_client import RemoteError
    from evenodds.client.remote_match import connect_to_match
    from evenodds.terminal.remote.session import RemoteSession

    with usage_errors():
        options = session_options(None, record, plain)
    try:
        remote = connect_to_match(address(link), name)
        sys.exit(RemoteSession(options, remote).run())
    except BadAddress as error:
        raise click.UsageError(str(error)) from None
    except RemoteError as error:
        raise NegativeAnswer(str(error)) from None


@main.command()
@click.argument("file", type=click.Path())
def verify(file: str) -> None:
    """Check that sealed picks in FILE, a record of a match in the browser, are as promised."""
    from evenodds.terminal.storage import records

    try:
        found = records.verify(file)
    except records.BadRecord as error:
        raise NegativeAnswer(str(error)) from None
    if not any(verified.picks or verified.unplayed for verified in found):
        raise NegativeAnswer("no picks were sealed here, and there is nothing to check")
    for verified in found:
        picks = f"{verified.picks} sealed picks, each as it was promised." if verified.picks else ""
        status = " ".join(filter(None, [picks, verified.unplayed])) or "not sealed."
        click.echo(f"{verified.match.terms.title}: {status}")
