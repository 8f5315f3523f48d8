"""Games, rulings, matches, terms, records and notation.

The contract of rule books and the referee of matches. Imports the standard library, `figures` and
`evenodds.system` only; built-in games are imported by name when they are asked for.
"""
