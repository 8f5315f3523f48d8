"""Sweeps over rulings: every combination solved and measured; and repairs, which search with them.

They use the metrics directly, and run their tasks on `workers`.
"""
