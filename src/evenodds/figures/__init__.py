"""Numbers that are shown: tolerance, ranges, confidence intervals, and numbers in sentences.

Every other package may import it.
"""
