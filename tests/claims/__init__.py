"""Tests of claims: their thresholds."""
