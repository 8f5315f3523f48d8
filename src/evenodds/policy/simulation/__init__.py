"""Simulated matches: counted playouts, batches for reinforcement learning, sampled estimates.

May import the modules of `policy` beside it, and what they may import.
"""
