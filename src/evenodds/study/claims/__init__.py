"""Checks of a rule book's claims and of the standard questions, and the effect of each ruling."""
