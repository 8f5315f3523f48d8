"""Choice of the task runner of a command: local processes, or a Dask cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

from evenodds.cli.errors import negative_answers
from evenodds.workers.cluster import Cluster, ClusterUnavailable
from evenodds.workers.processes import ProcessPool
from evenodds.workers.task import TaskRunner


@contextmanager
def task_runner(address: str | None, processes: int | None = None) -> Iterator[TaskRunner]:
    """The Dask cluster at an address, or else a pool of local processes, one for each core.

    A cluster that is not available is an error of one line.
    """
    with negative_answers(ClusterUnavailable):
        yield ProcessPool(processes) if address is None else Cluster(address)
