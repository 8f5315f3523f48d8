"""Validate ten tasks, and play two with a stand-in for a model, which names its highest number."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

STAND_IN = Path(__file__).parents[2] / "examples" / "models" / "stand_in.py"

with TemporaryDirectory() as folder:

    def run(*command: str) -> None:
        subprocess.run([*command, "-o", folder], check=True, stdout=sys.stderr)

    def lines(name: str) -> list:
        (path,) = Path(folder).glob(f"*/{name}")
        return [json.loads(line) for line in path.read_text().splitlines()]

    run("vf-validate", "evenodds-verifiers", "--runtime.type", "subprocess", "--rich", "False")
    assert {row["reason"] for row in lines("results.jsonl")} == {"valid"}
    model = subprocess.Popen([sys.executable, STAND_IN, "0"], stdout=subprocess.PIPE, text=True)
    try:
        url = model.stdout.readline().split("@")[1].strip()
        os.environ["STAND_IN_KEY"] = "none"
        client = [
            "-m",
            "stand-in",
            "--client.base-url",
            url,
            "--client.api-key-var",
            "STAND_IN_KEY",
        ]
        where = ["--env.player.runtime.type", "subprocess", "-n", "2", "-r", "1", "--push", "False"]
        run("vf-eval", "evenodds-verifiers", *client, *where)
    finally:
        model.kill()
    traces = [trace for episode in lines("traces.jsonl") for trace in episode["traces"]]
    assert len(traces) == 2
    for trace in traces:
        assert trace["rewards"]["exactness"]["score"] > 0
        assert len(trace["info"]["rewards"]) > 1
