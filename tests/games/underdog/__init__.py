"""Test data of `underdog`, and tests of this game alone."""
