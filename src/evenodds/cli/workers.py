"""Choice of the task runner of a command: local processes, or a Dask cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from evenodds.cli.common import NegativeAnswer

if TYPE_CHECKING:
    from evenodds.workers.task import TaskRunner

cluster_option = click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Let the workers of a Dask scheduler do it."
)


@contextmanager
def team_for(address: str | None, processes: int | None = None) -> "Iterator[TaskRunner]":
    """Whoever does the work, and one line where a cluster does not.

    Here it is a process for each core, unless it is said how many.
    """
    from evenodds.workers.cluster import Cluster, ClusterUnavailable
    from evenodds.workers.processes import ProcessPool

    try:
        yield ProcessPool(processes) if address is None else Cluster(address)
    except ClusterUnavailable as error:
        raise NegativeAnswer(str(error)) from None
