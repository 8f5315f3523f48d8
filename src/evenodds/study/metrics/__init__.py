"""The metrics of a study, computed on the transition graph of a solved game.

May import `claims`, `core`, `figures`, `graph`, `kernels` and `policy`; `study.solved`; libraries:
`numpy`.
"""
