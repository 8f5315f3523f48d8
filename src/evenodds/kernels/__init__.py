"""Loops over positions: plain Python, compiled by Numba together with the rules of a game."""
