"""A solved game spread out over its transition graph: strategies, probability flow, shortest lines.

May import `claims`, `core`, `graph`, `kernels`, `players`, `policy`, `solver` and `system`;
libraries: `numpy`.
"""
