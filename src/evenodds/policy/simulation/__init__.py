"""Simulated matches: counted playouts, and batches for reinforcement learning.

May import `core`, `graph`, `kernels`, `solver` and `system`; `policy.policies`,
`policy.policy_strategies`, `policy.results` and `policy.softmax`; libraries: `numpy`.
"""
