"""`make bench`: every figure in one run, written to docs/performance.md; or those of some parts.

`BESIDE=COMMIT make bench PART=first` (or `network`, `pages`) measures the code of another commit in
the same run, too, and prints both; the page stays as it is.
"""

import os
import re
import sys
from importlib import import_module

from tests.support.gpu_machine import require_gpu_machine

from bench.comparison import ROOT

PAGE = ROOT / "docs" / "performance.md"
HEAD = """# How fast it is

Written by `make bench`, each part in one run. Times are of one machine on one day: compare ratios.
"""
REMARKS = "### Remarks"
"""What people add to a section stands under this heading, and is kept when it is measured anew."""

PARTS = ["first", "solver", "matrices", "simulator", "environments", "openspiel"]
PARTS += ["network", "pages"]
ON_REQUEST = ["gpu"]
"""Parts for other machines, which lack what the rest needs."""


def title(section: str) -> str:
    """The heading of a section, by which it is found again."""
    return section.strip().splitlines()[0]


def sections() -> dict[str, str]:
    """What stands on the page by now."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {title(part): part.strip() for part in re.split(r"^(?=## )", text, flags=re.M)[1:]}


def main() -> None:
    """Measure what is asked for, and put it in its place on the page."""
    chosen = [part for part in PARTS + ON_REQUEST if part in sys.argv[1:]] or PARTS
    known = sections()
    if "gpu" in chosen:
        require_gpu_machine()
    for part in chosen:
        found = import_module(f"bench.{part}").section().strip()
        sys.stdout.write(f"{found}\n\n")
        _, heading, remarks = known.get(title(found), "").partition(REMARKS)
        known[title(found)] = f"{found}\n\n{heading}{remarks}".strip()
    if not os.environ.get("BESIDE"):
        PAGE.write_text("\n\n".join([HEAD.strip(), *known.values()]) + "\n", encoding="utf-8")


main()
