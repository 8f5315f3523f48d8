"""Simulated matches: counted playouts, and batches for reinforcement learning.

May import the modules of `policy` beside it, and what they may import.
"""
