"""Test data of `duel`, and tests of this game alone."""
