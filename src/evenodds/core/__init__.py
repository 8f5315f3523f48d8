"""Games, rulings, matches, terms, records and notation.

The contract of rule books and the referee of matches. Built-in games are imported by name when they
are asked for.
"""
