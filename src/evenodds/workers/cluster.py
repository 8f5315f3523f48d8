"""Task runner on a Dask cluster."""

import logging
from collections.abc import Iterator
from typing import Any, Final

from evenodds.system.extras import needs
from evenodds.system.text import brief
from evenodds.workers.task import Task, TaskResult, failure, run_task

CLUSTER_TIMEOUT_S: Final = 10
"""Seconds in which a cluster says something, and in which it has a worker."""


class ClusterUnavailable(ConnectionError):
    """A cluster that cannot be reached, has nobody who works, or is lost; in one line."""


class Cluster:
    """The workers of a Dask scheduler at an address like `tcp://HOST:8786`.

    Raises `ClusterUnavailable` in one line, and `MissingExtra` where Dask is not installed.
    """

    limits = ""
    """Machines differ, and so does what is too large for them."""

    def __init__(self, address: str) -> None:
        _hush()
        self._address = brief(address, 80)
        try:
            self.client = _client(address)
        except (OSError, ValueError, TypeError, ImportError) as error:
            why = brief(str(error) or type(error).__name__, 80)
            raise ClusterUnavailable(f"there is no cluster at {self._address}: {why}") from None
        try:
            self.client.wait_for_workers(1, timeout=CLUSTER_TIMEOUT_S)
        except TimeoutError:
            self.client.close()
            raise ClusterUnavailable(f"the cluster at {self._address} has no workers") from None

    def answers(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The answer to each task with its place, as they come."""
        from distributed import as_completed

        asked = {
            self.client.submit(_work, task, key=_key(place), priority=-place): place
            for place, task in enumerate(tasks)
        }
        try:
            for future in as_completed(asked):
                yield asked[future], self._answer(future)
        finally:
            self.client.cancel(list(asked))
            self.client.close()

    def _answer(self, future: Any) -> TaskResult:
        """What came of a task; its worker or the scheduler may vanish while we ask for it."""
        from distributed import CancelledError

        try:
            if future.status == "finished":
                return TaskResult(*future.result())
            if future.status == "error":
                return TaskResult(None, _failure(future.exception()))
        except (OSError, CancelledError):
            pass
        raise ClusterUnavailable(
            f"the cluster at {self._address} is lost; the same command goes on"
        )


def _client(address: str) -> Any:
    """A client of the scheduler there; it leaves nothing behind where nobody answers."""
    with needs("cluster"):
        from distributed import Client

    class ClosingClient(Client):
        """Dask's own leaves its event loop running in a thread where it cannot start."""

        def start(self, **wishes: Any) -> None:
            try:
                super().start(**wishes)
            except BaseException:
                self.close()
                self._loop_runner.stop()
                raise

    return ClosingClient(address, timeout=CLUSTER_TIMEOUT_S)


def _failure(error: BaseException) -> str:
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return f"the workers that did it died {error.allowed_failures} times"
    return failure(error)


def _hush() -> None:
    """Let Dask log nothing: we say what is wrong, in one line."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _key(place: int) -> str:
    """A name on the cluster that no other work has."""
    from uuid import uuid4

    return f"evenodds-{place}-{uuid4().hex}"


def _work(task: Task) -> tuple[Any, ...]:
    """What a worker of the cluster does: all its threads on one task."""
    import os

    from distributed import get_worker

    os.environ.setdefault("EVENODDS_CORES", str(get_worker().state.nthreads))
    return tuple(run_task(Task(*task)))
