"""`make bench`: every figure in one run, written to docs/performance.md."""

import json
import subprocess
import sys
from pathlib import Path

from bench import simulator, solver, startup

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "performance.md"
HEAD = """# How fast it is

Written by `make bench`. Times are of one machine on one day; compare the ratios, which are taken
within one run.
"""

peers = json.loads(
    subprocess.run(
        [ROOT / ".peers/bin/python", ROOT / "bench/peers.py"], check=True, stdout=subprocess.PIPE
    ).stdout
)
sections = [
    startup.section(),
    solver.section(peers),
    simulator.section(peers["rollouts"]),
]
page = "\n".join([HEAD, "\n\n".join(sections), ""])
PAGE.write_text(page, encoding="utf-8")
sys.stdout.write(page)
