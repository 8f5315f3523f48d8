"""Solving on an NVIDIA GPU: the same positions, values and certificates as on the processor."""
