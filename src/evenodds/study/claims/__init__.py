"""Checks of a rule book's claims, and the effect of each variant of its rulings."""
