"""The terminal user interface: screen, keyboard, match loops, reports, saved matches.

May import everything but `server`, `cli` and `envs`; no NumPy itself, and the solver only when it
is needed, so that the first prompt comes at once.
"""
