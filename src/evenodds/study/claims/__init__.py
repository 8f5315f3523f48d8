"""Checks of a rule book's claims and of the standard questions, and the effect of each ruling.

May import `claims`, `core`, `figures`, `graph`, `players` and `system`;
`study.metrics`, `study.figure_serialization`, `study.solved`, `study.study`, `study.summary` and
`study.wording`; libraries: `numpy`.
"""
