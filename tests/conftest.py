"""What all tests share."""

import compileall
import gc
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

import evenodds
from evenodds.core import catalog

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.browsers import Person, SharedBrowser
    from tests.support.postgres import Postgres
    from tests.support.servers import Server

WORKER: Final = os.environ.get("PYTEST_XDIST_WORKER", "")
IS_WORKER: Final = bool(WORKER)

settings.register_profile(
    "tests",
    deadline=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],  # the machine may be busy
)
settings.load_profile("tests")

SLOW: Final = ("processes", "browser", "database")
"""The kinds of tests that `make quick` leaves out."""
KINDS: Final = {"browsers": "browser", "postgres": "database", "worker_server": "processes"}
"""Fixtures, and what a test that uses one is marked as."""
STARTS: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "tests.forked"}
"""What Python tells auditors when a process is started, and what `tests.support.forks` does."""
MAX_KERNEL_AGE_S: Final = 7 * 24 * 3600
"""How long a compiled kernel is kept that no run uses."""
now_running: pytest.Item | None = None


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once, where processes are told to write no bytecode and each would.

    A shell lets programs in the background ignore Ctrl-C, and all that they start inherit that: no
    test of an interruption could pass.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if IS_WORKER or not config.getoption("numprocesses", None):
        gc.disable()  # what is imported and collected stays
    if not IS_WORKER:
        compileall.compile_dir(Path(evenodds.__file__).parent, quiet=2)


def refuse_processes(event: str, arguments: object) -> None:
    """Let no test start a process that does not say so; `make quick` leaves out those that do."""
    if event in STARTS and now_running and not any(map(now_running.get_closest_marker, SLOW)):
        raise AssertionError("this test starts a process: mark it with pytest.mark.processes")


sys.addaudithook(refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Remember whose turn it is. What ends after a test may have been begun by another."""
    return (yield from _watched(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from _watched(item))


def _watched(item: pytest.Item) -> Generator[None, object, object]:
    global now_running
    now_running = item
    try:
        return (yield)
    finally:
        now_running = None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests by what they use, before any are chosen by their marks.

    Properties are not measured: many examples take several times as long under coverage, and add
    nothing to it, for plain tests come by the same lines. Other tests that go through very many
    cases are marked `no_cover` for the same reason.
    """
    if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
        item.add_marker("no_cover")
    for fixture, kind in KINDS.items():
        if fixture in getattr(item, "fixturenames", ()):
            item.add_marker(kind)
    group = item.get_closest_marker("xdist_group")
    if group and group.args[0].startswith("compiled"):
        item.add_marker("long")


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker begin with other files, for whoever imports one first compiles it for all."""
    if IS_WORKER and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        files = sorted(Path(__file__).parent.rglob("test_*.py"))
        number, workers = WORKER.removeprefix("gw"), os.environ["PYTEST_XDIST_WORKER_COUNT"]
        first = len(files) * int(number) // int(workers)
        for file in files[first:] + files[:first]:
            with suppress(Exception, pytest.skip.Exception):  # collecting it will tell
                import_module(".".join(file.relative_to(session.path).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, and not again and again through all that is there."""
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("loadgroup", False):
        for item in items:
            if group := _group_of(item):
                _keep_together(item, f"@{group}")


def _group_of(item: pytest.Item) -> str | None:
    """The group a test names, or what its tests share that each worker would make anew.

    Compiled kernels are loaded in milliseconds: tests of one file share them, and no others wait.
    """
    group = item.get_closest_marker("xdist_group")
    if group:
        name: str = group.args[0]
        return item.path.name if name == "compiled" else name
    fixtures = getattr(item, "_fixtureinfo", None)
    found = fixtures.name2fixturedefs if fixtures else {}
    if any(each[-1].scope == "module" for each in found.values()):
        return item.path.name
    return "browsers" if "browsers" in found else None


def _keep_together(item: pytest.Item, group: str) -> None:
    """Name the group in the id of a test: xdist 3.8 does so where pytest 9.2 no longer looks."""
    if not item.nodeid.endswith(group):
        assert item.parent is not None
        item._id = item.parent.id.child(item.name + group)
    assert item.nodeid.endswith(group), "tests are not grouped any more"


@pytest.fixture
def example_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Two games of the examples as packages, here and for commands; what says where they are."""
    from tests.support.packages import install_examples

    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", install_examples(folder))
    monkeypatch.syspath_prepend(folder)
    return {"PYTHONPATH": os.environ["PYTHONPATH"]}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test keeps what it keeps to itself, and what it sets in this process."""
    monkeypatch.setenv("EVENODDS_HOME", str(home))
    for games in ("_ADDED", "_FOLDERS"):  # a command that runs in this process leaves none behind
        monkeypatch.setattr(catalog, games, dict(getattr(catalog, games)))
    yield
    for name in [name for name in sys.modules if name.startswith("evenodds_")]:
        del sys.modules[name]  # games that were installed for this test


@pytest.fixture(scope="session", autouse=True)
def run_tables(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """The solved tables of this run, on all its workers; servers are lent them.

    Compiled kernels are kept between runs: the name of each holds a digest of all it depends on.
    Tables are solved anew.
    """
    base = tmp_path_factory.getbasetemp().parent if IS_WORKER else tmp_path_factory.getbasetemp()
    cache = getattr(request.config, "cache", None)  # there is none where pytest keeps nothing
    folder, kernels = base / "tables", cache.mkdir("kernels") if cache else base / "kernels"
    kernels.mkdir(exist_ok=True)
    os.environ["EVENODDS_TEST_TABLES"] = str(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _copy_kernels(kernels, folder)
    yield folder
    _copy_kernels(folder, kernels)


def _copy_kernels(source: Path, target: Path) -> None:
    """Copy the compiled kernels that were used of late, where they are newer than what is there.

    Other workers may do so at the same time: whoever reads half a file compiles the kernel anew.
    The index of a function comes after what it names.
    """
    for file in sorted(source.glob("*.nb[ci]"), key=lambda file: file.suffix):
        copy = target / file.name
        with suppress(OSError):
            used = file.stat().st_mtime
            if used < time.time() - MAX_KERNEL_AGE_S:
                file.unlink()
            elif not copy.exists() or copy.stat().st_mtime < used:
                shutil.copy2(file, copy)


@pytest.fixture(autouse=True)
def tables(
    request: pytest.FixtureRequest, run_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one test has solved is solved for all, unless it wants tables of its own."""
    if not request.node.get_closest_marker("own_tables"):
        monkeypatch.setattr("evenodds.system.cache_folder.folder", lambda: run_tables)


@pytest.fixture
def kernels(home: Path, run_tables: Path) -> None:
    """Compiled kernels for tables of one's own; not copied back, for an index numbers its files."""
    cache = home / "cache"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    _copy_kernels(run_tables, cache)


@pytest.fixture
def home_with_tables(home: Path, run_tables: Path) -> Path:
    """A data folder of one's own, for other processes, with the tables of all."""
    run_tables.mkdir(exist_ok=True)
    home.mkdir()
    (home / "cache").symlink_to(run_tables)
    return home


@pytest.fixture(scope="session")
def worker_server(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Server]":
    """One server for all tests of a worker that are content with any."""
    from tests.support.servers import serving

    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture
def server(worker_server: "Server") -> "Iterator[Server]":
    """A server that tests share, each with matches of its own."""
    before = len(worker_server.clients)
    yield worker_server
    worker_server.dismiss(before)


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Postgres]":
    from tests.support.postgres import Postgres

    found = Postgres()
    yield found
    found.end()


shared_browser: "SharedBrowser | None" = None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    global shared_browser
    if shared_browser and "browsers" not in getattr(nextitem, "fixturenames", ()):
        shared_browser.close()
        shared_browser = None


@pytest.fixture
def browsers() -> "SharedBrowser":
    from tests.support.browsers import SharedBrowser

    global shared_browser
    shared_browser = shared_browser or SharedBrowser()
    return shared_browser


@pytest.fixture
def browser(browsers: "SharedBrowser") -> "Browser":
    return browsers.browser


@pytest.fixture
def person(browsers: "SharedBrowser", server: "Server") -> "Iterator[Callable[..., Person]]":
    people: list[Person] = []

    def come(**options: Any) -> "Person":
        people.append(browsers.invite(server, **options))
        return people[-1]

    yield come
    for one in people:
        browsers.dismiss(one)
