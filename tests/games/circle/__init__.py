"""Test data of `circle`, and tests of this game alone."""
