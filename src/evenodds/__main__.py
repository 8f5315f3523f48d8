"""`python -m evenodds`."""

from evenodds.cli import run

run()
