"""Test data of `factors`, and tests of this game alone."""
