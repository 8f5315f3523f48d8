"""Task runner on a Dask cluster."""

import asyncio
import logging
import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from evenodds.core.catalog import folders
from evenodds.system import EvenOddsError
from evenodds.system.imports import needs
from evenodds.system.text import shorten
from evenodds.workers.task import Task, TaskResult, failure, run_task


class ClusterUnavailable(EvenOddsError, ConnectionError):
    """A cluster that cannot be reached, has no workers, or is lost; in one line."""


class Cluster:
    """The workers of a Dask scheduler at an address like `tcp://HOST:8786`.

    It must answer in time, and in as long again have a worker. Raises `ClusterUnavailable` in one
    line, and `MissingExtra` where Dask is not installed.
    """

    limits = ""
    """Unknown: the machines of a cluster differ in memory."""

    def __init__(self, address: str, timeout_s: float = 10) -> None:
        with needs("cluster"):
            from distributed import Client
        _silence_dask_logs()
        self._address = shorten(address, 80)
        try:
            asyncio.run(_reach(address, timeout_s))  # a client that fails leaves a thread behind
            self.client: Any = Client(address, timeout=timeout_s)
        except (OSError, ValueError, TypeError, ImportError) as error:
            why = shorten(str(error) or type(error).__name__, 80)
            raise ClusterUnavailable(f"there is no cluster at {self._address}: {why}") from None
        try:
            self.client.wait_for_workers(1, timeout=timeout_s)
        except TimeoutError:
            self.client.close()
            raise ClusterUnavailable(f"the cluster at {self._address} has no workers") from None

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The result of each task with its index, in order of completion."""
        from distributed import as_completed

        asked = {}
        for place, task in enumerate(tasks):
            key = f"evenodds-{place}-{uuid4().hex}"  # no other task on the cluster has it
            given = (task, [*folders().values()])
            asked[self.client.submit(_run_on_worker, *given, key=key, priority=-place)] = place
        try:
            for future in as_completed(asked):
                yield asked[future], self._result_of(future)
        finally:
            self.client.cancel(list(asked))
            self.client.close()

    def _result_of(self, future: Any) -> TaskResult:
        """The result of a completed future.

        A result that was lost with its worker is awaited again, as the scheduler has it computed
        anew. Where the scheduler is lost, the client cancels all futures.
        """
        from distributed import CancelledError, KilledWorker

        try:
            return TaskResult(*future.result())
        except KilledWorker as error:
            return TaskResult(None, f"the workers that did it died {error.allowed_failures} times")
        except (Exception, CancelledError) as error:
            if future.status == "error":
                return TaskResult(None, failure(error))
            raise ClusterUnavailable(
                f"the cluster at {self._address} is lost; the same command goes on"
            ) from None


async def _reach(address: str, timeout_s: float) -> None:
    from distributed.comm.core import connect

    await (await connect(address, timeout=timeout_s)).close()


def _silence_dask_logs() -> None:
    """Silence Dask: errors are reported in one line by `ClusterUnavailable`."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _run_on_worker(task: Task, folders: list[str]) -> tuple[Any, ...]:
    """Run a task on a worker of the cluster, with all its threads."""
    from distributed import get_worker

    os.environ.setdefault("EVENODDS_CORES", str(get_worker().state.nthreads))
    return tuple(run_task(Task(*task), folders))
