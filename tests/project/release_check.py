"""The files of a release, built and used as people will: `make release-check`.

Downloads packages: the core and each extra go into environments of their own. What is built stays
in dist/. `--tag v0.2.0` also holds the version and the changelog against a tag.
"""

import argparse
import os
import shutil
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.project import container_check
from tests.project.container_check import Image, debian_folder, say
from tests.project.test_project_files import released_versions
from tests.support.paths import ROOT

DIST: Final = ROOT / "dist"
UV: Final = [sys.executable, "-m", "uv", "--quiet", "--no-config"]
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
NEWEST_DEBIAN: Final = "testing"
"""Its Python is tried in a bare folder, where nobody has installed such a new one."""
FOREIGN_SYSTEMS: Final = ("win32", "darwin")
"""Systems for which types are checked: what they lack is found without them."""
RESOLVED_ONLY: Final = ("gpu",)
"""Extras that need hardware to be of use."""
TRIES: Final = {
    "cluster": "import evenodds.workers.cluster",
    "environments": "import gymnasium; gymnasium.make('evenodds.envs:evenodds/Duel-v0').reset()",
    "mcp": "import evenodds.adapters.mcp.serve",
    "openspiel": "import evenodds.adapters.openspiel",
    "server": "import evenodds.server.app",
    "solver": "import evenodds; evenodds.solve(evenodds.game('duel', hp=3))",
}
"""What must work with an extra and nothing else."""
BESIDE: Final = ("verifiers==0.4.0", "sb3-contrib", "inspect-ai")
"""Packages that people install together with all extras."""


class Files(NamedTuple):
    """What is built for a release."""

    wheel: Path
    sdist: Path


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tag", default="")
    tag = options.parse_args().tag
    files = build(DIST)
    check_tag(files, tag)
    check_contents(files)
    check_types()
    with tempfile.TemporaryDirectory() as folder:
        for version in PYTHONS:
            try_core(files.wheel, version, Path(folder, version))
        try_newest(files.wheel, Path(folder, "debian"))
        for extra in extras(files.wheel):
            try_extra(files.wheel, extra, Path(folder, "extra"))
        resolve(f"{files.wheel}[all,gpu]", *BESIDE)
        say(f"all extras resolve together, and beside {', '.join(BESIDE)}")
        try_runners(files.wheel, Path(folder, "home"))


def build(folder: Path) -> Files:
    """Build both files; the wheel out of the source distribution, as for a system's packages."""
    for old in folder.glob("evenodds-*"):
        old.unlink()
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)], cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(sdist) as packed:
            packed.extractall(unpacked, filter="data")
        (source,) = Path(unpacked).iterdir()
        run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], source)
    (wheel,) = folder.glob("*.whl")
    return Files(wheel, sdist)


def check_tag(files: Files, tag: str) -> None:
    version = files.wheel.name.split("-")[1]
    newest, date = released_versions()[0]
    assert newest == version, f"CHANGELOG.md begins with {newest}, the package is {version}"
    if tag:
        assert tag == f"v{version}", f"{tag} is not v{version}"
        assert date != "unreleased", f"CHANGELOG.md gives no date for {version}"


def check_contents(files: Files) -> None:
    """Every file of the package is in the wheel, every file of the repository in the other."""
    tracked = run(["git", "ls-files"], ROOT).split("\n")[:-1]
    with zipfile.ZipFile(files.wheel) as wheel:
        inside = set(wheel.namelist())
    needed = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    assert needed <= inside, sorted(needed - inside)
    with tarfile.open(files.sdist) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    needed = {name for name in tracked if not name.startswith(".ci/")}
    assert needed <= inside, sorted(needed - inside)
    say(f"{len(tracked)} files are where they belong; {describe(files.wheel, files.sdist)}")


def check_types() -> None:
    """Types hold for systems that are not at hand: what they lack stands behind a question."""
    for system in FOREIGN_SYSTEMS:
        cache = f".mypy_cache/{system}"
        run([sys.executable, "-m", "mypy", "--platform", system, "--cache-dir", cache, "src"], ROOT)
        say(f"types hold on {system}")


def try_core(wheel: Path, version: str, folder: Path) -> None:
    """Install the core alone and play, in one Python; one that is not here is named."""
    if not find_python(version):
        say(f"Python {version} is not on this machine")
        return
    took = install(str(wheel), folder, version)
    home = folder / "home"
    told = run([command(folder), "play", "duel"], folder, home, "3\n4\nresign\n")
    assert "wins the game!" in told, told
    run([command(folder), "study", "margin"], folder, home)
    say(f"Python {version}: installed in {took:.1f} s, {megabytes(folder):.0f} MB, and played")


def try_newest(wheel: Path, folder: Path) -> None:
    if find_python(PYTHONS[-1]) or not (shutil.which("debootstrap") and os.geteuid() == 0):
        return
    image = Image(folder, NEWEST_DEBIAN, debian_folder())
    update = "apt-get -o Acquire::Check-Valid-Until=false update -qq"  # a mirror may lag behind
    image.run(f"{update} && apt-get install -qq -y python3-venv ca-certificates >/dev/null")
    image.copy(wheel.parent, [wheel.name], "/")
    image.run(
        f"python3 -m venv /venv && /venv/bin/pip install --quiet '/{wheel.name}[server,solver]'"
    )
    told = run(image.enter("/venv/bin/evenodds", "play", "duel"), ROOT, said="3\n4\nresign\n")
    assert "wins the game!" in told, told
    for extra in ("server", "solver"):
        run(image.enter("/venv/bin/python", "-c", TRIES[extra]), ROOT)
    version = run(image.enter("/venv/bin/python", "--version"), ROOT).strip()
    say(f"Debian {NEWEST_DEBIAN}, {version}: played, and used the extras server and solver")


def try_extra(wheel: Path, extra: str, folder: Path) -> None:
    if extra in RESOLVED_ONLY:
        resolve(f"{wheel}[{extra}]")
        say(f"extra {extra}: resolves")
        return
    took = install(f"{wheel}[{extra}]", folder)
    for code in [TRIES[extra]] if extra in TRIES else TRIES.values():
        run([folder / "bin" / "python", "-c", code], folder, folder / "home")
    say(f"extra {extra}: installed in {took:.1f} s, {megabytes(folder):.0f} MB, and used")


def try_runners(wheel: Path, home: Path) -> None:
    uvx = [*UV, "tool", "run", "--isolated", "--from", str(wheel), "evenodds"]
    pipx = [*UV, "tool", "run", "pipx", "run", "--no-cache", "--spec", str(wheel), "evenodds"]
    for name, runner in {"uvx": uvx, "pipx run": pipx}.items():
        began = time.monotonic()
        told = run([*runner, "play", "duel"], ROOT, home, "3\n4\nresign\n")
        assert "wins the game!" in told, told
        say(f"{name}: played after {time.monotonic() - began:.1f} s")


def extras(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        lines = packed.read(name).decode().splitlines()
    return [line.split(": ")[1] for line in lines if line.startswith("Provides-Extra: ")]


def install(requirement: str, folder: Path, version: str = "") -> float:
    began = time.monotonic()
    python = find_python(version) if version else sys.executable
    run([*UV, "venv", "--clear", "--python", python, str(folder)], ROOT)
    run([*UV, "pip", "install", "--python", str(folder), requirement], ROOT)
    return time.monotonic() - began


def resolve(*requirements: str) -> None:
    """Find versions that go together, for the oldest Python and the newest."""
    for version in (PYTHONS[0], PYTHONS[-1]):
        compile = [*UV, "pip", "compile", "--python-version", version, "-"]
        run(compile, ROOT, said="\n".join(requirements))


def find_python(version: str) -> str:
    own = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    found = shutil.which(f"python{version}")
    return next((str(path) for path in [*own, found] if path), "")


def command(folder: Path) -> Path:
    return folder / "bin" / "evenodds"


def megabytes(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def describe(*files: Path) -> str:
    return ", ".join(f"{file.name} {file.stat().st_size / 1e6:.1f} MB" for file in files)


def run(command: Sequence[str | Path], cwd: Path, home: Path | None = None, said: str = "") -> str:
    kept = {
        key: text for key, text in os.environ.items() if key not in ("PYTHONPATH", "EVENODDS_HOME")
    }
    env = kept | ({"EVENODDS_HOME": str(home)} if home else {})
    return container_check.run(*map(str, command), said=said, cwd=cwd, env=env)


if __name__ == "__main__":
    main()
