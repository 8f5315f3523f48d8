"""Checks of a rule book's claims and of the standard questions, and the effect of each ruling.

They build on the study and its metrics. Sweeps and pages use their results.
"""
