"""`make bench`: every figure in one run, written to docs/performance.md."""

import sys

from bench import players, simulator, solver, startup
from bench.beside import ROOT

PAGE = ROOT / "docs" / "performance.md"
HEAD = """# How fast it is

Written by `make bench`. Times are of one machine on one day; compare the ratios, which are taken
within one run.
"""

sections = [startup.section(), solver.section(), simulator.section(), players.section()]
page = "\n".join([HEAD, "\n\n".join(sections), ""])
PAGE.write_text(page, encoding="utf-8")
sys.stdout.write(page)
