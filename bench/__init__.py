"""Benchmarks, each a ratio measured within one run."""
