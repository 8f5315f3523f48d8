"""What a program asks for in a few lines: players, arenas, benchmarks and studies.

The root package hands these functions on.

May import `arena`, `claims`, `core`, `players`, `policy`, `solver`, `study`, `system` and
`workers`.
"""
