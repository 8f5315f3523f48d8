"""Policies: exact odds between two of them, best responses, exploitability, simulation."""
