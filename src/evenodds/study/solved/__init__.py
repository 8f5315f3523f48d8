"""A solved game spread out over its transition graph: strategies, probability flow, shortest lines.

May import `claims`, `players`, `policy`, `solver`, `graph`, `kernels`, `core`, `figures` and
`system`, and nothing else of `study`.
"""
