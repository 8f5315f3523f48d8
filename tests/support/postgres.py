"""A PostgreSQL of the tests' own, from the machine's binaries, as an unprivileged user."""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
import pytest

from tests.support.servers import free_port
from tests.support.system_packages import missing

ELSEWHERE: Final = "EVENODDS_TEST_POSTGRES"
"""A variable with the URL of a server to use instead; the tests make databases there."""


def _binaries() -> Path:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    for place in [*places, *([Path(found).resolve().parent] if found else [])]:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    return missing("postgresql")


class Postgres:
    """A database server that can be stopped, killed and started again."""

    def __init__(self) -> None:
        if ELSEWHERE not in os.environ:
            _binaries()
        self.folder = folder = Path(tempfile.mkdtemp(prefix="evenodds-postgres-"))
        self.port = free_port()
        self._count = 0
        self._as: dict[str, Any] = {}
        if ELSEWHERE in os.environ:
            return
        if os.getuid() == 0:  # initdb refuses to be root
            user = pwd.getpwnam("nobody")
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        self._run("initdb", "-U", "tester", "--auth=trust", "--no-sync", "-D", folder / "data")
        self.start()

    def _run(self, name: str, *arguments: str | Path) -> None:
        subprocess.run(
            [_binaries() / name, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **self._as,
        )

    def start(self) -> None:
        """Start it, and wait until it answers; what it writes outlives it, but not the machine."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._run(
            "pg_ctl", "start", "-w", "-s", "-D", self.folder / "data",
            "-l", self.folder / "log", "-o", options,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-s", "-D", self.folder / "data", "-m", mode)

    def end(self) -> None:
        if ELSEWHERE not in os.environ:
            self.stop()
        shutil.rmtree(self.folder)

    def needs_to_be_ours(self) -> None:
        """A test that stops the server does not stop somebody else's."""
        if ELSEWHERE in os.environ:
            pytest.skip(f"the server at {ELSEWHERE} is not ours to stop")

    def database(self) -> str:
        self._count += 1
        name = f"evenodds{self._count}"
        base = os.environ.get(ELSEWHERE) or f"postgresql://tester@127.0.0.1:{self.port}/postgres"
        with ThreadPoolExecutor(1) as thread:  # a test may have a loop of its own
            thread.submit(asyncio.run, _make(base, name)).result()
        return base.rsplit("/", 1)[0] + f"/{name}"


async def _make(base: str, name: str) -> None:
    connection = await asyncpg.connect(base)
    try:
        await connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        await connection.execute(f'CREATE DATABASE "{name}"')
    finally:
        await connection.close()
