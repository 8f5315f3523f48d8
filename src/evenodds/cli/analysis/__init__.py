"""Commands that solve, measure and compare.

May import `arena`, `claims`, `cli.shared`, `coach`, `core`, `figures`, `graph`, `kernels`,
`players`, `solver`, `study`, `system` and `terminal`; libraries: `click`.
"""
