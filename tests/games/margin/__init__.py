"""Test data of `margin`, and tests of this game alone."""
