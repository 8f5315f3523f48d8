"""Simulated matches: counted playouts, and batches for reinforcement learning."""
