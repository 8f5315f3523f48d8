"""Tests of what helps to write games."""
