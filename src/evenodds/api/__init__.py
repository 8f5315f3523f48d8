"""What a program asks for in a few lines: players, arenas, benchmarks and studies.

The root package hands these functions on.
"""
