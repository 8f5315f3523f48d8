"""`make bench`: every figure in one run."""

import sys

from bench import startup

sys.stdout.write("\n".join(startup.report()) + "\n")
