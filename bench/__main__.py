"""`make bench`: every figure in one run, written to docs/performance.md."""

import sys

from bench import environments, network, players, simulator, solver, startup, study
from bench.beside import ROOT

PAGE = ROOT / "docs" / "performance.md"
HEAD = """# How fast it is

Written by `make bench`. Times are of one machine on one day; compare the ratios, which are taken
within one run.
"""

parts = [startup, solver, simulator, players, study, environments, network]
chosen = [part for part in parts if part.__name__.split(".")[1] in sys.argv[1:]] or parts
sections = [part.section() for part in chosen]
page = "\n".join([HEAD, "\n\n".join(sections), ""])
if chosen == parts:
    PAGE.write_text(page, encoding="utf-8")
sys.stdout.write(page)
