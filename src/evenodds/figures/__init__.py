"""Numbers that are shown: tolerance, confidence intervals, and numbers in sentences.

Every other package may import it.
"""
