"""Numbers that are shown: tolerance, ranges, confidence intervals, and numbers in sentences.

Standard library only; every other package may import it.
"""
