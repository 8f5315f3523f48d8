"""Identifiers that people read out to each other."""

from typing import Final

ID_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for each other."""
