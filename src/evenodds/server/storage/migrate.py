"""Creates the tables, or migrates an older database with Alembic."""

import time
from pathlib import Path

from sqlalchemy import Connection, inspect, select

from evenodds.server.storage.schema import HEARTBEAT, METADATA, REVISION, VERSION


class NewerVersion(ValueError):
    """A database that a newer version has made."""


def migrate(connection: Connection) -> None:
    """Take every step that is missing; a database from a newer version is left alone."""
    if _revision(connection) == REVISION:
        return
    if connection.dialect.name == "postgresql":  # of several processes one migrates
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    current = _revision(connection)
    if current is None:
        create(connection)
    elif current != REVISION:
        upgrade(connection, current)


def create(connection: Connection) -> None:
    """Make all tables as they are now, in one transaction."""
    if connection.dialect.name == "sqlite":  # its driver begins none before a table is made
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(HEARTBEAT.insert().values(at=time.time()))
    connection.execute(VERSION.insert().values(version_num=REVISION))


def upgrade(connection: Connection, current: str | None) -> None:
    """Take the steps since a revision, all of them where there is none."""
    from alembic import command  # it takes a while to load, and is seldom needed
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    if current not in (None, *(script.revision for script in scripts.walk_revisions())):
        raise NewerVersion(
            "the database was made by a newer version of Even Odds; it is left alone"
        )
    command.upgrade(config, REVISION)


def _revision(connection: Connection) -> str | None:
    """The last step that was taken; None where there are no tables."""
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(select(VERSION.c.version_num)).scalar()
