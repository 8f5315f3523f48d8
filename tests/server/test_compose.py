"""The Compose file that docs/server.md shows, as far as it can be tried without Docker."""

import re
import shlex
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.paths import ROOT
from tests.support.postgres import Postgres
from tests.support.servers import Pair, serving

pytestmark = pytest.mark.xdist_group("postgres")


def test_the_command_of_the_compose_file_serves(postgres: Postgres, home: Path) -> None:
    """With a port and a database of our own; it depends on a database that answers."""
    page = (ROOT / "docs" / "server.md").read_text()
    found = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert found
    services = yaml.safe_load(found[1])["services"]
    assert services["play"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    _, _, script = shlex.split(services["play"]["command"])
    command = shlex.split(script.partition("exec ")[2])
    assert command[:2] == ["evenodds", "serve"]
    given = dict(zip(command[2::2], command[3::2], strict=True))
    del given["--port"]
    given["--database"] = postgres.database()
    with serving(home, *(text for option in given.items() for text in option)) as server:
        server.url = re.sub("//[^:]+", "//127.0.0.1", server.url)
        assert Pair(server, "duel").pick(0, 3, 1).status_code == 200
