"""Choice of the task runner of a command: local processes, or a Dask cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from evenodds.cli.shared.common import NegativeAnswer

if TYPE_CHECKING:
    from evenodds.workers.task import TaskRunner

cluster_option = click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Let the workers of a Dask scheduler do it."
)


@contextmanager
def task_runner(address: str | None, processes: int | None = None) -> "Iterator[TaskRunner]":
    """The Dask cluster at an address, or else a pool of local processes, one for each core.

    A cluster that is not available is an error of one line.
    """
    from evenodds.workers.cluster import Cluster, ClusterUnavailable
    from evenodds.workers.processes import ProcessPool

    try:
        yield ProcessPool(processes) if address is None else Cluster(address)
    except ClusterUnavailable as error:
        raise NegativeAnswer(str(error)) from None
