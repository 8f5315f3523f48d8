"""Kernels over the links of games of turns, the same for all games."""
