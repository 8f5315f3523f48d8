"""The files in deploy/ without a container program: `make container-check`.

Each step of the Containerfile is performed in a bare Debian folder, its command is run as its user,
and the commands of the Compose file are started in it beside the machine's PostgreSQL and nginx.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from tests.server.test_proxy import NAME, proxying
from tests.support.paths import ROOT
from tests.support.postgres import Postgres
from tests.support.servers import Pair, Server, serving
from tests.support.waiting import wait_until

DEPLOY: Final = ROOT / "deploy"
OF_THE_MACHINE: Final = ("etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt")
"""Files that a container program would lend to a step, so that it reaches the network."""
STOP_TIMEOUT_S: Final = 15
"""As `stop_grace_period` in the Compose file."""
PORT: Final = "8000"


class Image:
    """A folder, and how programs are run in it."""

    def __init__(self, folder: Path, debian: str, bases: Path) -> None:
        base = bases / debian
        if not base.exists():
            run("debootstrap", "--variant=minbase", debian, str(base))
        run("cp", "--archive", "-T", str(base), str(folder))
        self.folder = folder
        self.settings: dict[str, Any] = {"ENV": {}, "USER": "root"}

    def enter(self, *command: str) -> tuple[str, ...]:
        """The command line that runs a command in the folder, as the user and with the settings."""
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/"} | self.settings["ENV"]
        words = [f"{key}={text}" for key, text in variables.items()]
        user = f"--userspec={self.settings['USER']}:{self.settings['USER']}"
        return ("chroot", user, str(self.folder), "env", "--ignore-environment", *words, *command)

    def run(self, script: str) -> None:
        pip = [f"{key}={text}" for key, text in os.environ.items() if key == "PIP_CERT"]
        with lent_files(self.folder):
            run(*self.enter("env", *pip, "DEBIAN_FRONTEND=noninteractive", "sh", "-c", script))

    def copy(self, source: Path, names: list[str], target: str) -> None:
        place = self.folder / target.lstrip("/")
        for name in names:
            into = place / Path(name).name if target.endswith("/") else place
            into.parent.mkdir(parents=True, exist_ok=True)
            run("cp", "--archive", "-T", str(source / name.lstrip("/")), str(into))


def main() -> None:
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        began = time.monotonic()
        image = build(DEPLOY / "Containerfile", folder, debian_folder())
        size = subprocess.check_output(["du", "-sm", image.folder], text=True).split()[0]
        say(f"built in {time.monotonic() - began:.0f} s; {size} MB")
        try_container(image, folder)
        try_compose(image, folder)


def debian_folder() -> Path:
    """Where bare Debian folders are kept from one check to the next."""
    bases = Path(os.environ.get("EVENODDS_TEST_DEBIAN", tempfile.gettempdir()), "evenodds-debian")
    bases.mkdir(exist_ok=True)
    return bases


def build(file: Path, folder: Path, bases: Path) -> Image:
    stages: dict[str, Image] = {}
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.M).replace("\\\n", "")
    for line in filter(None, text.splitlines()):
        step, _, rest = line.partition(" ")
        words = rest.split()
        match step:
            case "FROM":
                debian = words[0].removeprefix("debian:").removesuffix("-slim")
                image = Image(folder / f"stage{len(stages)}", debian, bases)
                stages[words[-1]] = image
            case "RUN":
                image.run(rest)
            case "COPY":
                stage = words.pop(0) if words[0].startswith("--from=") else ""
                source = stages[stage.removeprefix("--from=")].folder if stage else ROOT
                image.copy(source, words[:-1], words[-1])
            case "ENV":
                image.settings["ENV"] |= dict([rest.split("=", 1)])
            case "HEALTHCHECK":
                image.settings[step] = json.loads(rest.partition("CMD ")[2])
            case "ENTRYPOINT" | "CMD":
                image.settings[step] = json.loads(rest)
            case "USER" | "VOLUME" | "EXPOSE" | "STOPSIGNAL":
                image.settings[step] = rest
            case _:
                raise ValueError(f"{step} is no step that this knows")
        say(f"    {line[:100]}")
    return image


def try_container(image: Image, folder: Path) -> None:
    """Not root, healthy, private, stopped gracefully; the volume keeps the match."""
    settings = image.settings
    volume = settings["VOLUME"]
    assert subprocess.run(image.enter("touch", "/opt/evenodds/new"), capture_output=True).returncode
    assert not subprocess.run(image.enter("touch", f"{volume}/new")).returncode
    with container(image, settings["CMD"][1:], folder) as server:
        owner = Path(f"/proc/{server.process.pid}").stat().st_uid
        assert owner != 0
        wait_until(lambda: is_healthy(image, server))
        pair = Pair(server, "duel")
        assert pair.pick(0, 3, 1).status_code == 200
        began = time.monotonic()
        server.end(signal.Signals[settings["STOPSIGNAL"]])
        took = time.monotonic() - began
        assert (server.process.poll(), took < STOP_TIMEOUT_S) == (0, True)
    assert not is_healthy(image, server)
    with container(image, settings["CMD"][1:], folder) as server:
        found = server.client(pair.tokens[0]).get(pair.path).json()
        assert found["chosen"] == [True, False], found
    say(f"healthy as user {owner}, stopped in {took:.1f} s, and the match is still there")


def try_compose(image: Image, folder: Path) -> None:
    """The two processes on one PostgreSQL behind the proxy: a match through both of them."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    with ExitStack() as stack:
        postgres = Postgres()
        stack.callback(postgres.end)
        database = postgres.database()
        servers = []
        for name in ("play-1", "play-2"):
            _, *words = shlex.split(services[name]["command"])
            words[words.index("--database") + 1] = database
            words[words.index("--proxy") + 1] = "127.0.0.1"
            servers.append(stack.enter_context(container(image, words, folder)))
        text = (DEPLOY / "nginx.conf").read_text()
        for name, server in zip(("play-1", "play-2"), servers, strict=True):
            text = text.replace(f"{name}:{PORT}", server.url.removeprefix("http://"))
        (folder / "nginx").mkdir()
        proxied = stack.enter_context(proxying(servers[0], text, folder / "nginx"))
        pair = Pair(servers[0], "duel", other=servers[1])
        assert pair.pick(0, 3, 1).status_code == 200
        assert pair.pick(1, 2, 1).status_code == 200
        for _ in range(4):  # by turns from both
            seen = proxied.client(token=pair.tokens[0]).get(pair.path)
            assert seen.json()["history"], seen.text
        for path in ("/metrics", "/readyz"):
            assert proxied.client().get(path).status_code == 403
    say(f"two processes on one PostgreSQL behind nginx as {NAME}: played")


@contextmanager
def container(image: Image, words: list[str], folder: Path) -> Iterator[Server]:
    given = [word for word in words if word != "--port" and word != PORT]
    program = shlex.join(image.enter(*image.settings["ENTRYPOINT"]))
    with serving(folder / "home", *given, program=program) as server:
        server.url = re.sub("//[^:]+", "//127.0.0.1", server.url)
        yield server


def is_healthy(image: Image, server: Server) -> bool:
    port = server.url.rpartition(":")[2]
    check = [word.replace(f":{PORT}/", f":{port}/") for word in image.settings["HEALTHCHECK"]]
    return subprocess.run(image.enter(*check), capture_output=True).returncode == 0


@contextmanager
def lent_files(folder: Path) -> Iterator[None]:
    """Files of this machine in a folder for a while, unless it has its own."""
    lent = [folder / name for name in OF_THE_MACHINE if Path("/", name).exists()]
    lent = [path for path in lent if not path.exists()]
    for path in lent:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path("/", path.relative_to(folder)), path)
    try:
        yield
    finally:
        for path in lent:
            path.unlink()


def run(*command: str, said: str = "", **options: Any) -> str:
    done = subprocess.run(command, input=said, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
