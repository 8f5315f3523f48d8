"""The terminal user interface: screen, keyboard, match loops, reports, saved matches.

The solver is loaded only when it is needed, so that the first prompt comes at once.
"""
