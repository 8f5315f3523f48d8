"""The tables brought up to date, step by step, before anything is served."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


class NewerVersion(ValueError):
    """A database that a newer version has made."""


def migrate(connection: Connection) -> None:
    """Take every step that is missing; a database from a newer version is left alone."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise NewerVersion(
            "the database was made by a newer version of Even Odds; it is left alone"
        )
    if current == scripts.get_current_head():
        return
    if connection.dialect.name == "postgresql":  # of several processes one migrates
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    command.upgrade(config, "head")
