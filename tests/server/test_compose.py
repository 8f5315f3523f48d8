"""The Compose file, as far as it is tried quickly; `make container-check` tries the rest."""

import re
import shlex
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.paths import ROOT
from tests.support.postgres import Postgres
from tests.support.servers import Pair, serving

pytestmark = pytest.mark.xdist_group("postgres")
DEPLOY = ROOT / "deploy"


def test_the_command_of_the_compose_file_serves(postgres: Postgres, home: Path) -> None:
    """With a port and a database of our own; it depends on a database that answers."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert services["play-1"] == services["play-2"]
    assert services["play-1"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    serve, *command = shlex.split(services["play-1"]["command"])
    assert serve == "serve"
    given = dict(zip(command[::2], command[1::2], strict=True))
    del given["--port"]
    given["--database"] = postgres.database()
    with serving(home, *(text for option in given.items() for text in option)) as server:
        server.url = re.sub("//[^:]+", "//127.0.0.1", server.url)
        assert Pair(server, "duel").pick(0, 3, 1).status_code == 200


def test_the_proxy_of_the_compose_file_asks_both_processes() -> None:
    ours = (DEPLOY / "nginx.conf").read_text()
    assert re.findall(r"(?m)^    server (\S+);", ours) == ["play-1:8000", "play-2:8000"]
