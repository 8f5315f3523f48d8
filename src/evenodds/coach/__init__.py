"""The coach: values of picks, hints, reviews of played matches and puzzles, from exact solutions.

Terminal, server and arena use it.
"""
