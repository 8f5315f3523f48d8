"""A server behind nginx, with the configuration of deploy/nginx.conf."""

import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.paths import ROOT
from tests.support.servers import Pair, Server, hear, limits, serving
from tests.support.waiting import TIMEOUT_S, wait_until

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not Path(NGINX).exists() or not shutil.which("openssl"), reason="nginx is not installed"
    ),
]
NAME = "play.example.org"


class Proxied:
    """A server, and where its proxy is."""

    def __init__(self, server: Server, port: int) -> None:
        self.server = server
        self.port = port

    def client(self, source: str = "127.0.0.1", token: str = "") -> httpx.Client:
        headers = {"host": f"{NAME}:{self.port}", "x-seat-token": token or "new"}
        transport = httpx.HTTPTransport(verify=False, local_address=source)
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers=headers,
            transport=transport,
            timeout=TIMEOUT_S,
        )
        self.server.clients.append(client)
        return client


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("nginx")
    few = limits(requests_per_second=0.001, requests_at_once=20)
    trust = ("--proxy", "127.0.0.1", "--name", NAME)
    ours = (ROOT / "deploy" / "nginx.conf").read_text()
    with serving(folder / "home", *trust, **few) as server:
        text = re.sub(r"play-\d:8000", server.url.removeprefix("http://"), ours)
        with proxying(server, text, folder) as proxied:
            yield proxied


@contextmanager
def proxying(server: Server, text: str, folder: Path) -> Iterator[Proxied]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [NGINX, "-p", str(folder), "-c", str(_configure(folder, text, port)), "-e", "stderr"]
    )
    try:
        wait_until(lambda: _listens(port) or process.poll() is not None)
        yield Proxied(server, port)
    finally:
        process.terminate()
        process.wait()


def _configure(folder: Path, text: str, port: int) -> Path:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}",
         "-keyout", "key", "-out", "pem"],
        cwd=folder,
        check=True,
        capture_output=True,
    )  # fmt: skip
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    text = re.sub(r"/etc/ssl/play.example.org.(pem|key)", rf"{folder}/\1", text)
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{text}}}\n"
    )
    return file


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_streams_come_through_as_they_are_told(proxied: Proxied) -> None:
    pair = Pair(proxied.server, "duel")
    client = proxied.client("127.0.0.9", pair.tokens[1])
    with hear(client, pair.path) as stream:
        assert stream.next()["chosen"] == [False, False]
        pair.pick(0, 3, 1)
        stream.when(lambda view: view["chosen"][0])


def test_limits_count_those_behind_the_proxy(proxied: Proxied) -> None:
    one, other = proxied.client("127.0.0.2"), proxied.client("127.0.0.3")
    forged = [{"x-forwarded-for": f"10.0.0.{number}"} for number in range(25)]
    asked = [one.get("/healthz", headers=headers).status_code for headers in forged]
    assert asked == [200] * 20 + [429] * 5
    assert other.get("/healthz").status_code == 200


def test_pages_may_write_through_the_proxy_under_its_name(proxied: Proxied) -> None:
    client, terms = proxied.client("127.0.0.4"), {"game": "duel"}
    own = {"origin": f"https://{NAME}:{proxied.port}"}
    opened = client.post("/api/matches", json=terms, headers=own)
    assert opened.status_code == 201
    assert "secure" in opened.headers["set-cookie"].lower()
    strange = {"origin": "https://evil.example"}
    assert client.post("/api/matches", json=terms, headers=strange).status_code == 403
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    inner = ("/metrics", "/metrics/", "/readyz", "/readyz/")
    assert [client.get(path).status_code for path in inner] == [403] * 4


def test_half_open_connections_shut_nobody_out(proxied: Proxied) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    opened = []
    for _ in range(150):
        bare = socket.create_connection(
            ("127.0.0.1", proxied.port), source_address=("127.0.0.5", 0)
        )
        opened.append(context.wrap_socket(bare))
        opened[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: ")
    assert proxied.client("127.0.0.6").get("/healthz").status_code == 200
    for each in opened:
        each.close()
