"""The metrics of a study, computed on the transition graph of a solved game.

They import `claims`, `players`, `policy`, `solver`, `kernels`, `graph` and `core`; of `study` only
`solved`.
"""
