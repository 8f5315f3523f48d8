"""Creates the tables, or migrates an older database with Alembic."""

import time
from pathlib import Path

from sqlalchemy import Connection, inspect, select

from evenodds.server.storage.schema import ALEMBIC_VERSION, HEARTBEAT, METADATA, REVISION


class NewerVersion(ValueError):
    """The database was made by a newer version."""


def migrate(connection: Connection) -> None:
    """Create or upgrade the tables; `NewerVersion` where they are newer than this code."""
    if _revision(connection) == REVISION:
        return
    if connection.dialect.name == "postgresql":
        # Processes that start at once take turns here; the first migrates, the others look again.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    current = _revision(connection)
    if current is None:
        create(connection)
    elif current != REVISION:
        upgrade(connection, current)


def create(connection: Connection) -> None:
    """Create all tables in their current form, in one transaction."""
    if connection.dialect.name == "sqlite":  # its driver begins none before CREATE TABLE
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(HEARTBEAT.insert().values(at=time.time()))
    connection.execute(ALEMBIC_VERSION.insert().values(version_num=REVISION))


def upgrade(connection: Connection, current: str | None) -> None:
    """Run the migrations after a revision, or all of them."""
    from alembic import command  # slow to import, and seldom needed
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
    """The revision of the database; None where there are no tables."""
    if not inspect(connection).has_table(ALEMBIC_VERSION.name):
        return None
    return connection.execute(select(ALEMBIC_VERSION.c.version_num)).scalar()
