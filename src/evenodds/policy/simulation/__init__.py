"""Simulated matches: counted playouts, and batches for reinforcement learning.

May import `core`, `graph`, `kernels`, `solver` and `system`; `policy.pick_probabilities`,
`policy.policies`, `policy.results`, `policy.softmax` and `policy.turn_play`; libraries: `numpy`.
"""
